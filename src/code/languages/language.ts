import type {Syntax} from '../extract/syntax.ts';
import type {Draft} from '../extract/draft.ts';
import type {RelationKind} from '../relation.ts';
import type {SymbolKind} from '../symbol.ts';

/** What a language says in which nodes of its grammar. Plain data where that is enough; functions for what only this language has. */
export interface Language {
  /** As in `FileFacts.language`. */
  readonly name: string;
  /** The grammar's folder: `c_sharp`. */
  readonly grammar: string;
  /** With the dot. */
  readonly extensions: readonly string[];
  readonly fileNames?: readonly string[];
  readonly declares: Readonly<Record<string, DeclareRule>>;
  /** Which nodes hold names of their own. */
  readonly scopes: Readonly<Record<string, ScopeKind | ((syntax: Syntax, node: number) => ScopeKind | undefined)>>;
  /** Nodes that are names, and what such a name is where no place says otherwise. `skip`: nothing. */
  readonly names: Readonly<Record<string, NameRule>>;
  /** By `parent.field` (the field may be empty): what a name in this place is. */
  readonly places: Readonly<Record<string, Place>>;
  readonly expressions: Readonly<Record<string, ExpressionRule>>;
  readonly types: Readonly<Record<string, TypeRule>>;
  /** Patterns that bind several names. */
  readonly patterns: Readonly<Record<string, PatternRule>>;
  /** By `parent.field`, as `places`. */
  readonly contexts?: Readonly<Record<string, ContextRule>>;
  /** Nodes that name a member of the object or pattern that they stand in: by their type and that of their parent, how far it is above. */
  readonly keys?: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly comments: readonly string[];
  /** What stands around a declaration and belongs to it: `export`, decorators, the statement of a single declarator. */
  readonly wrappers: readonly string[];
  /** Left out at the beginning of a signature. */
  readonly decorations?: readonly string[];
  /** A name without what the grammar leaves at it. */
  readonly nameOf?: (written: string) => string;
  /** A name behind a dot without what only its use has. */
  readonly memberName?: (written: string) => string;
  /** Literals whose members belong to what is declared with them. */
  readonly transparent?: readonly string[];
  /** Names of parameters that mean the object itself, where that is no word of the grammar. */
  readonly self?: readonly string[];
  /** Words for the type of the class around. */
  readonly selfTypes?: readonly string[];
  /** A bare name may be a member of the class around it. */
  readonly membersInScope?: boolean;
  /** A bare name in the body of a class may be a member of it, but not in its methods. */
  readonly membersInBody?: boolean;
  /** The parameters in the head of a class are known where it is made, but not in its methods. */
  readonly headNames?: boolean;
  /** A function that is used like a property: its name stands for what it gives. */
  readonly isGetter?: (syntax: Syntax, node: number) => boolean;
  /** Each declaration hides the one before it from there on. */
  readonly sequential?: boolean;
  /** Seen from outside its file. `node` is the declaration. */
  readonly exported: (syntax: Syntax, node: number, name: string) => boolean;
  /** The node that documents a declaration from inside (a docstring); -1 for none. */
  readonly docInside?: (syntax: Syntax, node: number) => number;
  /** For nodes that no table describes: imports, exports, assignments that declare. Called before the children are looked at. */
  readonly special?: Readonly<Record<string, (draft: Draft, node: number) => void>>;
  /** A text that the grammar does not understand in words that it does; every character keeps its place. */
  readonly mend?: (text: string) => string;
  /** Of a text that is mended: what may stand anywhere, where the grammar does not expect it, and is parsed by itself; and the text without it. */
  readonly apart?: (text: string) => {readonly text: string; readonly apart: string};
  /** Nodes whose text the grammar leaves as it is: the names in them are read out of it. */
  readonly unparsed?: {
    readonly node: string;
    /** Whether names in this place are looked up there, or are members of something that nobody knows; undefined where they are none. */
    readonly names: (syntax: Syntax, node: number) => 'here' | 'elsewhere' | undefined;
    /** Finds what is a name, as its first group, and what is passed over. */
    readonly words: RegExp;
    readonly isReserved?: (word: string) => boolean;
  };
  /** What the grammar reads as something else without a sign of it: such a text is mended, too. */
  readonly misread?: RegExp;
}

/** `namespace`: its names are symbols. `type`: its names are members. `literal`: members of what is declared with it, if anything. */
export type ScopeKind = 'function' | 'lambda' | 'block' | 'namespace' | 'type' | 'literal';

