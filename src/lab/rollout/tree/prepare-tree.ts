import {appendFile, rm} from 'node:fs/promises';
import {join, relative, resolve} from 'node:path';
import {FettleError} from '../../../base/errors.ts';
import {runGit} from '../../../exec/process/run-git.ts';
import type {TaskStep} from '../../suite/task.ts';
import {copyInside} from './merge-tests.ts';
import {GIT_CONFIG, gitVariables} from './git-variables.ts';
import type {RolloutRequest} from '../rollout-request.ts';
import {setUpRules} from '../place/rollout-rules.ts';
import {placeVariables} from '../place/rollout-variables.ts';
import {runConfined} from '../place/run-confined.ts';
import type {ScratchPlace} from '../place/scratch-place.ts';

/** Makes the starting tree, with the copies of the place. */
export async function prepareTree({task}: RolloutRequest, place: ScratchPlace, signal: AbortSignal): Promise<void> {
  const {start} = task;
  if (start.kind === 'folder') await copyInside(start.folder, {root: place.work, to: []});
  if (start.kind === 'git') await checkOut(start, place, signal);
  for (const {from, to} of task.place.copies) await copyInside(from, outsidePath(place, task.place.kind, to));
}

/** Copies the files of a step and runs its set-up. @throws FettleError UNAVAILABLE with the line that failed and the end of its output. */
export async function prepareStep(request: RolloutRequest, place: ScratchPlace, {step, signal}: StepCall): Promise<void> {
  if (step.files !== undefined) await copyInside(step.files, {root: place.tree, to: namesOf(relative(place.tree, place.work))});
  for (const line of step.setUp) {
    const result = await runConfined(
      {request, place},
      {
        program: 'bash',
        args: ['--norc', '--noprofile', '-c', line],
        rules: setUpRules(request, place),
        cwd: place.workdir,
        env: {...placeVariables(request, place, place.home), ...request.task.place.env},
        timeoutMs: SET_UP_MS,
      },
      signal,
    );
    if (result.cancelled) throw new FettleError({code: 'CANCELLED', message: 'Cancelled.'});
    if (result.exitCode === 0) continue;
    const said = (result.stderr.tail || result.stderr.head || result.stdout.tail || result.stdout.head).trim().split('\n').at(-1) ?? '';
    const how = result.timedOut ? `did not end in ${SET_UP_MS / 1000} s` : `failed with exit code ${result.exitCode ?? result.signal}`;
    throw new FettleError({
      code: 'UNAVAILABLE',
      message: `The set-up \`${line}\` ${how}: ${said}`,
      hint: 'Run the line by hand in a copy of the starting tree.',
    });
  }
}

interface StepCall {
  readonly step: TaskStep;
  readonly signal: AbortSignal;
}

const SET_UP_MS = 600_000;

/** Returns where a path of the place is outside, as names below a folder of it. Throws CONFIG for one that no scratch folder has. */
function outsidePath(place: ScratchPlace, kind: 'folder' | 'root', path: string): {root: string; to: string[]} {
  const roots: readonly (readonly [string, string])[] =
    kind === 'root'
      ? [
          ['/app', place.tree],
          ['/logs', place.logs],
          ['/tmp', place.temporary],
        ]
      : [['/', place.work]];
  const full = resolve('/', path);
  for (const [at, folder] of roots) {
    const below = relative(at, full);
    if (below !== '..' && !below.startsWith('../')) return {root: folder, to: namesOf(below)};
  }
  const message = `The task copies to ${path}, which is outside of its place.`;
  throw new FettleError({code: 'CONFIG', message, hint: 'Copy to a path below /app or /logs.'});
}

function namesOf(path: string): string[] {
  return path.split('/').filter((name) => name !== '');
}

/** One commit, with nothing of the history: a repository that has the later commits would give the solution away. */
async function checkOut(
  {repository, commit}: {repository: string; commit: string},
  {work}: ScratchPlace,
  signal: AbortSignal,
): Promise<void> {
  const git = async (...args: readonly string[]): Promise<void> => void (await runGit({cwd: work, args, env: gitVariables(), signal}));
  await git('init', '-q', '-b', 'main', '.');
  await git(
    'fetch',
    '-q',
    '--depth=1',
    '--no-tags',
    '--upload-pack',
    'git -c safe.directory=* -c uploadpack.allowAnySHA1InWant=true upload-pack',
    repository,
    commit,
  );
  await git('reset', '-q', '--hard', 'FETCH_HEAD');
  await rm(join(work, '.git', 'FETCH_HEAD'));
  await appendFile(join(work, '.git', 'config'), GIT_CONFIG);
}
