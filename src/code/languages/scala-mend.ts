import {blanks, inPlace} from './blanks.ts';

/**
 * Scala that the grammar does not know, in words that it does, each place where it was: arrows of one character, XML, parameters with a type and
 * without brackets, names that are words of version 3 only.
 */
export function mendScala(text: string): string {
  let rewritten = '';
  let [done, failed] = [0, 0];
  for (const {0: piece, index} of text.matchAll(PIECES)) {
    if (index < done) continue;
    const end = piece !== '<' ? index + piece.length : failed < MOST_FAILED ? xmlEnd(text, index) : -1;
    if (end < 0) failed++;
    if (end < 0) continue;
    rewritten += text.slice(done, index) + (piece === '<' ? inPlace('null', text.slice(index, end)) : instead(piece, text.slice(0, index)));
    done = end;
  }
  return rewritten + text.slice(done);
}

/** Comments and strings are found, so that nothing within them is. */
const PIECES = new RegExp(
  [
    /\/\/[^\n]*/,
    /\/\*(?:[^]*?\*\/|[^]*)/,
    /"""(?:[^]*?"""|[^]*)/,
    /"(?:[^"\\\n]|\\.)*"/,
    /<(?=[A-Za-z_][\w:.-]*[\s/>])/,
    / [⇒←]|[⇒←] /,
    /(?:[{(]|=>)\s*(?:implicit\s+)?\w+\s*:\s*[\w.[\]]+(?=\s*=>)/,
    /\b(?:enum|given|then|export|using|end)(?=\s*[(.,)\]:=])/,
  ]
    .map(({source}) => source)
    .join('|'),
  'gu',
);

function instead(piece: string, before: string): string {
  if (/^ ?[⇒←] ?$/u.test(piece)) return piece.includes('⇒') ? '=>' : '<-';
  if (/^[a-z]/u.test(piece)) return `_${piece.slice(1)}`;
  if (!/^(?:[{(]|=>)/u.test(piece)) return piece;
  const line = before.slice(Math.max(before.lastIndexOf('\n') + 1, before.length - 500));
  const at = piece.lastIndexOf(':');
  // There it is the type of the object itself.
  return /\b(?:class|trait|object)\b/u.test(line) ? piece : piece.slice(0, at) + blanks(piece.slice(at));
}

const XML = /<!--(?:[^]*?-->|[^]*)|<(\/?)[\w:.-]+|(\/)?>|[{}]/gu;
const LONGEST_XML = 20_000;
/** Each that has no end costs as much as the longest. */
const MOST_FAILED = 50;
const BEGINS = /(?:^|[=({,>;}\n]|\b(?:return|else|yield))\s*$/u;

/** Behind the element that begins here, -1 where it has no end; what stands in braces is code again. */
function xmlEnd(text: string, start: number): number {
  if (!BEGINS.test(text.slice(Math.max(0, start - 100), start))) return -1;
  const part = text.slice(start, start + LONGEST_XML);
  let [depth, braces] = [0, 0];
  for (const {0: piece, 1: closing, 2: single, index} of part.matchAll(XML)) {
    if (piece === '{') braces++;
    else if (piece === '}') braces--;
    else if (braces === 0) depth += opened(piece, closing, single);
    if (braces < 0 || depth < 0) return -1;
    if (depth === 0 && piece.endsWith('>') && braces === 0) return start + index + piece.length;
  }
  return -1;
}

/** How many elements more are open behind a part of one. */
function opened(piece: string, closing: string | undefined, single: string | undefined): number {
  if (piece.startsWith('<!')) return 0;
  if (closing !== undefined) return closing === '/' ? -1 : 1;
  return single === '/' ? -1 : 0;
}