export interface DeclareRule {
  /** `local`: never a symbol. A function may decline with `undefined`. */
  readonly kind: DeclaredKind | ((syntax: Syntax, node: number) => DeclaredKind | undefined);
  /** A field, by default `name`; or what finds the node, -1 for none. */
  readonly name?: string | Find;
  /** Fields with the declared type; by default `type`, `return_type`. */
  readonly type?: readonly string[] | Find;
  /** The field with the value it starts with; by default `value`. */
  readonly value?: string | Find;
  /** The field where the signature ends; by default `body`. */
  readonly body?: string | Find;
  /** Whether types, values or both are looked up here; by default both. */
  readonly space?: Space;
  /** The value is what the name is an element of (`for … of`). */
  readonly element?: boolean;
  /** What it is called when it has no name of its own. */
  readonly fallback?: string;
  /** It is seen only in the scope that its own node opens: the variable of a loop. */
  readonly inside?: boolean;
  /** The type of the node whose scope it belongs to, where that is not the nearest one. */
  readonly home?: string;
  /** No bare name means it: constructors have the name of their class. */
  readonly hidden?: boolean;
  /** Every child in the field of the name declares one. */
  readonly many?: boolean;
  /** The type that the symbol belongs to though it stands outside of it. */
  readonly owner?: (syntax: Syntax, node: number) => string | undefined;
}

export type DeclaredKind = SymbolKind | 'local';
export type Find = (syntax: Syntax, node: number) => number;

/** Bits: where a name can be looked up. */
export const SPACE = {value: 1, type: 2, both: 3} as const;
export type Space = keyof typeof SPACE;

export interface NameRule {
  readonly use: RelationKind | 'skip';
  readonly space?: Space;
}

/**
 * `climb`: the same as the parent in its own place. `of`: a member of what stands in that field of the parent, or of what is found from the
 * name; a bare name where nothing stands there. It climbs too, unless `use` says what it is.
 */
export type Place =
  | PlainPlace
  /** Only where it is so; `else` where it is not, by default no place. */
  | {readonly when: (syntax: Syntax, parent: number, node: number) => boolean; readonly use: RelationKind; readonly else?: PlainPlace};

export type PlainPlace =
  | RelationKind
  | 'skip'
  | 'climb'
  | {readonly of: string | Find; readonly use?: RelationKind; /** Climb as many nodes. */ readonly up?: number};

/** A field; empty for the first child. */
export type Pick = string | Find;

/** Shapes of expressions, as far as types can be told from them. */
export type ExpressionRule =
  | {readonly is: 'name' | 'this' | 'super' | 'object'}
  | {readonly is: 'member'; readonly of: Pick; readonly name: Pick}
  | {
      readonly is: 'call';
      readonly callee: Pick;
      /** A method of it, where the grammar keeps the two apart. */ readonly of?: Pick;
      /** Functions by their names that give the function that they are given. */ readonly same?: RegExp;
    }
  | {readonly is: 'new' | 'cast'; readonly type: Pick}
  | {readonly is: 'index'; readonly of: Pick}
  | {readonly is: 'await' | 'pass' | 'array'; readonly inner?: Pick}
  | {readonly is: 'either'; readonly fields: readonly string[]}
  | {readonly is: 'function'}
  | {readonly is: 'literal'; readonly type: string};

export type TypeRule =
  /** `inner`: what stands for it where it is more than a name. */
  | {readonly is: 'name'; readonly inner?: Pick}
  | {readonly is: 'pass' | 'array'; readonly inner?: Pick}
  | {readonly is: 'generic'; readonly name: Pick; readonly args: Pick}
  | {readonly is: 'either'; readonly by: string}
  /** A name and its arguments in brackets behind it, as children. */
  | {readonly is: 'bracketed'}
  /** Of two types, one on a condition. A member or an element of a type. An object with the members of another type. */
  | {readonly is: 'branches' | 'lookup' | 'mapped'}
  /** A type in a string. */
  | {readonly is: 'quoted'}
  /** What a function says of what it is given, by its result. */
  | {readonly is: 'guard'}
  /** The type of an expression. */
  | {readonly is: 'query'}
  | {readonly is: 'function'};

/**
 * What tells the type that an expression in this place must have. `declared`: what its parent declares. `argument`: the function that is
 * called. `returned`: the function around it. `key`: the object that its parent is a member of, `method`: that it is one of. `element`: the list around it. `beside`: the
 * other side of an assignment. `cast`: the type at the end of the parent. `same`: whatever tells it of the parent.
 */
export type ContextRule = 'declared' | 'argument' | 'returned' | 'key' | 'method' | 'element' | 'beside' | 'cast' | 'same';

/** `through`: its children are patterns. A field is the only child that binds. `key`: a property of that name. */
export type PatternRule =
  /** `lower`: names with a capital are constants that are compared with. */
  | {
      readonly is: 'leaf';
      readonly lower?: boolean;
      /** A name that the function or block has already is used again. */ readonly once?: boolean;
    }
  /** Each child is an element of the value. */
  | {readonly is: 'element'}
  /** Each child has the value in the same place of a list. */
  | {readonly is: 'zip'}
  | {readonly is: 'rest'}
  | {readonly is: 'through'; readonly only?: string; readonly except?: string}
  | {readonly is: 'member'}
  | {readonly is: 'key'; readonly key: string; readonly value: string};
