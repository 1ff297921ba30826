import {hash} from 'node:crypto';
import {realpath} from 'node:fs/promises';
import {basename, dirname, join} from 'node:path';
import {isFettleError} from '../../../base/errors.ts';
import {isJsonObject, parseJson} from '../../../base/json.ts';
import {readPrivateFile, writePrivateFile} from '../../../config/private-file.ts';
import {runGit} from '../../../exec/process/run-git.ts';
import {importFiles} from '../imports/import-files.ts';
import {importScript} from '../imports/solving-script.ts';
import type {SuiteFacts} from '../suite-facts.ts';
import type {SuiteTask} from '../task.ts';
import {taskDigest} from '../task-digest.ts';
import {kindAt, readTaskBytes, taskProblem} from '../task-text.ts';
import {readInstance, type SweInstance} from './instance.ts';
import {GIT_VARIABLES, patchedTests} from './patched-tests.ts';

/** One line of the file: an instance with the line on which it stands, or the problem of the line. */
export type InstanceLine = {readonly line: number; readonly id: string} & ({readonly instance: SweInstance} | {readonly problem: string});

/** Reads the lines of a JSONL file. An id that comes again is a problem of the later line. @throws FettleError CONFIG if it cannot be read */
export async function readInstances(file: string): Promise<readonly InstanceLine[]> {
  const text = (await readTaskBytes(file, MAX_FILE_BYTES)).toString('utf8').replace(/^\uFEFF/, '');
  const seen = new Map<string, number>();
  return text.split('\n').flatMap((source, index): InstanceLine[] => {
    if (source.trim() === '') return [];
    const line = index + 1;
    const read = readInstance(source);
    if (typeof read === 'string') return [{line, id: `line-${line}`, problem: `${file}:${line}: ${read}`}];
    const first = seen.get(read.id);
    if (first !== undefined) return [{line, id: `line-${line}`, problem: `${file}:${line}: ${read.id} is already on line ${first}`}];
    seen.set(read.id, line);
    return [{line, id: read.id, instance: read}];
  });
}

const MAX_FILE_BYTES = 512 * 1024 * 1024;

/**
 * Makes a task of an instance: the starting tree is its commit of the local mirror, a folder `repos/OWNER__NAME` beside the file; its tests are
 * the files that `test_patch` leaves, put in place after the agent; all named tests must pass. Nothing is installed: what a repository needs must
 * be on the machine. @throws FettleError CONFIG, CANCELLED
 */
export async function readSweTask(
  instance: SweInstance,
  {file, facts}: {file: string; facts: SuiteFacts},
  signal: AbortSignal,
): Promise<SuiteTask> {
  const mirror = await mirrorOf(dirname(file), instance.repo);
  const isThere = mirror !== undefined && (await hasCommit(mirror, instance.commit, signal));
  const hidden = isThere ? await hiddenTests(instance, mirror, {facts, signal}) : undefined;
  const run = testRun(instance);
  const verify = {command: run.command, tests: [], testsAt: '.', rewardFiles: [], timeoutS: 1800, env: {}};
  const task = {
    steps: [
      {
        name: 'task',
        prompt: `Resolve this issue of the project in the working folder. Hidden tests decide whether it is resolved.\n\n${instance.problem}`,
        setUp: [],
        verify,
      },
    ],
    start: {kind: 'git', repository: mirror ?? '', commit: instance.commit},
    place: {kind: 'folder', workdir: '.', env: {}, copies: [], network: false, mcpServers: []},
    limits: {agentTimeS: 1800},
  } as const;
  const removed = hidden?.removed ?? [];
  const command = `${removed.length === 0 ? '' : `rm -f -- ${removed.map(quoted).join(' ')} && `}${run.command}`;
  return {
    ...task,
    steps: task.steps.map((step) => ({...step, verify: {...verify, command, tests: hidden === undefined ? [] : [hidden.folder]}})),
    id: instance.id,
    format: 'swe-bench',
    // The commit and the patch say what the hidden tests are, also where there is no mirror.
    digest: await taskDigest({...task, notes: [instance.testPatch, ...instance.tests]}, signal),
    lacks: [
      ...mirrorLacks(instance, mirror, isThere),
      ...run.needs.filter((name) => !facts.programs.has(name)).map((name) => `${name} is not on PATH.`),
      ...run.lacks,
    ],
    labels: {repo: instance.repo, ...(instance.version === undefined ? {} : {version: instance.version})},
    script: instance.patch === undefined ? undefined : await patchScript(instance.patch, facts),
  };
}

