/**
 * The named nodes of one parsed text, as columns: node `n` is row `n`, in the order of the text, a parent before its children, the root
 * first. Copied out of the parser once, because a question to the parser costs more than a hundred questions to an array.
 */
export interface Syntax {
  readonly text: string;
  readonly grammar: Grammar;
  readonly count: number;
  /** Index into `grammar.types`; {@link ERROR_TYPE} where the parser did not understand. */
  readonly type: Uint16Array;
  /** Index into `grammar.fields`; 0 for none. */
  readonly field: Uint8Array;
  /** Offsets in UTF-16 units. */
  readonly start: Int32Array;
  readonly end: Int32Array;
  /** -1 for the root. */
  readonly parent: Int32Array;
  /** The first row behind the node and all that is in it. */
  readonly after: Int32Array;
  /** The parser met something that it does not understand. */
  readonly broken: boolean;
}

/** The words of a grammar. */
export interface Grammar {
  readonly types: readonly string[];
  readonly fields: readonly string[];
}

export const ERROR_TYPE = 65_535;

/** The name of a node's type: `call_expression`. */
export function typeOf(syntax: Syntax, node: number): string {
  return syntax.grammar.types[syntax.type[node] ?? ERROR_TYPE] ?? 'ERROR';
}

/** The field under which the node stands in its parent; empty for none. */
export function fieldOf(syntax: Syntax, node: number): string {
  return syntax.grammar.fields[syntax.field[node] ?? 0] ?? '';
}

/** Where the node begins and ends, as offsets in UTF-16 units. */
export function startOf(syntax: Syntax, node: number): number {
  return syntax.start[node] ?? 0;
}

export function endOf(syntax: Syntax, node: number): number {
  return syntax.end[node] ?? 0;
}

export function textOf(syntax: Syntax, node: number): string {
  return syntax.text.slice(syntax.start[node], syntax.end[node]);
}

export function parentOf(syntax: Syntax, node: number): number {
  return syntax.parent[node] ?? -1;
}

/** The row behind the last descendant. */
export function afterOf(syntax: Syntax, node: number): number {
  return syntax.after[node] ?? syntax.count;
}

/** The first child in this field; -1 for none, and for node -1. */
export function childIn(syntax: Syntax, node: number, field: string): number {
  if (node < 0) return -1;
  const end = afterOf(syntax, node);
  for (let child = node + 1; child < end; child = afterOf(syntax, child)) if (fieldOf(syntax, child) === field) return child;
  return -1;
}

/** The first child of this type; -1 for none, and for node -1. */
export function childOf(syntax: Syntax, node: number, ...types: readonly string[]): number {
  if (node < 0) return -1;
  const end = afterOf(syntax, node);
  for (let child = node + 1; child < end; child = afterOf(syntax, child)) if (types.includes(typeOf(syntax, child))) return child;
  return -1;
}

export function childrenOf(syntax: Syntax, node: number): number[] {
  const children: number[] = [];
  if (node < 0) return children;
  const end = afterOf(syntax, node);
  for (let child = node + 1; child < end; child = afterOf(syntax, child)) children.push(child);
  return children;
}

/** The nearest ancestor of one of these types; -1 for none. */
export function ancestorOf(syntax: Syntax, node: number, ...types: readonly string[]): number {
  let at = parentOf(syntax, node);
  while (at >= 0 && !types.includes(typeOf(syntax, at))) at = parentOf(syntax, at);
  return at;
}

/** The innermost node around the offset whose text is not empty, a leaf where there is one. */
export function nodeAt(syntax: Syntax, offset: number): number {
  let found = -1;
  for (let node = 0; node < syntax.count;) {
    const inside = (syntax.start[node] ?? 0) <= offset && offset < (syntax.end[node] ?? 0);
    if (inside) found = node;
    node = inside ? node + 1 : afterOf(syntax, node);
  }
  return found;
}
