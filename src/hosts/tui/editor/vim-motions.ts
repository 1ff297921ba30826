import {lineAround, nextStop, previousStop} from './atoms.ts';
import type {EditorState} from './editor-state.ts';
import type {VimCommand} from './vim-command.ts';

/** What `f`, `t`, `F` or `T` looked for; `;` and `,` repeat it. */
export interface VimFind {
  readonly kind: string;
  readonly char: string;
}

/** The part of the text that a motion covers, from the smaller offset on. */
export interface VimReach {
  /** Where the cursor goes. */
  readonly to: number;
  readonly from: number;
  readonly end: number;
  readonly isLines: boolean;
}

/** Where a motion leads; undefined where it finds nothing. */
export function vimReach(state: EditorState, command: VimCommand, find: VimFind | undefined): VimReach | undefined {
  const {cursor} = state;
  const {what, count, operator} = command;
  if (what === 'iw') return innerWord(state);
  if (LINES.includes(what)) return lines(state, lineReached(state, command));
  // vim › cw: on a word it leaves the blanks behind the word alone.
  const isChange = what === 'w' && operator === 'c' && classAt(state, cursor) !== 'blank';
  const motion = isChange ? 'e' : what;
  const to =
    motion === 'e' || motion === 'w' || motion === 'b'
      ? isChange
        ? changedWordEnd(state, count)
        : times(state, count, WORDS[motion])
      : placed(state, command, find);
  if (to === undefined) return undefined;
  const [from, last] = [Math.min(cursor, to), Math.max(cursor, to)];
  const isInclusive = motion === 'e' || isForwardFind(what, find);
  const end = isInclusive ? nextStop(state, last) : last;
  // vim › w: an operator leaves the line feed behind the last word alone.
  const kept = operator !== undefined && motion === 'w' ? (/\n\s*$/.exec(state.text.slice(from, end))?.[0].length ?? 0) : 0;
  return {to, from, end: end - kept, isLines: false};
}

const LINES = ['line', 'j', 'k', 'G', 'gg'];

/** The offset of a place within the line. */
function placed(state: EditorState, {what, count, char}: VimCommand, find: VimFind | undefined): number | undefined {
  const {text, cursor} = state;
  const {start, end} = lineAround(text, cursor);
  switch (what) {
    case 'h':
      return Math.max(start, times(state, count, previousStop));
    case 'l':
      return Math.min(end, times(state, count, nextStop));
    case '0':
      return start;
    case '^':
      return start + (/^[ \t]*/.exec(text.slice(start, end))?.[0].length ?? 0);
    case '$':
      return end;
    case ';':
    case ',':
      return find === undefined ? undefined : found(state, what === ';' ? find : turned(find), {count, isRepeat: true});
    default:
      return char === undefined ? undefined : found(state, {kind: what, char}, {count, isRepeat: false});
  }
}

function found(state: EditorState, {kind, char}: VimFind, {count, isRepeat}: {count: number; isRepeat: boolean}): number | undefined {
  const {text, cursor} = state;
  const {start, end} = lineAround(text, cursor);
  const isForward = kind === 'f' || kind === 't';
  const isShort = kind === 't' || kind === 'T';
  // Repeated, `t` does not stay in front of the same character.
  let at = isShort && isRepeat ? (isForward ? nextStop(state, cursor) : previousStop(state, cursor)) : cursor;
  for (let left = count; left > 0; left--) {
    at = isForward ? text.indexOf(char, nextStop(state, at)) : at <= start ? -1 : text.lastIndexOf(char, at - 1);
    if (at < start || at >= end) return undefined;
  }
  if (!isShort) return at;
  return isForward ? previousStop(state, at) : nextStop(state, at);
}

function isForwardFind(what: string, find: VimFind | undefined): boolean {
  const kind = what === ',' && find !== undefined ? turned(find).kind : what === ';' ? find?.kind : what;
  return kind === 'f' || kind === 't';
}

