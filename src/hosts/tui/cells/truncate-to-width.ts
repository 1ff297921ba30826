import {cellWidth, graphemes, graphemeWidth} from './cell-width.ts';

/** The parts of a text that stay when it is too long. */
export type KeptPart = 'start' | 'end' | 'both';

/** The text in at most `width` columns, with an ellipsis for the part that is cut. If both ends stay, the beginning gets two thirds. */
export function truncateToWidth(text: string, width: number, kept: KeptPart): string {
  if (cellWidth(text) <= width) return text;
  if (width <= 1) return width <= 0 ? '' : '…';
  const all = graphemes(text);
  const room = width - 1;
  const front = kept === 'start' ? room : kept === 'end' ? 0 : Math.ceil((room * 2) / 3);
  return `${fitting(all, front).join('')}…${fitting(all.toReversed(), room - front)
    .reverse()
    .join('')}`;
}

function fitting(all: readonly string[], width: number): string[] {
  const fit: string[] = [];
  let used = 0;
  for (const grapheme of all) {
    used += graphemeWidth(grapheme);
    if (used > width) break;
    fit.push(grapheme);
  }
  return fit;
}
