import {counted} from '../../base/counted.ts';
import {textTable, wrapped} from '../report/text/text-table.ts';
import type {TestVerdict} from './choose-patch.ts';
import type {TaskJudgement} from './judge-task.ts';

/** Shows the pairs of a task as a table in lines of at most `width` columns, what was promoted, and why not more. */
export function playText(judgement: TaskJudgement, width = 80): string {
  const {task, work, choice, promoted, rejected, reason} = judgement;
  const faults = work.tests.flatMap(({attempt}, at) => {
    const fault = FAULTS[choice.verdicts[at] ?? 'counts'];
    return fault === undefined ? [] : [`test ${attempt}: does not count, since it ${fault}`];
  });
  const end = promoted === undefined ? [`Nothing is promoted: ${reason ?? ''}.`] : promotedLines(promoted, work);
  const notes = [...work.unusable, ...faults, ...rejected, ...end].flatMap((note) => wrapped(note, width - INDENT));
  return `${[task, ...pairTables(judgement, width), ...notes.map((note) => `  ${note}`)].join('\n')}\n`;
}

const INDENT = 2;

/** A column for each patch and a row for each test set; of more patches than fit beside each other, several tables. */
function pairTables({work: {patches, tests}, pairs}: TaskJudgement, width: number): readonly string[] {
  if (tests.length === 0) return [];
  const most = Math.max(1, Math.floor((width - FIRST_COLUMNS) / PATCH_COLUMN));
  const starts = patches.flatMap((_, at) => (at % most === 0 ? [at] : []));
  return starts.flatMap((start) => {
    const shown = patches.slice(start, start + most).map(({attempt, lines}, n) => ({attempt, lines, at: start + n}));
    const head = ['', 'before', ...shown.map(({attempt}) => `fix ${attempt}`)];
    const rows = tests.map(({attempt}, test) => [
      `test ${attempt}`,
      word(pairs.before[test]),
      ...shown.map(({at}) => word(pairs.after[at]?.[test])),
    ]);
    return textTable(head, [...rows, ['changed lines', '', ...shown.map(({lines}) => String(lines))]], width);
  });
}

/** Widths of the names with the column `before`, and of a column of a patch. */
const FIRST_COLUMNS = 24;
const PATCH_COLUMN = 8;

const FAULTS: Readonly<Record<TestVerdict, string | undefined>> = {
  counts: undefined,
  'passes-before': 'passes before any patch',
  'never-passes': 'passes with no patch',
  unsteady: 'gave another result when it was run again',
  'reads-sources': 'reads the text of the sources: a comment in them changes its result',
};

function word(passes: boolean | undefined): string {
  return passes === true ? 'pass' : 'fail';
}

function promotedLines(
  {patch, tests, mutants, noticed, isRight}: NonNullable<TaskJudgement['promoted']>,
  work: TaskJudgement['work'],
): readonly string[] {
  const names = tests.map((test) => work.tests[test]?.attempt ?? 0).join(', ');
  const share = `${noticed} of ${counted(mutants, 'mutation')} noticed`;
  return [
    `Promoted: fix ${work.patches[patch]?.attempt ?? 0}, with ${tests.length === 1 ? 'test' : 'tests'} ${names}; ${share}.`,
    `The hidden verification ${isRight ? 'passes' : 'fails'}.`,
  ];
}