function turned({kind, char}: VimFind): VimFind {
  const isSmall = kind === kind.toLowerCase();
  return {kind: isSmall ? kind.toUpperCase() : kind.toLowerCase(), char};
}

/** The offset in the line that is the other end of the part. */
function lineReached(state: EditorState, {what, count, counted, operator}: VimCommand): number {
  const {text, cursor} = state;
  if (what === 'G' || what === 'gg') return counted ? lineStart(text, count) : what === 'gg' ? 0 : lineAround(text, text.length).start;
  const steps = what === 'line' ? count - 1 : count;
  const isUp = what === 'k';
  let at = lineAround(text, cursor).start;
  for (let left = operator === undefined ? 0 : steps; left > 0; left--) {
    const next = isUp ? at - 1 : lineAround(text, at).end + 1;
    if (next < 0 || next > text.length) break;
    at = lineAround(text, next).start;
  }
  return at;
}

/** The beginning of a line by its number, of the last one where there are fewer. */
function lineStart(text: string, number: number): number {
  let at = 0;
  for (let line = 1; line < number && lineAround(text, at).end < text.length; line++) at = lineAround(text, at).end + 1;
  return at;
}

function lines({text, cursor}: EditorState, to: number): VimReach {
  const from = lineAround(text, Math.min(cursor, to)).start;
  return {to, from, end: lineAround(text, Math.max(cursor, to)).end, isLines: true};
}

function innerWord(state: EditorState): VimReach {
  const {text, cursor} = state;
  const line = lineAround(text, cursor);
  const kind = classAt(state, cursor);
  let [from, end] = [cursor, Math.min(line.end, nextStop(state, cursor))];
  while (from > line.start && classAt(state, previousStop(state, from)) === kind) from = previousStop(state, from);
  while (end < line.end && classAt(state, end) === kind) end = nextStop(state, end);
  return {to: from, from, end, isLines: false};
}

/** The end of the word that the cursor is in, and of those after it. */
function changedWordEnd(state: EditorState, count: number): number {
  const kind = classAt(state, state.cursor);
  let at = state.cursor;
  while (kind !== 'end' && classAt(state, nextStop(state, at)) === kind) at = nextStop(state, at);
  return times({...state, cursor: at}, count - 1, WORDS.e);
}

type Step = (state: EditorState, at: number) => number;

function times(state: EditorState, count: number, step: Step): number {
  let at = state.cursor;
  for (let left = count; left > 0; left--) {
    const next = step(state, at);
    if (next === at) break;
    at = next;
  }
  return at;
}

const WORDS: Readonly<Record<'w' | 'e' | 'b', Step>> = {
  w(state, at) {
    const kind = classAt(state, at);
    let to = at;
    while ((kind === 'word' || kind === 'sign') && classAt(state, to) === kind) to = nextStop(state, to);
    while (classAt(state, to) === 'blank') to = nextStop(state, to);
    return to;
  },
  e(state, at) {
    let to = nextStop(state, at);
    while (classAt(state, to) === 'blank') to = nextStop(state, to);
    const kind = classAt(state, to);
    while (kind !== 'end' && classAt(state, nextStop(state, to)) === kind) to = nextStop(state, to);
    return to;
  },
  b(state, at) {
    let to = previousStop(state, at);
    while (to > 0 && classAt(state, to) === 'blank') to = previousStop(state, to);
    const kind = classAt(state, to);
    while (to > 0 && kind !== 'blank' && classAt(state, previousStop(state, to)) === kind) to = previousStop(state, to);
    return to;
  },
};

/** Runs of one class are words of vim; a marker is like a letter. */
function classAt(state: EditorState, at: number): 'blank' | 'word' | 'sign' | 'end' {
  if (at >= state.text.length) return 'end';
  const atom = state.text.slice(at, nextStop(state, at));
  if (/^\s/.test(atom)) return 'blank';
  return /^[\p{L}\p{N}\p{M}_]/u.test(atom) || state.pastes.has(atom) ? 'word' : 'sign';
}
