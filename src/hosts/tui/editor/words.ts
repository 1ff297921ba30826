import type {Edited} from './atoms.ts';
import {stopFrom, previousStop, nextStop} from './atoms.ts';
import {markersIn} from './paste-marker.ts';

/** The end of the word that the cursor is in or in front of; the end of the text if none follows. */
export function wordEndAfter(edited: Edited, at: number): number {
  const word = wordsIn(edited).find(({end}) => end > at);
  return word === undefined ? edited.text.length : stopFrom(edited, word.end);
}

/** The beginning of the word at or before the cursor; 0 if there is none. */
export function wordStartBefore(edited: Edited, at: number): number {
  const start = wordsIn(edited).findLast(({start}) => start < at)?.start ?? 0;
  return previousStop(edited, nextStop(edited, start));
}

interface Word {
  readonly start: number;
  readonly end: number;
}

/** Letters, digits and `_`; a marker is a word. Scripts that write without blanks are parted as a dictionary says (UAX 29). */
function wordsIn({text, pastes}: Edited): readonly Word[] {
  const words: Word[] = [];
  let plain = 0;
  for (const {marker, at} of markersIn(text, pastes)) {
    words.push(...plainWords(text.slice(plain, at), plain), {start: at, end: at + marker.length});
    plain = at + marker.length;
  }
  return [...words, ...plainWords(text.slice(plain), plain)];
}

function plainWords(text: string, offset: number): readonly Word[] {
  return Array.from(text.matchAll(WORD), ({0: word, index}) => ({word, at: offset + index})).flatMap(({word, at}) =>
    UNSPACED.test(word) ? dictionaryWords(word, at) : [{start: at, end: at + word.length}],
  );
}

function dictionaryWords(text: string, offset: number): readonly Word[] {
  segmenter ??= new Intl.Segmenter(undefined, {granularity: 'word'});
  return Array.from(segmenter.segment(text), ({segment, index}) => ({start: offset + index, end: offset + index + segment.length}));
}

const WORD = /[\p{L}\p{N}\p{M}_\u200c\u200d]+/gu;
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** Made at the first such word: it loads a dictionary. */
let segmenter: Intl.Segmenter | undefined;
