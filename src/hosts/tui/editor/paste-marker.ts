import {counted} from '../../../base/counted.ts';
import type {InputState} from './editor-state.ts';

type Pastes = InputState['pastes'];

export interface FoldedPaste {
  /** The text to insert: a marker, or a short paste itself. */
  readonly text: string;
  readonly pastes: Pastes;
}

/**
 * A long pasted text becomes a marker, and so does one that holds the like of a marker. Control characters but tab and line feed are left out,
 * so that a paste cannot act.
 */
export function foldPaste(pasted: string, {text: around, pastes}: InputState): FoldedPaste {
  const text = withLineFeeds(pasted).replaceAll(CONTROLS, '');
  const lines = text.replace(/\n$/, '').split('\n').length;
  if (lines <= MOST_LINES && text.length <= MOST_CHARACTERS && text.search(MARKER) === -1) return {text, pastes};
  const size = text.length > MOST_CHARACTERS && lines <= MOST_LINES ? counted(text.length, 'character') : counted(lines, 'line');
  const marker = `[paste ${newNumber([around, ...pastes.keys()])}: ${size}]`;
  return {text: marker, pastes: new Map([...pastes, [marker, text]])};
}

/** CR LF and CR are line ends, too. */
export function withLineFeeds(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n');
}

/** The text as it is sent: with the pasted texts in place of the markers. */
export function submittedText({text, pastes}: InputState): string {
  return text.replaceAll(MARKER, (marker) => pastes.get(marker) ?? marker);
}

export function markersIn(text: string, pastes: Pastes): readonly {readonly marker: string; readonly at: number}[] {
  if (pastes.size === 0) return [];
  return Array.from(text.matchAll(MARKER), ({0: marker, index}) => ({marker, at: index})).filter(({marker}) => pastes.has(marker));
}

/** The pasted texts whose markers occur in some of these texts. */
export function pastesNamedIn(texts: readonly string[], pastes: Pastes): Pastes {
  const named = new Set(texts.flatMap((text) => markersIn(text, pastes).map(({marker}) => marker)));
  return new Map([...pastes].filter(([marker]) => named.has(marker)));
}

/** Greater than all numbers in these texts, even if somebody typed them. */
function newNumber(texts: readonly string[]): number {
  const numbers = texts.flatMap((text) => Array.from(text.matchAll(MARKER), ({1: number}) => Number(number)));
  return Math.max(0, ...numbers.filter(Number.isSafeInteger)) + 1;
}

const MOST_LINES = 10;
/** One long line is folded as well: to lay it out at each key would take too long. */
const MOST_CHARACTERS = 4000;

const MARKER = /\[paste (\d+): \d+ (?:line|character)s?\]/g;

// oxlint-disable-next-line no-control-regex -- control characters are what is left out
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
