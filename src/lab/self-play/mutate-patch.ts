import {patchSections} from './patch-sections.ts';

/** A patch with one line changed so that it should do something else. */
export interface Mutant {
  /** The line as the patch adds or removes it, and as the mutant has it. */
  readonly line: string;
  readonly changed: string;
  readonly patch: string;
}

/**
 * Makes small mutations of the lines that a patch adds, at most `most`, spread over it: comparisons, operators, constants. Where none of these occurs,
 * lines are left out. Where a hunk only removes lines, they are put back. A test that notices none of them does not test the change.
 */
export function mutatePatch(patch: string, most = MOST): readonly Mutant[] {
  const lines = patch.split('\n');
  const added = addedLines(lines);
  const found = added.flatMap((at) => mutations((lines[at] ?? '').slice(1)).map((changed) => ({at, changed})));
  const all = found.length > 0 ? found : added.map((at) => ({at, changed: ''}));
  const mutants = all.map(({at, changed}) => () => ({
    line: (lines[at] ?? '').slice(1),
    changed,
    patch: lines.with(at, `+${changed}`).join('\n'),
  }));
  return spread([...mutants, ...putBack(patch)], most).map((make) => make());
}

/** Makes a patch of thousands of lines only for those mutants that are wanted. */
type MakeMutant = () => Mutant;

/** Patches without one of their hunks, for each that only removes lines. */
function putBack(patch: string): readonly MakeMutant[] {
  const sections = patchSections(patch).map(({text}) => text.split(/(?<![^\n])(?=@@ )/));
  return sections.flatMap(([head = '', ...hunks], file) =>
    hunks.flatMap((hunk, at): readonly MakeMutant[] => {
      const lines = hunk.split('\n');
      const removed = lines.find((line) => line.startsWith('-'));
      if (removed === undefined || lines.some((line) => line.startsWith('+'))) return [];
      return [
        () => {
          const rest = hunks.length === 1 ? '' : [head, ...hunks.filter((_, n) => n !== at)].join('');
          const whole = sections.map((parts, n) => (n === file ? rest : parts.join('')));
          return {line: removed.slice(1), changed: removed.slice(1), patch: whole.join('')};
        },
      ];
    }),
  );
}

const MOST = 8;

/** Numbers of the lines that a patch adds, without empty ones and comments. */
function addedLines(lines: readonly string[]): readonly number[] {
  let inHunk = false;
  return lines.flatMap((line, at) => {
    if (line.startsWith('diff --git ')) inHunk = false;
    else if (line.startsWith('@@ ')) inHunk = true;
    return inHunk && line.startsWith('+') && !/^\+\s*(?:$|\/[/*]|\*|#|--)/.test(line) ? [at] : [];
  });
}

/** Changes a line in each way that does something else, as far as its text shows. */
export function mutations(line: string): readonly string[] {
  return OPERATORS.flatMap(([pattern, into]) => {
    const changed = line.replace(pattern, into);
    return changed === line ? [] : [changed];
  });
}

const OPERATORS: readonly (readonly [RegExp, (found: string) => string])[] = [
  [/===|!==/, (found) => (found === '===' ? '!==' : '===')],
  [/(?<![=!<>])[=!]=(?!=)/, (found) => (found === '==' ? '!=' : '==')],
  [/(?<=\s)(?:<=?|>=?)(?=\s)/, (found) => ({'<': '>=', '<=': '>', '>': '<=', '>=': '<'})[found] ?? found],
  [/&&|\|\|/, (found) => (found === '&&' ? '||' : '&&')],
  [/(?<=[\w)\]"'] )[+\-*/](?= [\w("'-])/, (found) => ({'+': '-', '-': '+', '*': '+', '/': '*'})[found] ?? found],
  [/\b(?:true|false|True|False)\b/, (found) => ({true: 'false', false: 'true', True: 'False', False: 'True'})[found] ?? found],
  [/(?<= )(?:and|or)(?= )/, (found) => (found === 'and' ? 'or' : 'and')],
  [/(?<![\w.])\d{1,9}(?![\w.])/, (found) => String(Number(found) + 1)],
];

/** Returns at most `most` of them, evenly over the list. */
export function spread<T>(all: readonly T[], most: number): readonly T[] {
  if (all.length <= most) return all;
  return all.filter((_, at) => Math.floor((at * most) / all.length) !== Math.floor(((at - 1) * most) / all.length));
}
