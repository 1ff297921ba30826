import {lineAround} from './atoms.ts';
import type {InputState} from './editor-state.ts';
import type {VimCommand} from './vim-command.ts';
import {lastOfRun, nextWord, placesIn, runEnd, runStart, wordEnd, wordStart, type Places} from './vim-words.ts';

/** The target of the last `f`, `t`, `F` or `T`; `;` and `,` repeat it. */
export interface VimFind {
  readonly kind: string;
  readonly char: string;
}

/** The part of the text that a motion covers. */
export interface VimReach {
  /** The new place of the cursor. */
  readonly to: number;
  readonly from: number;
  readonly end: number;
  readonly isLines: boolean;
}

/** Computes the range of a motion; undefined if it finds nothing. */
export function vimReach(state: InputState, command: VimCommand, find: VimFind | undefined): VimReach | undefined {
  const places = placesIn(state);
  const {what, operator} = command;
  if (what === 'iw') return innerWord(state, places);
  if (LINES.includes(what)) return lines(state, lineReached(state, command));
  const {cursor} = state;
  const target = targetOf({state, places, command, find});
  if (target === undefined) return undefined;
  const {to, isInclusive} = target;
  const [from, last] = [Math.min(cursor, to), Math.max(cursor, to)];
  const end = isInclusive ? places.next(last) : last;
  // vim › w: an operator does not include the line feed after the last word.
  const kept = operator !== undefined && what === 'w' && !isInclusive ? lineFeedsAtEnd(state.text.slice(from, end)) : 0;
  return {to, from, end: end - kept, isLines: false};
}

const LINES = ['line', 'j', 'k', 'G', 'gg'];

function lineFeedsAtEnd(part: string): number {
  const rest = part.length - part.trimEnd().length;
  const feed = part.indexOf('\n', part.length - rest);
  return feed < 0 ? 0 : part.length - feed;
}

interface From {
  readonly state: InputState;
  readonly places: Places;
  readonly command: VimCommand;
  readonly find: VimFind | undefined;
}

interface Target {
  readonly to: number;
  /** The character there belongs to the part. */
  readonly isInclusive: boolean;
}

function targetOf(from: From): Target | undefined {
  const {what, char} = from.command;
  const motion = MOTIONS[what];
  if (motion !== undefined) return motion(from);
  return char === undefined ? undefined : found(from, {kind: what, char}, false);
}

const MOTIONS: Readonly<Record<string, (from: From) => Target | undefined>> = {
  h: ({state, places, command}) => before(Math.max(lineOf(state).start, times(command.count, state.cursor, places.previous))),
  l: ({state, places, command}) => before(Math.min(lineOf(state).end, times(command.count, state.cursor, places.next))),
  '0': ({state}) => before(lineOf(state).start),
  '^': ({state}) => before(textStart(state)),
  $: ({state}) => before(lineOf(state).end),
  w: (from) => (isWordChanged(from) ? onto(changedWordEnd(from)) : before(stepped(from, nextWord))),
  e: (from) => onto(stepped(from, wordEnd)),
  b: (from) => before(stepped(from, wordStart)),
  ';': (from) => (from.find === undefined ? undefined : found(from, from.find, true)),
  ',': (from) => (from.find === undefined ? undefined : found(from, turned(from.find), true)),
};

/** The first character of the line that is not a blank. */
export function textStart(state: Pick<InputState, 'text' | 'cursor'>): number {
  const {start, end} = lineOf(state);
  return start + (/^[ \t]*/.exec(state.text.slice(start, end))?.[0].length ?? 0);
}

function lineOf({text, cursor}: Pick<InputState, 'text' | 'cursor'>): {readonly start: number; readonly end: number} {
  return lineAround(text, cursor);
}

function before(to: number): Target {
  return {to, isInclusive: false};
}

function onto(to: number): Target {
  return {to, isInclusive: true};
}

function stepped({state, places, command}: From, step: (places: Places, at: number) => number): number {
  return times(command.count, state.cursor, (at) => step(places, at));
}

/** vim › cw: on a word it does not include the blanks after the word. */
function isWordChanged({state, places, command}: From): boolean {
  return command.operator === 'c' && places.classAt(state.cursor) !== 'blank';
}

/** The end of the word that the cursor is in, and of those after it. */
function changedWordEnd({state, places, command}: From): number {
  return times(command.count - 1, lastOfRun(places, state.cursor), (at) => wordEnd(places, at));
}

function times(count: number, from: number, step: (at: number) => number): number {
  let at = from;
  for (let left = count; left > 0; left--) {
    const next = step(at);
    if (next === at) break;
    at = next;
  }
  return at;
}

/** `isRepeat`: `t` does not stay in front of the same character then. */
function found({state, places, command}: From, {kind, char}: VimFind, isRepeat: boolean): Target | undefined {
  const isForward = kind === 'f' || kind === 't';
  const isShort = kind === 't' || kind === 'T';
  const [onward, back] = isForward ? [places.next, places.previous] : [places.previous, places.next];
  const search = isForward ? charBehind : charInFront;
  let at: number | undefined = isShort && isRepeat ? onward(state.cursor) : state.cursor;
  for (let left = command.count; left > 0 && at !== undefined; left--) at = search(state, char, at);
  if (at === undefined) return undefined;
  return {to: isShort ? back(at) : at, isInclusive: isForward};
}

function charBehind(state: InputState, char: string, at: number): number | undefined {
  const to = state.text.indexOf(char, at + 1);
  return to < 0 || to >= lineOf(state).end ? undefined : to;
}

function charInFront(state: InputState, char: string, at: number): number | undefined {
  const to = at <= 0 ? -1 : state.text.lastIndexOf(char, at - 1);
  return to < lineOf(state).start ? undefined : to;
}

function turned({kind, char}: VimFind): VimFind {
  const isSmall = kind === kind.toLowerCase();
  return {kind: isSmall ? kind.toUpperCase() : kind.toLowerCase(), char};
}

/** The offset in the line that is the other end of the part. */
function lineReached({text, cursor}: InputState, {what, count, counted}: VimCommand): number {
  if (what === 'gg' || what === 'G') return counted || what === 'gg' ? lineStart(text, count) : lineAround(text, text.length).start;
  const step = what === 'k' ? previousLine : nextLine;
  return times(what === 'line' ? count - 1 : count, lineAround(text, cursor).start, (at) => step(text, at));
}

/** The beginning of a line by its number, or of the last one if there are fewer. */
function lineStart(text: string, number: number): number {
  return times(number - 1, 0, (at) => nextLine(text, at));
}

function nextLine(text: string, at: number): number {
  const {end} = lineAround(text, at);
  return end < text.length ? end + 1 : at;
}

function previousLine(text: string, at: number): number {
  return at === 0 ? at : lineAround(text, at - 1).start;
}

function lines({text, cursor}: InputState, to: number): VimReach {
  const from = lineAround(text, Math.min(cursor, to)).start;
  return {to, from, end: lineAround(text, Math.max(cursor, to)).end, isLines: true};
}

function innerWord(state: InputState, places: Places): VimReach {
  const line = lineOf(state);
  const from = Math.max(line.start, runStart(places, state.cursor));
  return {to: from, from, end: Math.min(line.end, runEnd(places, state.cursor)), isLines: false};
}
