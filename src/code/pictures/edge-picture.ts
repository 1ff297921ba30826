import type {SymbolEdges} from '../code-graph.ts';
import type {CodeSymbol} from '../symbol.ts';

export const PICTURE_FORMATS = ['mermaid', 'dot', 'svg'] as const;
export type PictureFormat = (typeof PICTURE_FORMATS)[number];

/**
 * One symbol with what uses it on the left and what it uses on the right: each neighbour once, with the kinds of its edges; names that mean
 * nothing known come last.
 */
export interface EdgePicture {
  readonly centre: PictureNode;
  readonly incoming: readonly PictureEdge[];
  readonly outgoing: readonly PictureEdge[];
}

export interface PictureNode {
  readonly name: string;
  /** Where it is; empty for a target that is not known. */
  readonly place: string;
}

export interface PictureEdge {
  readonly node: PictureNode;
  /** `call`, or several: `call, reference`. */
  readonly label: string;
}

export function edgePicture({symbol, incoming, outgoing}: SymbolEdges): EdgePicture {
  return {
    centre: nodeOf(symbol),
    incoming: merged(
      incoming.map(({source, path, kind}) => ({node: source === undefined ? {name: path, place: ''} : nodeOf(source), kind})),
    ),
    outgoing: merged(
      outgoing.map(({target, targetName, kind}) => ({node: target === undefined ? {name: targetName, place: ''} : nodeOf(target), kind})),
    ),
  };
}

function nodeOf({qualifiedName, path, range}: CodeSymbol): PictureNode {
  return {name: qualifiedName, place: `${path}:${range.start.line + 1}`};
}

function merged(edges: readonly {readonly node: PictureNode; readonly kind: string}[]): PictureEdge[] {
  const kinds = new Map<string, {node: PictureNode; labels: Set<string>}>();
  for (const {node, kind} of edges) {
    const key = `${node.place} ${node.name}`;
    const known = kinds.get(key);
    if (known === undefined) kinds.set(key, {node, labels: new Set([kind])});
    else known.labels.add(kind);
  }
  const nodes = [...kinds.values()].toSorted((a, b) => Number(a.node.place === '') - Number(b.node.place === ''));
  return nodes.map(({node, labels}) => ({node, label: [...labels].join(', ')}));
}
