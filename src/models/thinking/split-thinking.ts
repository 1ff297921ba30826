import {closingIn, openingOf, strayClosing, THINKING_TAGS} from './thinking-tags.ts';

export interface SplitText {
  readonly thoughts: string;
  readonly answer: string;
}

/**
 * Separates the reasoning at the beginning of a text from the answer after it; undefined if there is none. If the chat template has already
 * written the opening tag, the text begins inside the reasoning and has only the closing one; `mayBeginInside` allows that reading. Unclosed
 * reasoning takes the whole text. Tags further down in an answer are part of it.
 */
export function splitThinking(text: string, mayBeginInside: boolean): SplitText | undefined {
  const thoughts: string[] = [];
  let rest = text.trimStart();
  let isSplit = false;
  for (;;) {
    const opened = openingOf(rest);
    const stray = opened === undefined || opened === 'perhaps' ? strayLength(rest) : undefined;
    if (typeof opened === 'object') {
      const inside = rest.slice(opened.open.length);
      const end = closingIn(inside, opened);
      thoughts.push(end < 0 ? inside : inside.slice(0, end));
      rest = end < 0 ? '' : inside.slice(end + opened.close.length).trimStart();
    } else if (stray !== undefined) rest = rest.slice(stray).trimStart();
    else break;
    isSplit = true;
  }
  if (isSplit) return {thoughts: joined(thoughts), answer: rest};
  return mayBeginInside ? splitInside(text) : undefined;
}

function strayLength(rest: string): number | undefined {
  const stray = strayClosing(rest);
  if (stray !== 'perhaps') return stray;
  return THINKING_TAGS.some(({close}) => rest.toLowerCase() === close) ? rest.length : undefined;
}

/** The text up to the first closing tag, if it ends the reasoning and is not just mentioned. */
function splitInside(text: string): SplitText | undefined {
  const lower = text.toLowerCase();
  const found = THINKING_TAGS.map(({open, close}) => ({open, close, at: lower.indexOf(close)})).filter(({at}) => at >= 0);
  const [first] = found.sort((a, b) => a.at - b.at);
  if (first === undefined) return undefined;
  const [before, after] = [text.slice(0, first.at), text.slice(first.at + first.close.length)];
  if (lower.slice(0, first.at).includes(first.open) || isInCode(before) || !endsReasoning(before, after)) return undefined;
  return {thoughts: before.trim(), answer: after.trimStart()};
}

/** Alone on its line; or without white space between the tag and the words on both sides; or after a sentence, at the end of a line. */
function endsReasoning(before: string, after: string): boolean {
  const endsLine = /^[ \t]*(?:\n|$)/.test(after);
  if (/(?:^|\n)[ \t]*$/.test(before)) return endsLine || /^[^\s`'"),.;:]/.test(after);
  if (endsLine) return /[.!?…。！？)\]*`][ \t]*$/.test(before) || /[^\s`'"([{]$/.test(before);
  return /[^\s`'"([{]$/.test(before) && /^[^\s`'"),.;:\]}]/.test(after);
}

/** An open code fence, or inline code that is open on the last line. */
function isInCode(before: string): boolean {
  const fences = before.match(/^ {0,3}(?:```|~~~)/gm)?.length ?? 0;
  const ticks = before.slice(before.lastIndexOf('\n') + 1).match(/`/g)?.length ?? 0;
  return fences % 2 === 1 || ticks % 2 === 1;
}

function joined(thoughts: readonly string[]): string {
  return thoughts
    .map((thought) => thought.trim())
    .filter((thought) => thought !== '')
    .join('\n');
}
