/** What a symbol can be (zblade tool calls › symbol_search, `kind`). */
export const SYMBOL_KINDS = [
  'function',
  'method',
  'class',
  'struct',
  'interface',
  'type',
  'enum',
  'enum_member',
  'constant',
  'variable',
  'property',
  'module',
  'namespace',
  'import',
  'export',
  'trait',
  'impl',
] as const;

export type SymbolKind = (typeof SYMBOL_KINDS)[number];

/** A place in a text: both from 0; `character` counts UTF-16 units, as language servers do. */
export interface Position {
  readonly line: number;
  readonly character: number;
}

/** From `start` up to and without `end`. */
export interface Range {
  readonly start: Position;
  readonly end: Position;
}

/** A thing with a name that code declares. */
export interface CodeSymbol {
  /** `path::qualified#kind`; the second of two equal ones ends in `~2`, and so on. Stays when lines move. */
  readonly id: string;
  readonly name: string;
  /** With the names of what it is in, joined by `.`: `Server.start`. */
  readonly qualifiedName: string;
  readonly kind: SymbolKind;
  /** From the root of the workspace, with `/`. */
  readonly path: string;
  /** The whole declaration. */
  readonly range: Range;
  /** Its name alone. */
  readonly nameRange: Range;
  /** The symbol that it is in, if any. */
  readonly parentId?: string;
  /** One line: the declaration without its body. */
  readonly signature: string;
  /** The comment that documents it, without its marks. */
  readonly doc?: string;
  /** Seen from outside its file. */
  readonly exported: boolean;
}
