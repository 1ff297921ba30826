import {createHash} from 'node:crypto';
import {importFiles} from '../suite/imports/import-files.ts';
import type {SuiteTask, Verification} from '../suite/task.ts';
import {choosePatch, type Choice, type Pairs} from './choose-patch.ts';
import {mutatePatch} from './mutate-patch.ts';
import type {CleanPatch} from './patch-sections.ts';
import {TESTS_AT} from './role-prompts.ts';
import type {ScoreTable} from './score-table.ts';
import type {ScoredTree} from './score-tree.ts';
import type {TestSet} from './test-set.ts';

/** The usable work of the roles on one task. */
export interface TaskWork {
  readonly task: SuiteTask;
  readonly patches: readonly (CleanPatch & {readonly attempt: number})[];
  readonly tests: readonly (TestSet & {readonly attempt: number})[];
  /** Answers that cannot be used, one line each. */
  readonly unusable: readonly string[];
}

/** Everything with which the work on a task is judged. */
export interface Judging {
  readonly table: ScoreTable;
  /** Folder for the files of test sets, which no role sees. */
  readonly importsFolder: string;
  /** Runs a verification on a tree; true if it passed. */
  readonly score: (tree: ScoredTree, signal: AbortSignal) => Promise<boolean>;
}

/** The judgement of one task. */
export interface TaskJudgement {
  readonly task: string;
  readonly work: TaskWork;
  readonly pairs: Pairs;
  readonly choice: Choice;
  readonly promoted: Promoted | undefined;
  /** Why nothing was promoted. */
  readonly reason: string | undefined;
}

export interface Promoted {
  /** Indexes in the work. */
  readonly patch: number;
  readonly tests: readonly number[];
  readonly mutants: number;
  /** Mutants that at least one promoted test set noticed. */
  readonly noticed: number;
  /** The verification of the suite passes with the patch. It decides nothing. */
  readonly isRight: boolean;
}

/** Scores all pairs of patches and tests, chooses a patch, and checks its tests by mutations of it. */
export async function judgeTask(work: TaskWork, judging: Judging, signal: AbortSignal): Promise<TaskJudgement> {
  const call = {work, judging, signal};
  const before = await forEach(work.tests, async (tests) => await passes(call, '', tests));
  const after = await forEach(
    work.patches,
    async ({patch}) => await forEach(work.tests, async (tests) => await passes(call, patch, tests)),
  );
  const pairs = {lines: work.patches.map(({lines}) => lines), before, after};
  const choice = choosePatch(pairs);
  const base = {task: work.task.id, work, pairs, choice};
  if (choice.patch === undefined) return {...base, promoted: undefined, reason: reasonOf(work, choice)};
  const checked = await checkTests(call, {pairs, choice, patch: choice.patch});
  if (checked.mutants > 0 && checked.noticed === 0) {
    return {...base, promoted: undefined, reason: `none of its tests notices any of ${checked.mutants} mutations of the best patch`};
  }
  const {command, ...hidden} = verifyOf(work.task);
  const patch = work.patches[choice.patch]?.patch ?? '';
  const digest = digestOf(['hidden', work.task.digest, command]);
  const isRight = await scored(call, {patch, verify: {...hidden, command}}, digest);
  return {...base, promoted: {patch: choice.patch, ...checked, isRight}, reason: undefined};
}

interface Call {
  readonly work: TaskWork;
  readonly judging: Judging;
  readonly signal: AbortSignal;
}

interface Chosen {
  readonly pairs: Pairs;
  readonly choice: Choice;
  readonly patch: number;
}

/** Test sets that notice no mutation are not promoted: they pass with anything that has changed. */
async function checkTests(call: Call, {pairs, choice, patch}: Chosen): Promise<Pick<Promoted, 'tests' | 'mutants' | 'noticed'>> {
  const {work} = call;
  const passing = work.tests.flatMap((_, test) =>
    choice.verdicts[test] === 'counts' && pairs.after[patch]?.[test] === true ? [test] : [],
  );
  const mutants = mutatePatch(work.patches[patch]?.patch ?? '');
  const rows = await forEach(
    mutants,
    async (mutant) =>
      await forEach(passing, async (test) => {
        const tests = work.tests[test];
        return tests !== undefined && !(await passes(call, mutant.patch, tests));
      }),
  );
  const noticing = passing.filter((_, at) => rows.some((row) => row[at] === true));
  return {
    tests: mutants.length === 0 ? passing : noticing,
    mutants: mutants.length,
    noticed: rows.filter((row) => row.includes(true)).length,
  };
}

async function passes(call: Call, patch: string, {digest, command, files}: TestSet): Promise<boolean> {
  const folder = await importFiles(call.judging.importsFolder, files);
  const verify: Verification = {
    command,
    tests: [folder],
    testsAt: TESTS_AT,
    rewardFiles: [],
    timeoutS: verifyOf(call.work.task).timeoutS,
    env: {},
  };
  return await scored(call, {patch, verify}, digest);
}

async function scored({work: {task}, judging, signal}: Call, tree: ScoredTree, tests: string): Promise<boolean> {
  signal.throwIfAborted();
  const patch = tree.patch === '' ? '' : digestOf([tree.patch]);
  return await judging.table.score({task: task.digest, patch, tests}, async () => await judging.score(tree, signal));
}

function verifyOf({steps}: SuiteTask): Verification {
  return steps[0]?.verify ?? {command: 'false', tests: [], testsAt: '.', rewardFiles: [], timeoutS: 1, env: {}};
}

function reasonOf({patches, tests}: TaskWork, {verdicts}: Choice): string {
  if (patches.length === 0) return 'there is no patch';
  if (tests.length === 0) return 'there are no tests';
  return verdicts.includes('counts')
    ? 'no patch passes more than half of the tests that count'
    : 'no tests fail before and pass with a patch';
}

function digestOf(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/** One after the other: all trees of a task have the same place. */
async function forEach<From, To>(items: readonly From[], make: (item: From) => Promise<To>): Promise<To[]> {
  const made: To[] = [];
  for (const item of items) made.push(await make(item));
  return made;
}
