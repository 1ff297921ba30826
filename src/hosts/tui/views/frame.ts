import type {Line} from '../cells/line.ts';
import {cutLine} from '../cells/wrap-line.ts';
import {isFinal, type Entry} from '../model/entry.ts';
import {MARKDOWN_START, type Printed} from '../model/printed.ts';
import type {ScreenState} from '../model/screen-state.ts';
import type {Frame} from '../surface/surface.ts';
import {bottomLines} from './bottom-lines.ts';
import {entryLines, needsGap} from './entry-lines.ts';
import type {EntryView} from './entry-view.ts';
import {renderStream} from './markdown/render-markdown.ts';
import {stableLength} from './markdown/stable-length.ts';

export interface DrawnFrame extends Frame {
  /** Tells the state which rows are in the scrollback once the frame is on the screen. */
  readonly printed: Printed;
}

/** Draws a frame: rows that became final go above, once; rows that may still change stay below, over the input line. */
export function frameOf(state: ScreenState): DrawnFrame {
  const {columns, rows} = state.size;
  const {lines: above, printed} = finalLines(state);
  const bottom = bottomLines(state);
  const room = Math.max(0, rows - bottom.lines.length);
  const running = room === 0 ? [] : runningLines({...state, printed}).slice(-room);
  const live = [...running, ...bottom.lines].map((line) => cutLine(line, columns));
  const cursor = bottom.cursor === undefined ? undefined : {row: bottom.cursor.row + running.length, column: bottom.cursor.column};
  return {above: above.map((line) => cutLine(line, columns)), live, cursor, printed};
}

/** The newest rows of the scrollback, for redrawing the screen. */
export function tailLines(state: ScreenState, rows: number): readonly Line[] {
  const {entries, printed} = state;
  const parts: (readonly Line[])[] = [];
  let count = 0;
  for (let at = Math.min(printed.entries, entries.length - 1); at >= 0 && count < rows; at -= 1) {
    const entry = entries[at];
    if (entry === undefined || (at === printed.entries && printed.offset === 0)) continue;
    const part = at === printed.entries && entry.kind === 'answer' ? {...entry, text: entry.text.slice(0, printed.offset)} : entry;
    const lines = withGap(entries[at - 1], entry, entryLines(part, viewOf(state)));
    parts.unshift(lines);
    count += lines.length;
  }
  return parts
    .flat()
    .slice(-rows)
    .map((line) => cutLine(line, state.size.columns));
}

function finalLines(state: ScreenState): {readonly lines: readonly Line[]; readonly printed: Printed} {
  const {entries} = state;
  const lines: Line[] = [];
  let {printed} = state;
  for (let entry = entries[printed.entries]; entry !== undefined; entry = entries[printed.entries]) {
    const rest = isFinal(entry) ? Number.POSITIVE_INFINITY : stableRest(entry, printed);
    if (rest === 0) break;
    const part = partLines({...state, printed}, entry, rest);
    lines.push(...part.lines);
    if (!isFinal(entry)) return {lines, printed: {...printed, offset: printed.offset + rest, markdown: part.markdown}};
    printed = {entries: printed.entries + 1, offset: 0, markdown: MARKDOWN_START};
  }
  return {lines, printed};
}

/** Characters of an answer that arrives whose look does not change any more. */
function stableRest(entry: Entry, {offset, markdown}: Printed): number {
  return entry.kind === 'answer' ? stableLength(entry.text.slice(offset), markdown.fence) : 0;
}

interface Part {
  readonly lines: readonly Line[];
  readonly markdown: Printed['markdown'];
}

/** The rows of the first entry that is not printed, from where it goes on; of an answer `length` characters. */
function partLines(state: ScreenState, entry: Entry, length: number): Part {
  const {entries, printed, size} = state;
  const before = entries[printed.entries - 1];
  if (entry.kind !== 'answer') {
    return {lines: withGap(before, entry, entryLines(entry, viewOf(state))), markdown: MARKDOWN_START};
  }
  const text = entry.text.slice(printed.offset, printed.offset + length);
  const {lines, state: markdown} = renderStream(printed.markdown, text, {width: size.columns});
  return {lines: printed.offset === 0 ? withGap(before, entry, lines) : lines, markdown};
}

function runningLines(state: ScreenState): readonly Line[] {
  const {entries, printed} = state;
  return entries.slice(printed.entries).flatMap((entry, index) => {
    const from = index === 0 ? printed : {entries: printed.entries + index, offset: 0, markdown: MARKDOWN_START};
    return runningPart({...state, printed: from}, entry);
  });
}

interface Running {
  readonly lines: readonly Line[];
  readonly width: number;
  readonly printed: Printed;
}

/** An answer is laid out once for each delta: the keys and the seconds in between find it here. */
const answers = new WeakMap<Entry, Running>();

function runningPart(state: ScreenState, entry: Entry): readonly Line[] {
  const {printed} = state;
  const {columns: width} = state.size;
  const known = entry.kind === 'answer' ? answers.get(entry) : undefined;
  if (known?.width === width && known.printed.offset === printed.offset && known.printed.markdown === printed.markdown) return known.lines;
  const {lines} = partLines(state, entry, Number.POSITIVE_INFINITY);
  answers.set(entry, {lines, width, printed});
  return lines;
}

function withGap(before: Entry | undefined, entry: Entry, lines: readonly Line[]): readonly Line[] {
  return lines.length > 0 && needsGap(before, entry) ? [[], ...lines] : lines;
}

function viewOf({size, now, root, live}: Pick<ScreenState, 'size' | 'now' | 'root' | 'live'>): EntryView {
  return {width: size.columns, rows: size.rows, now, isWhole: false, root, live};
}
