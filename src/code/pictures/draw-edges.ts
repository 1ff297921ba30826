import type {SymbolEdges} from '../code-graph.ts';
import {dot} from './dot.ts';
import {edgePicture, type PictureFormat} from './edge-picture.ts';
import {mermaid} from './mermaid.ts';
import {svg} from './svg.ts';

/** The edges of a symbol as a picture. What stands in names and paths has no power in any of the formats. */
export function drawEdges(edges: SymbolEdges, format: PictureFormat): string {
  return DRAW[format](edgePicture(edges));
}

const DRAW = {mermaid, dot, svg};
