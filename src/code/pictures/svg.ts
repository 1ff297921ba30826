import type {EdgePicture, PictureEdge, PictureNode} from './edge-picture.ts';

/** A picture in three columns that a browser shows by itself: what uses the symbol, the symbol, what it uses. Follows light and dark. */
export function svg(picture: EdgePicture): string {
  const {centre, incoming, outgoing} = picture;
  const width = {
    left: columnWidth(incoming.map(({node}) => node)),
    centre: columnWidth([centre]),
    right: columnWidth(outgoing.map(({node}) => node)),
  };
  const rows = Math.max(incoming.length, outgoing.length, 1);
  const height = rows * ROW + 2 * MARGIN;
  const x = {left: MARGIN, centre: MARGIN + (width.left === 0 ? 0 : width.left + GAP), right: 0};
  x.right = x.centre + width.centre + GAP;
  const total = (width.right === 0 ? x.centre + width.centre : x.right + width.right) + MARGIN;
  const middle = height / 2;
  const left = placed(incoming, height);
  const right = placed(outgoing, height);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${total} ${height}" width="${total}" height="${height}" role="img">`,
    `<title>${escaped(centre.name)}</title>`,
    STYLE,
    MARKER,
    ...left.map(({edge, y}) => arrow({from: [x.left + width.left, y], to: [x.centre, middle], label: edge.label, isIncoming: true})),
    ...right.map(({edge, y}) => arrow({from: [x.centre + width.centre, middle], to: [x.right, y], label: edge.label, isIncoming: false})),
    ...left.map(({edge, y}) => box(edge.node, {x: x.left, y, width: width.left})),
    box(centre, {x: x.centre, y: middle, width: width.centre}, 'centre'),
    ...right.map(({edge, y}) => box(edge.node, {x: x.right, y, width: width.right})),
    '</svg>\n',
  ].join('\n');
}

const ROW = 52;
const BOX = 38;
const MARGIN = 12;
const GAP = 150;
/** Of the widest sign of a proportional font at 12 px, on average. */
const SIGN = 7.2;
const STYLE =
  '<style>:root{color-scheme:light dark}rect{fill:#f6f8fa;stroke:#8c959f}.centre{fill:#ddf4ff;stroke:#0969da;stroke-width:2}path.edge{fill:none;stroke:#8c959f}text{font:12px system-ui,sans-serif;fill:#1f2328}.place,.label{font-size:10px;fill:#59636e}.label{paint-order:stroke;stroke:Canvas;stroke-width:4px}@media(prefers-color-scheme:dark){rect{fill:#161b22;stroke:#6e7681}.centre{fill:#0c2d6b;stroke:#4493f8}text{fill:#e6edf3}.place,.label{fill:#9198a1}}</style>';
const MARKER =
  '<defs><marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0 8 4 0 8z" fill="#8c959f"/></marker></defs>';

interface PlacedEdge {
  readonly edge: PictureEdge;
  readonly y: number;
}

function placed(edges: readonly PictureEdge[], height: number): PlacedEdge[] {
  const top = (height - edges.length * ROW) / 2;
  return edges.map((edge, row) => ({edge, y: top + (row + 0.5) * ROW}));
}

function columnWidth(nodes: readonly PictureNode[]): number {
  if (nodes.length === 0) return 0;
  return Math.ceil(Math.max(...nodes.map(({name, place}) => Math.max(name.length * SIGN, place.length * SIGN * 0.85)))) + 20;
}

function box({name, place}: PictureNode, at: {readonly x: number; readonly y: number; readonly width: number}, style?: string): string {
  const middle = at.x + at.width / 2;
  const text = (y: number, kind: string, words: string): string =>
    `<text x="${middle}" y="${y}" text-anchor="middle"${kind}>${escaped(words)}</text>`;
  return [
    `<rect x="${at.x}" y="${at.y - BOX / 2}" width="${at.width}" height="${BOX}" rx="6"${style === undefined ? '' : ` class="${style}"`}/>`,
    text(place === '' ? at.y + 4 : at.y - 2, '', name),
    ...(place === '' ? [] : [text(at.y + 12, ' class="place"', place)]),
  ].join('');
}

interface Arrow {
  readonly from: readonly [number, number];
  readonly to: readonly [number, number];
  readonly label: string;
  readonly isIncoming: boolean;
}

function arrow({from: [x1, y1], to: [x2, y2], label, isIncoming}: Arrow): string {
  const bend = (x1 + x2) / 2;
  // At its outer end, where every arrow has a row of its own.
  const [x, y, anchor] = isIncoming ? [x1 + 8, y1, 'start'] : [x2 - 12, y2, 'end'];
  return [
    `<path class="edge" d="M${x1} ${y1}C${bend} ${y1} ${bend} ${y2} ${x2} ${y2}" marker-end="url(#tip)"/>`,
    `<text class="label" x="${x}" y="${y - 5}" text-anchor="${anchor}">${escaped(label)}</text>`,
  ].join('');
}

function escaped(text: string): string {
  // XML 1.0 allows no control signs but tab and line ends; a name has one line.
  return text
    .replace(/\s+/g, ' ')
    .replace(/[^\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD')
    .replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
