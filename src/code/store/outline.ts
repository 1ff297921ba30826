import type {OutlineNode} from '../code-graph.ts';
import {codeSymbol} from './code-symbol.ts';
import {quietSymbols} from '../quiet-name.ts';
import type {StoredFile} from './facts-reader.ts';

/** The symbols of a file as a tree, in the order of the text. */
export function outlineOf(file: StoredFile): OutlineNode[] {
  const quiet = quietSymbols(file.table);
  const nodes = file.table.names.map((_, index): OutlineNode & {children: OutlineNode[]} => ({
    symbol: codeSymbol(file, index),
    children: [],
  }));
  const top: OutlineNode[] = [];
  for (const [index, node] of nodes.entries()) {
    if (quiet[index] === 1) continue;
    const parent = nodes[file.table.parents[index] ?? -1];
    (parent === undefined ? top : parent.children).push(node);
  }
  return top;
}
