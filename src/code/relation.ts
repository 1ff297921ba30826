import type {CodeSymbol, Range} from './symbol.ts';

/** How one symbol has to do with another (zblade tool calls › symbol_graph, `relationship_type`). */
export const RELATION_KINDS = ['call', 'import', 'export', 'extends', 'implements', 'contains', 'reference', 'uses_type'] as const;

export type RelationKind = (typeof RELATION_KINDS)[number];

/** One edge of the graph. A target that could not be resolved keeps its name. */
export interface Relation {
  readonly kind: RelationKind;
  /** Absent where the use stands in no symbol, at the top of a file. */
  readonly source?: CodeSymbol;
  readonly targetName: string;
  readonly target?: CodeSymbol;
  /** What the use means as well: members of the same name that other alternatives of a union have. */
  readonly others?: readonly CodeSymbol[];
  /** Where the use is written. */
  readonly path: string;
  readonly range: Range;
}
