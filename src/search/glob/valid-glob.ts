import {FettleError} from '../../base/errors.ts';

/**
 * Throws BAD_ARGS for a glob that ripgrep refuses: a `[` or `{` that is never closed, a `}` that closes nothing, a range that runs backwards, a
 * backslash at the end. A shell takes such signs as text; where that finds nothing, it was a mistake.
 */
export function requireValidGlob(glob: string): void {
  const problem = problemOf(glob.replace(/^!/, ''));
  if (problem === undefined) return;
  const hint = 'Globs are like *.ts, src/** or *.{c,h}; a backslash before [ ] { } * ? takes them as text.';
  throw new FettleError({code: 'BAD_ARGS', message: `The glob ${JSON.stringify(glob)} is not valid: ${problem}.`, hint});
}

/** The first character of a class is literal, even `]`. */
const TOKEN = /\\[^]|\[(?:[!^]|(?![!^]))[^][^\]]*\]|[^]/gu;

function problemOf(glob: string): string | undefined {
  let open = 0;
  for (const [token] of glob.matchAll(TOKEN)) {
    if (token === '\\') return 'it ends in a backslash';
    if (token === '[') return '"[" has no "]"';
    if (token.startsWith('[') && isBackwards(token.slice(1, -1))) return `the range in ${JSON.stringify(token)} runs backwards`;
    if (token === '{') open += 1;
    if (token === '}') open -= 1;
    if (open < 0) return '"}" has no "{"';
  }
  return open > 0 ? '"{" has no "}"' : undefined;
}

/** Named classes (`[[:alpha:]]`) are for the engine. */
function isBackwards(inside: string): boolean {
  const ranges = inside.includes('[:') ? [] : inside.replace(/^[!^]/, '').matchAll(/([^])-([^])/gu);
  return [...ranges].some(([, first = '', last = '']) => first > last);
}
