import {counted} from '../../base/counted.ts';
import {visibleText} from '../../base/visible-text.ts';
import {textTable} from '../report/text/text-table.ts';
import type {TestVerdict} from './choose-patch.ts';
import type {TaskJudgement} from './judge-task.ts';

/** Shows the pairs of a task as a table, what was promoted, and why not more. */
export function playText({task, work, pairs, choice, promoted, rejected, reason}: TaskJudgement): string {
  const {patches, tests} = work;
  const head = ['', 'before', ...patches.map(({attempt}) => `patch ${attempt}`)];
  const rows = tests.map(({attempt}, test) => [
    `tests ${attempt}`,
    word(pairs.before[test]),
    ...patches.map((_, patch) => word(pairs.after[patch]?.[test])),
  ]);
  const sizes = ['lines', '', ...patches.map(({lines}) => String(lines))];
  const table = patches.length === 0 || tests.length === 0 ? [] : textTable(head, [...rows, sizes], WIDTH);
  const judged = table.map((line, at) => `${line}${verdictText(choice.verdicts[at - 1])}`);
  const notes = [...work.unusable, ...rejected].map((note) => `  ${visibleText(note)}`);
  const end = promoted === undefined ? [`  Nothing is promoted: ${reason ?? ''}.`] : promotedLines(promoted, work);
  return `${[task, ...judged, ...notes, ...end].join('\n')}\n`;
}

const WIDTH = 120;

/** Below the head of the table there is a line for each test set. */
function verdictText(verdict: TestVerdict | undefined): string {
  return verdict === undefined ? '' : `  ${VERDICTS[verdict]}`;
}

const VERDICTS: Readonly<Record<TestVerdict, string>> = {
  counts: 'counts',
  'passes-before': 'does not count: passes before',
  'never-passes': 'does not count: passes with no patch',
};

function word(passes: boolean | undefined): string {
  return passes === true ? 'passes' : 'fails';
}

function promotedLines(
  {patch, tests, mutants, noticed, isRight}: NonNullable<TaskJudgement['promoted']>,
  work: TaskJudgement['work'],
): readonly string[] {
  const names = tests.map((test) => work.tests[test]?.attempt ?? 0).join(', ');
  const share = mutants === 0 ? 'no mutations could be made' : `${noticed} of ${counted(mutants, 'mutation')} noticed`;
  return [
    `  Promoted: patch ${work.patches[patch]?.attempt ?? 0}, with tests ${names}; ${share}.`,
    `  The hidden verification ${isRight ? 'passes' : 'fails'}.`,
  ];
}
