import {createControlFilter} from './control-filter.ts';
import {escapedChar} from './escape-invisible.ts';

/** Makes text visible that arrives in pieces, as {@link visibleText} does with the whole. */
export interface VisibleStream {
  /** Takes the next piece; returns it as a terminal may show it. */
  push(piece: string): string;
  /** Returns the held-back text: half a character, or half a line end. */
  end(): string;
}

/**
 * Text that a terminal can show without being steered by it. Line feeds and tabs stay; control sequences (ECMA-48: CSI, OSC, DCS, APC, PM, SOS,
 * in their 7-bit and 8-bit forms) are removed as a whole, other control characters too; a carriage return is a line end. Invisible and
 * direction-changing characters, which make text look like other text, are escaped (`\u202e`). Joiners and variation selectors stay where
 * scripts and emoji need them (Unicode 23.2: Persian, the scripts of India, "woman + joiner + laptop"); of many marks on one letter only the
 * first are kept.
 */
export function visibleText(text: string): string {
  if (!UNUSUAL.test(text)) return text;
  const stream = createVisibleStream();
  return stream.push(text) + stream.end();
}

export function createVisibleStream(): VisibleStream {
  const controls = createControlFilter();
  let before = '';
  let marks = 0;
  let isFirst = true;
  const show = (text: string): string => {
    if (!UNUSUAL.test(text)) {
      if (text !== '') [before, marks, isFirst] = [text.slice(-1), 0, false];
      return text;
    }
    let shown = '';
    for (const char of text) {
      const isMark = MARK.test(char);
      marks = isMark ? marks + 1 : 0;
      if (marks <= MOST_MARKS && !(isFirst && char === '\ufeff'))
        shown += HIDDEN.test(char) && !isNeeded(char, before) ? escapedChar(char) : char;
      // A selector between a picture and a joiner does not count.
      if (char !== '\ufe0f') before = char;
      isFirst = false;
    }
    return shown;
  };
  // Text between the halves of a character may have been removed: then they are joined, as in a text that comes at once.
  let half = '';
  const push = (text: string): string => {
    const all = half + text;
    half = /[\ud800-\udbff]$/.exec(all)?.[0] ?? '';
    return show(all.slice(0, all.length - half.length));
  };
  const end = (): string => {
    const rest = push(controls.end()) + show(half);
    half = '';
    return rest;
  };
  return {push: (piece) => push(controls.push(piece)), end};
}

/**
 * Text of a stranger for a model: nothing is left out, and everything that acts unseen is escaped: controls (except line feed and tab),
 * invisible and direction-changing characters, tags, marks beyond the eighth on one letter. CR LF is one line end.
 */
export function explicitText(text: string): string {
  if (!UNUSUAL.test(text)) return text;
  return text
    .replaceAll('\r\n', '\n')
    .replaceAll(UNSEEN, (char, at: number, whole: string) =>
      JOINING.test(char) && isNeeded(char, charBefore(whole, at)) ? char : escapedChar(char),
    )
    .replaceAll(FLOOD, (marks, letters: string) => letters + Array.from(marks.slice(letters.length), escapedChar).join(''));
}

function charBefore(text: string, at: number): string {
  const before = text.slice(Math.max(0, at - 3), at).replace(/\ufe0f$/, '');
  return /.$/su.exec(before)?.[0] ?? '';
}

/** Anything but printable ASCII, tab and line feed. */
const UNUSUAL = /[^\t\n\x20-\x7e]/;

const MARK = /\p{M}/u;
/** More marks than any script puts on one letter. */
const MOST_MARKS = 8;

/** Invisible characters, those that change the direction of text, line separators, and halves of characters. */
const HIDDEN = /[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\u2028\u2029\ufff9-\ufffb\u2800]|\p{Surrogate}/u;

/** Characters of which `isNeeded` can be true. */
const JOINING = /\u180b|\u180c|\u180d|\u180f|\u200c|\u200d|\ufe0e|\ufe0f|[\u{e0100}-\u{e01ef}]/u;
/** HIDDEN, and controls but tab and line feed. Literals cost nothing at the start: they are compiled when they are used. */
const UNSEEN = /[^\P{Cc}\t\n]|[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\u2028\u2029\ufff9-\ufffb\u2800]|\p{Surrogate}/gu;
/** Behind MOST_MARKS. */
const FLOOD = /((?:^|\P{M})\p{M}{8})\p{M}+/gu;

function isNeeded(char: string, before: string): boolean {
  if (char === '\u200c' || char === '\u200d') return JOINED.test(before);
  if (char === '\ufe0e' || char === '\ufe0f') return PICTURE.test(before);
  if (/[\u{e0100}-\u{e01ef}]/u.test(char)) return /\p{Script=Han}/u.test(before);
  return /[\u180b-\u180d\u180f]/.test(char) && /\p{Script=Mongolian}/u.test(before);
}

/** Letters and signs after which a joiner changes the form of what it joins; elsewhere it is only invisible. */
const JOINED =
  /^[\u{1f3fb}-\u{1f3ff}\p{Extended_Pictographic}\ufe0f\p{scx=Arab}\p{scx=Syrc}\p{scx=Deva}\p{scx=Beng}\p{scx=Guru}\p{scx=Gujr}\p{scx=Orya}\p{scx=Taml}\p{scx=Telu}\p{scx=Knda}\p{scx=Mlym}\p{scx=Sinh}\p{scx=Mong}]$/u;

const PICTURE = /^[\p{Extended_Pictographic}\p{Emoji}\p{So}\p{Sm}\u{1f3fb}-\u{1f3ff}]$/u;
