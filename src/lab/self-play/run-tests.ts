import {createHash} from 'node:crypto';
import {importFiles} from '../suite/imports/import-files.ts';
import type {SuiteTask, Verification} from '../suite/task.ts';
import type {Decoy} from './decoys.ts';
import {TESTS_AT} from './role-prompts.ts';
import type {ScoreTable} from './score-table.ts';
import type {ScoredTree} from './score-tree.ts';
import type {TestSet} from './test-set.ts';

/** Everything with which the work on a task is judged. */
export interface Judging {
  readonly table: ScoreTable;
  /** Folder for the files of test sets, which no role sees. */
  readonly importsFolder: string;
  /** Runs a verification on a tree; true if it passed. */
  readonly score: (tree: ScoredTree, signal: AbortSignal) => Promise<boolean>;
}

/** The tree that tests are run on. */
export interface TestedTree {
  /** '' for the starting tree. */
  readonly patch: string;
  readonly decoys?: readonly Decoy[];
  /** True: for the second time, whatever came of the first. */
  readonly again?: true;
}

/** Runs a test set on a tree; true if it passed. What the table knows is not run again. */
export type RunTests = (tests: TestSet, tree: TestedTree) => Promise<boolean>;

export function testsRunner(task: SuiteTask, judging: Judging, signal: AbortSignal): RunTests {
  return async ({digest, command, files}, tree) => {
    const folder = await importFiles(judging.importsFolder, files);
    const {timeoutS} = hiddenVerification(task);
    const verify: Verification = {command, tests: [folder], testsAt: TESTS_AT, rewardFiles: [], timeoutS, env: {}};
    return await scored({task, judging, signal}, {tree, verify, tests: digest});
  };
}

/** Runs the verification of the suite on a patched tree; true if it passed. */
export async function passesHidden(
  task: SuiteTask,
  {patch, judging}: {patch: string; judging: Judging},
  signal: AbortSignal,
): Promise<boolean> {
  const verify = hiddenVerification(task);
  return await scored({task, judging, signal}, {tree: {patch}, verify, tests: digestOf(['hidden', task.digest, verify.command])});
}

interface Scoring {
  readonly task: SuiteTask;
  readonly judging: Judging;
  readonly signal: AbortSignal;
}

interface Scored {
  readonly tree: TestedTree;
  readonly verify: Verification;
  /** Digest of the tests. */
  readonly tests: string;
}

async function scored({task, judging, signal}: Scoring, {tree, verify, tests}: Scored): Promise<boolean> {
  signal.throwIfAborted();
  const {patch, decoys = [], again = false} = tree;
  const isPlain = decoys.length === 0 && !again;
  const content = isPlain ? [patch] : [patch, again, ...decoys.map(({path, text}) => [path, text])];
  const pair = {task: task.digest, patch: isPlain && patch === '' ? '' : digestOf(content), tests};
  return await judging.table.score(pair, async () => await judging.score({patch, decoys, verify}, signal));
}

function hiddenVerification({steps}: SuiteTask): Verification {
  return steps[0]?.verify ?? {command: 'false', tests: [], testsAt: '.', rewardFiles: [], timeoutS: 1, env: {}};
}

function digestOf(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
