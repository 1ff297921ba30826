import {blanks} from './blanks.ts';

/**
 * Kotlin that the grammar does not know, in words that it does, each place where it was: `fun interface`, `0..<9`, constructors and
 * delegates on a line of their own, commas at the end of a list, soft keywords as names.
 */
export function mendKotlin(text: string): string {
  return text.replaceAll(PIECES, (piece: string, ...groups: readonly unknown[]) => rewritten(piece, groups));
}

/** `fun interface` is sometimes taken for a function, without a sign of it. */
export const MISREAD = /\bfun\s+interface\b/u;

/** Comments and strings are found, so that nothing within them is. */
const PIECES = new RegExp(
  [
    /\/\/[^\n]*/,
    /\/\*(?:[^]*?\*\/|[^]*)/,
    /"""(?:[^]*?"""|[^]*)/,
    /"(?:[^"\\\n]|\\.)*"/,
    /'(?:[^'\\\n]|\\.)*'/,
    /\bfun(?=\s+interface\b)/,
    /\.\.</,
    /\b(?:annotation|external|inner|data|value)(?=\s*(?:->|[.,)]|=[^=]))/,
    /!(?=i[sn][A-Z])/,
    /\n[ \t]*by\s+(?:lazy|Delegates)\b/,
    /,(?=\s*[)\]])/,
    /\b(class\s+\w+(?:\s*<[^(){}]{0,200}?>)?)((?:\s|@[\w.:]+(?:\([^()]{0,200}\))?|\/\/[^\n]*\n|private|internal|protected|public){1,200}constructor\b)/,
  ]
    .map(({source}) => source)
    .join('|'),
  'gu',
);

function rewritten(piece: string, [head, between]: readonly unknown[]): string {
  if (['fun', ',', '!'].includes(piece)) return blanks(piece);
  if (piece === '..<') return '.. ';
  if (SOFT.has(piece)) return `_${piece.slice(1)}`;
  if (typeof head === 'string' && typeof between === 'string') return head + oneLine(between);
  return piece.startsWith('\n') ? oneLine(piece) : piece;
}

/** Words that are names where nothing is declared. */
const SOFT: ReadonlySet<string> = new Set(['annotation', 'external', 'inner', 'data', 'value']);

/** A line break would end the declaration there. */
function oneLine(text: string): string {
  return text.replaceAll(/\/\/[^\n]*/gu, (comment) => blanks(comment)).replaceAll('\n', ' ');
}
