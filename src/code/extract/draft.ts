import type {Language} from '../languages/language.ts';
import type {DeclaredKind, ScopeKind} from '../languages/language.ts';
import type {ExportFact, ImportFact} from '../file-facts.ts';
import type {SymbolKind} from '../symbol.ts';
import type {Syntax} from './syntax.ts';

/** The names of one text while they are gathered. */
export interface Draft {
  readonly syntax: Syntax;
  readonly language: Language;
  readonly scopes: DraftScope[];
  /** Scopes by the node that opens them. */
  readonly scopeOf: Map<number, number>;
  readonly bindings: Binding[];
  readonly symbols: DraftSymbol[];
  /** Symbols by their declaration. */
  readonly symbolOf: Map<number, number>;
  readonly imports: DraftImport[];
  readonly exports: DraftExport[];
  /** By node: 0 nothing yet, {@link HANDLED} not a use, else the number of a binding and 1. */
  readonly marks: Int32Array;
  /** The scope that the walk is in. */
  scope: number;
  /** What functions without a declared type give back: the nodes of the values, by the scope of the function. */
  readonly returns: Map<number, number[]>;
  /** How many types of objects without a name were met, by the qualified name of what they are in. */
  readonly quiet: Map<string, number>;
  /** What patterns that take members out are matched with. */
  readonly matched: Map<number, TypeSource>;
}

export const HANDLED = -1;

export interface DraftScope {
  readonly kind: ScopeKind;
  readonly parent: number;
  readonly node: number;
  /** The symbol whose members or parts are declared here; -1 for none. */
  readonly owner: number;
  /** It or one around it is a function or a block: what is declared here is local. */
  readonly inner: boolean;
  readonly names: Map<string, number[]>;
}

export interface Binding {
  readonly name: string;
  /** The node of the name. */
  readonly node: number;
  readonly scope: number;
  /** -1 for a local name. */
  readonly symbol: number;
  /** Index into `imports`; -1 for what is declared here. */
  readonly import: number;
  /** Bits of `SPACE`. */
  readonly space: number;
  readonly source: TypeSource;
}

/** Where the type of a name can be read. */
export interface TypeSource {
  /** Both -1: nowhere. */
  readonly type: number;
  readonly value: number;
  /** The scope in which both are read. */
  readonly scope: number;
  /** What leads from there to the name: `.key`, `[]`, `(0:1)`. */
  readonly steps: string;
  /** The scope of a function whose returned values tell; -1 otherwise. */
  readonly returns: number;
  /** An expression: its place says what type it must have. -1 otherwise. */
  readonly context: number;
}

export const NO_SOURCE: TypeSource = {type: -1, value: -1, scope: 0, steps: '', returns: -1, context: -1};

export interface DraftSymbol {
  readonly name: string;
  readonly kind: SymbolKind;
  readonly parent: number;
  readonly node: number;
  /** With what belongs to the declaration around it. */
  readonly outer: number;
  readonly nameNode: number;
  readonly bodyNode: number;
  readonly source: TypeSource;
  /** The name of the type that it belongs to though it stands outside of it. */
  readonly owner?: string | undefined;
  exported: boolean;
}

export interface DraftImport extends Omit<ImportFact, 'range' | 'localRange'> {
  readonly node: number;
  /** Where the name of this file differs: its node. */
  readonly localNode?: number;
}

export interface DraftExport extends Omit<ExportFact, 'range' | 'aliasRange'> {
  readonly node: number;
  /** Where others see another name: its node. */
  readonly aliasNode?: number;
}

/** What a hook of a language hands in to declare a name. */
export interface NewName {
  readonly kind: DeclaredKind;
  readonly name?: string;
  readonly nameNode: number;
  /** The declaration. */
  readonly node: number;
  readonly bodyNode?: number;
  readonly source?: TypeSource;
  readonly space?: number;
  /** No bare name means it. */
  readonly hidden?: boolean;
  /** The name of the type that it belongs to, when it stands outside of it. It is then no name of its scope. */
  readonly owner?: string | undefined;
  /** Instead of the present scope. */
  readonly scope?: number;
  readonly exported?: boolean;
}