const NAMES_FILE = '.fettle-test-names';

interface HiddenTests {
  readonly folder: string;
  readonly removed: readonly string[];
}

/** Made once for each commit and patch: suites are read often, and git takes its time. */
async function hiddenTests(
  {commit, testPatch: patch, tests}: SweInstance,
  repository: string,
  {facts: {importsFolder}, signal}: {facts: SuiteFacts; signal: AbortSignal},
): Promise<HiddenTests> {
  const note = join(importsFolder, `${hash('sha256', JSON.stringify([commit, patch, tests])).slice(0, 32)}.json`);
  const known = parseJson((await readPrivateFile(note)) ?? '');
  if (isJsonObject(known) && typeof known['folder'] === 'string' && Array.isArray(known['removed'])) {
    const folder = join(await realpath(importsFolder), known['folder']);
    if ((await kindAt(folder)) === 'folder') return {folder, removed: known['removed'].map(String)};
  }
  const {files, removed} = await patchedTests({repository, commit, patch, scratch: importsFolder}, signal);
  const names = {path: NAMES_FILE, bytes: Buffer.from(`${tests.join('\n')}\n`)};
  const folder = await importFiles(importsFolder, [...files, names]);
  await writePrivateFile(note, JSON.stringify({folder: basename(folder), removed}));
  return {folder, removed};
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

async function mirrorOf(folder: string, repo: string): Promise<string | undefined> {
  const [owner = '', name = ''] = repo.split('/');
  for (const place of [`${owner}__${name}`, `${owner}__${name}.git`, `${owner}/${name}`, `${owner}/${name}.git`]) {
    const path = join(folder, 'repos', place);
    const kind = await kindAt(path);
    if (kind === 'folder') return path;
    if (kind === 'file') throw taskProblem(`${path}: a file where the mirror is expected`);
  }
  return undefined;
}

async function hasCommit(repository: string, commit: string, signal: AbortSignal): Promise<boolean> {
  try {
    await runGit({cwd: repository, args: ['cat-file', '-e', `${commit}^{commit}`], env: GIT_VARIABLES, signal});
    return true;
  } catch (error) {
    if (isFettleError(error) && error.code !== 'CANCELLED' && error.code !== 'UNAVAILABLE') return false;
    throw error;
  }
}

function mirrorLacks({repo, commit}: SweInstance, mirror: string | undefined, isThere: boolean): readonly string[] {
  if (mirror === undefined) return [`No mirror of ${repo}: git clone --mirror it to repos/${repo.replace('/', '__')}.git beside the file.`];
  return isThere ? [] : [`The mirror of ${repo} has no commit ${commit.slice(0, 12)}; fetch it.`];
}

interface TestRun {
  readonly command: string;
  readonly needs: readonly string[];
  readonly lacks: readonly string[];
}

/** Names of pytest can be run as they are. Others mean something to the project's own command alone, whose exit code then decides. */
function testRun({tests, testCommand}: SweInstance): TestRun {
  if (tests.every((name) => /^[^-\s][^\n]*\.py(?:::|$)/.test(name))) {
    return {
      command: `tr '\\n' '\\0' < ${NAMES_FILE} | xargs -0 python3 -m pytest -q -p no:cacheprovider`,
      needs: ['python3', 'pytest'],
      lacks: [],
    };
  }
  if (testCommand !== undefined) return {command: testCommand, needs: [], lacks: []};
  return {command: 'false', needs: [], lacks: ['Its tests are not those of pytest, and it has no test_cmd to run them.']};
}

async function patchScript(patch: string, {importsFolder}: SuiteFacts): Promise<string> {
  const content = patch.endsWith('\n') ? patch : `${patch}\n`;
  const command = 'git apply --whitespace=nowarn known-solution.patch && rm known-solution.patch';
  return await importScript(importsFolder, [
    [
      {name: 'write', arguments: {path: 'known-solution.patch', content}},
      {name: 'bash', arguments: {command}},
    ],
  ]);
}
