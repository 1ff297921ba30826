import type {RelationKind} from './relation.ts';
import type {Range, SymbolKind} from './symbol.ts';

/** What one file says by itself, before anything is known of the others. Plain data: it crosses from the process that parses. */
export interface FileFacts {
  readonly language: string;
  /** In the order of the text; a parent comes before what is in it. */
  readonly symbols: readonly SymbolFact[];
  readonly imports: readonly ImportFact[];
  readonly exports: readonly ExportFact[];
  readonly uses: readonly UseFact[];
  /** The parser met what it does not understand. */
  readonly broken: boolean;
}

export interface SymbolFact {
  readonly name: string;
  readonly kind: SymbolKind;
  /** Index into `symbols`; -1 at the top. */
  readonly parent: number;
  /**
   * The name of the type that it belongs to though it stands outside of it: the receiver of a method in Go, `A` in `A::b` and `function A.b`.
   */
  readonly owner?: string | undefined;
  readonly range: Range;
  readonly nameRange: Range;
  readonly signature: string;
  readonly doc?: string | undefined;
  readonly exported: boolean;
  /**
   * What the declaration says of its type, as names to be resolved where it stands: of a variable, parameter or property its type, of a
   * function what it returns. For member access (`server.start`) across files.
   */
  readonly typeName?: string | undefined;
}

/** `import {original as local} from 'module'` in whatever words the language has for it. */
export interface ImportFact {
  /** The name that this file uses; absent where it is imported for its effect. */
  readonly local?: string;
  /** The name there; `*` for the whole module, `default` for its default. */
  readonly original: string;
  readonly module: string;
  /** The name as it stands there, or the specifier where there is none. */
  readonly range: Range;
  /** The name as this file uses it, where that is another place. */
  readonly localRange?: Range;
}

/** A name that others can import, when it is not simply a symbol with `exported`. */
export interface ExportFact {
  /** `*` where everything of `module` is exported again. */
  readonly name: string;
  /** The name in this file, or in `module` where there is one. */
  readonly original: string;
  readonly module?: string;
  readonly range: Range;
  /** The name as others see it, where that is another place. */
  readonly aliasRange?: Range;
}

/** A name that is used. What resolves to a local variable of a function is left out: no symbol, so no relation. */
export interface UseFact {
  readonly kind: RelationKind;
  readonly name: string;
  readonly range: Range;
  /** The innermost symbol that it stands in; -1 at the top. */
  readonly within: number;
  /** Index into `symbols` where scopes in this file resolve it; -1 where they do not. */
  readonly target: number;
  /**
   * `a.b` in `a.b.name`: what stands before the last dot, when it is a chain of names, `this`, `super` or a call of them (`make().name` as
   * `make()`). Absent for a bare name; `?` for any other expression.
   */
  readonly receiver?: string | undefined;
  /** The name of the type of the receiver, where the file itself says it (annotation, `new X`, `this`). */
  readonly receiverType?: string | undefined;
}

/** The receiver of a key of an object or of a pattern: a member of the type that the place asks for. Where that has none, it is no use. */
export const KEY = '{}';
/** The same of a pattern, and of a text that names a member (`T['a']`): it never declares the member itself. */
export const PATTERN_KEY = '{}=';

/** The same of a name that is both key and value, `{a}`: where the type has no such member the name is that of the value. */
export const SHORT_KEY = '{}:';

/** The type of the receiver of a name that a comment links to: a type, a value and a namespace of that name alike. */
export const LINKED = '@';

export function isKey(receiver: string | undefined): boolean {
  return receiver === KEY || receiver === PATTERN_KEY || receiver === SHORT_KEY;
}
