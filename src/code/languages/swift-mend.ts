import {blanks, inPlace} from './blanks.ts';

/**
 * Swift that the grammar does not know, in words that it does, each place where it was: branches of `#if` (each is whole by itself: The Swift
 * Programming Language, "Conditional Compilation Block"), `#available`, macros, raw strings, names with spaces, words for ownership and isolation.
 */
export function mendSwift(text: string): string {
  return text.replaceAll(PIECES, (piece: string) => rewritten(piece));
}

/** Comments and strings are found, so that nothing within them is. */
const PIECES = new RegExp(
  [
    /\/\/[^\n]*/,
    /\/\*(?:[^]*?\*\/|[^]*)/,
    /"""(?:\\[^]|[^\\])*?"""/,
    /"(?:[^"\\\n]|\\.)*"/,
    /(?<many>#{1,9})"""(?:[^]*?"""\k<many>|[^]*)/,
    /(?<one>#{1,9})"(?:.*?"\k<one>|.*)/,
    /^[ \t]*#(?:if|elseif|else|endif|warning|error|sourceLocation)\b.*/,
    /#(?:un)?available\s*\([^()]*\)/,
    /#[A-Za-z]\w*/,
    /`[^`\n]*`/,
    /@_\w+\b|@\w+<[^<>\n]*>(?=\s+@?_)/,
    /\bnonisolated\(\w+\)/,
    /(?<=[:(>]\s{0,3})(?:sending|consuming|borrowing|__owned|__shared)\s+(?=[@A-Z([])/,
    /~(?=[A-Z])/,
  ]
    .map(({source}) => source)
    .join('|'),
  'gmu',
);

function rewritten(piece: string): string {
  if (piece.startsWith('/') || piece.startsWith('"')) return piece;
  if (piece.startsWith('`')) return piece.replaceAll(/[^\w`]+/gu, (signs) => '_'.repeat(signs.length));
  if (/^#+"""/u.test(piece)) return rawText(piece, '"""');
  if (/^#+"/u.test(piece)) return rawText(piece, '"');
  if (/^#(?:un)?available/u.test(piece)) return inPlace('true', piece);
  if (VALUES.has(piece)) return inPlace('""', piece);
  if (PARTS.has(piece)) return blanks(piece);
  return /^\s*#(?:if|else|end|warn|err|source)/u.test(piece) || !piece.startsWith('#') ? blanks(piece) : ` ${piece.slice(1)}`;
}

const VALUES: ReadonlySet<string> = new Set([
  '#file',
  '#fileID',
  '#filePath',
  '#function',
  '#line',
  '#column',
  '#dsohandle',
  '#fileLiteral',
]);
/** What stands in brackets behind them is an expression. */
const PARTS: ReadonlySet<string> = new Set(['#selector', '#keyPath']);

/** Empty, for what stands in it may look like its end; the end itself may be missing. */
function rawText(piece: string, quotes: string): string {
  const marks = piece.indexOf('"');
  const end = quotes + ' '.repeat(marks);
  if (piece.length < 2 * end.length) return blanks(piece);
  return ' '.repeat(marks) + quotes + blanks(piece.slice(end.length, -end.length)) + end;
}
