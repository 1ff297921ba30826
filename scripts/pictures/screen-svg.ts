import {graphemes, graphemeWidth} from '../../src/hosts/tui/cells/cell-width.ts';
import type {Line} from '../../src/hosts/tui/cells/line.ts';
import type {Colour, Look} from '../../src/hosts/tui/cells/look.ts';
import {lookOf} from '../../src/hosts/tui/themes/looks.ts';
import {terminalTheme} from '../../src/hosts/tui/themes/terminal-themes.ts';

export interface ScreenPicture {
  readonly columns: number;
  readonly lines: readonly Line[];
  /** Cell of the cursor, from 0. */
  readonly cursor?: {readonly row: number; readonly column: number} | undefined;
  /** For those who do not see it. */
  readonly title: string;
}

/** A screen as a terminal with a dark palette shows it. Every run of cells is as wide as its columns, whatever font the reader has. */
export function screenSvg({columns, lines, cursor, title}: ScreenPicture): string {
  const width = columns * CELL.width + 2 * MARGIN;
  const height = lines.length * CELL.height + 2 * MARGIN;
  const rows = lines.flatMap((line, row) => runsOf(line).flatMap((run) => runElements(run, row)));
  const at = cursor === undefined ? [] : [rect({row: cursor.row, column: cursor.column, columns: 1}, `fill="${TEXT}" opacity="0.6"`)];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="100%" height="100%" rx="8" fill="${BACKGROUND}"/>`,
    `<g font-family="ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace" font-size="13" fill="${TEXT}" xml:space="preserve">`,
    ...rows,
    ...at,
    '</g>',
    '</svg>',
    '',
  ].join('\n');
}

const CELL = {width: 8, height: 18};
const MARGIN = 14;
const LOOKS = terminalTheme('dark', 'true');
const [BACKGROUND, TEXT] = ['#16181d', '#d4d7dd'];
const NORMAL = '#16181d #e06c75 #98c379 #e5c07b #61afef #c678dd #56b6c2 #d4d7dd';
const BRIGHT = '#7f8694 #ff7b86 #a9dc8c #f0d090 #7cc0ff #d894ee #6fd3df #ffffff';
const PALETTE = `${NORMAL} ${BRIGHT}`.split(' ');

interface Run {
  readonly text: string;
  readonly look: Look;
  readonly column: number;
  readonly columns: number;
}

function runsOf(line: Line): readonly Run[] {
  let column = 0;
  return line.map(({text, style}) => {
    const columns = graphemes(text).reduce((sum, grapheme) => sum + graphemeWidth(grapheme), 0);
    const run = {text, look: lookOf(LOOKS, style), column, columns};
    column += columns;
    return run;
  });
}

function runElements({text, look, column, columns}: Run, row: number): readonly string[] {
  const [fg, bg] = look.inverse === true ? [hex(look.bg) ?? BACKGROUND, hex(look.fg) ?? TEXT] : [hex(look.fg), hex(look.bg)];
  const back = bg === undefined ? [] : [rect({row, column, columns}, `fill="${bg}"`)];
  const shown = text.trimEnd();
  if (shown === '') return back;
  const from = text.length - text.trimStart().length;
  const cells = columns - from - (text.length - shown.length);
  const styles = [
    fg === undefined ? '' : ` fill="${fg}"`,
    look.bold === true ? ' font-weight="bold"' : '',
    look.italic === true ? ' font-style="italic"' : '',
    look.dim === true ? ' opacity="0.6"' : '',
    decoration(look),
  ].join('');
  const place = `x="${MARGIN + (column + from) * CELL.width}" y="${MARGIN + row * CELL.height + 13}" textLength="${cells * CELL.width}"`;
  return [...back, `<text ${place}${styles}>${escaped(shown.trimStart())}</text>`];
}

function decoration({underline, strike}: Look): string {
  const names = [underline === true ? 'underline' : '', strike === true ? 'line-through' : ''].filter((name) => name !== '');
  return names.length === 0 ? '' : ` text-decoration="${names.join(' ')}"`;
}

function rect({row, column, columns}: {row: number; column: number; columns: number}, fill: string): string {
  const place = `x="${MARGIN + column * CELL.width}" y="${MARGIN + row * CELL.height}"`;
  return `<rect ${place} width="${columns * CELL.width}" height="${CELL.height}" ${fill}/>`;
}

function hex(colour: Colour | undefined): string | undefined {
  return typeof colour === 'number' ? PALETTE[colour] : colour;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
