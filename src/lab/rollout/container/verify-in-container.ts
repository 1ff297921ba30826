import {randomBytes} from 'node:crypto';
import {mkdir} from 'node:fs/promises';
import {join, posix} from 'node:path';
import {FettleError} from '../../../base/errors.ts';
import type {CommandResult} from '../../../exec/process/command.ts';
import {runEngine, lastLine} from '../../container/run-engine.ts';
import type {TaskStep, Verification} from '../../suite/task.ts';
import type {RolloutRequest} from '../rollout-request.ts';
import {mergeTests} from '../tree/merge-tests.ts';
import {removeTree} from '../tree/remove-tree.ts';
import {readRewards} from '../verify/read-rewards.ts';
import {judgementOf, type Judgement} from '../verify/verify-step.ts';
import {cleanIn, copyIn, copyOut, execIn, restartBox, stopBox, type Box} from './box.ts';

/**
 * Judges what the agent has left in its container, in which no process of it runs any more: tests are put in place, the command runs, and when all of its
 * processes are gone, too, the rewards are read (Harbor › Verifier). When it returns the container is stopped. Throws UNAVAILABLE if the engine fails; what
 * cannot be run because of what the agent has done to its container has no reward.
 */
export async function verifyIn(
  {task}: RolloutRequest,
  box: Box,
  {step, signal}: {readonly step: TaskStep; readonly signal: AbortSignal},
): Promise<Judgement> {
  const {verify} = step;
  const broken = await putTests(box, verify, signal);
  if (broken !== undefined) {
    const isAgents = (await isRunning(box, signal)) || (await restartBox(box, signal)) !== undefined;
    if (!isAgents) throw notRun(broken);
    return unjudged(`The agent left a container in which nothing can be started: ${broken}`);
  }
  const mark = `began ${randomBytes(9).toString('base64url')}`;
  const result = await execIn(
    box,
    {
      command: ['bash', '--norc', '--noprofile', '-c', ENTRY, mark, verify.command],
      workdir: box.workdir,
      env: {...task.place.env, ...verify.env},
      timeoutMs: verify.timeoutS * 1000,
    },
    signal,
  );
  if (result.cancelled) throw new FettleError({code: 'CANCELLED', message: 'Cancelled.'});
  const [hasBegun, shown] = withoutMark(result, mark);
  const wasKilled = result.signal !== null && !result.timedOut && result.overrun === undefined;
  if (wasKilled || !(await isRunning(box, signal))) throw notRun(lastLine(result.stderr.head));
  if (!hasBegun && !result.timedOut)
    return unjudged(`The verification could not be started after the agent: ${lastLine(result.stderr.head)}`);
  await stopBox(box, signal);
  return judgementOf(shown, await readRewards(await copyRewards(box, verify.rewardFiles, signal)), verify.timeoutS);
}

/** Says that the command itself began, by a word that no agent has seen, and becomes it. */
const ENTRY = 'printf "%s\\n" "$0" >&2 && exec bash --norc --noprofile -c "$1"';

/** Removes what the agent has put where tests and rewards belong, and copies the tests. Returns why nothing can be started any more. */
async function putTests(box: Box, {tests, testsAt, rewardFiles}: Verification, signal: AbortSignal): Promise<string | undefined> {
  const target = posix.resolve(box.workdir, testsAt);
  const rewards = rewardFolders(box, rewardFiles);
  const problem = await cleanIn(box, {remove: [target, ...rewards], make: [box.workdir, target, ...rewards]}, signal);
  if (problem !== undefined || tests.length === 0) return problem;
  const folder = join(box.place.judge, 'tests');
  await removeTree(folder);
  await mkdir(folder, {recursive: true});
  await mergeTests(tests, {root: folder, to: []});
  await copyIn(box, {from: folder, to: target}, signal);
  return undefined;
}

function rewardFolders({workdir}: Box, files: readonly string[]): readonly string[] {
  return [...new Set(files.map((file) => posix.dirname(posix.resolve(workdir, file))))];
}

/** Returns the files of rewards outside of the stopped container. */
async function copyRewards(box: Box, files: readonly string[], signal: AbortSignal): Promise<readonly string[]> {
  const copies = new Map<string, string>();
  for (const [index, from] of rewardFolders(box, files).entries()) {
    const to = join(box.place.judge, `rewards-${index}`);
    await removeTree(to);
    await mkdir(to, {recursive: true});
    await copyOut(box, {from, to}, signal);
    copies.set(from, to);
  }
  return files.map((file) => {
    const path = posix.resolve(box.workdir, file);
    return join(copies.get(posix.dirname(path)) ?? '', posix.basename(path));
  });
}

function withoutMark(result: CommandResult, mark: string): [boolean, CommandResult] {
  const {stderr} = result;
  if (!stderr.head.startsWith(`${mark}\n`)) return [false, result];
  return [true, {...result, stderr: {...stderr, head: stderr.head.slice(mark.length + 1)}}];
}

async function isRunning({containers, name}: Box, signal: AbortSignal): Promise<boolean> {
  const args = ['container', 'inspect', '--format', '{{.State.Running}}', name];
  const {code, stdout} = await runEngine(containers.engine, {args, timeoutMs: INSPECT_MS, accepts: 'all'}, signal);
  return code === 0 && stdout.trim() === 'true';
}

const INSPECT_MS = 60_000;

function notRun(said: string): FettleError {
  const message = `The verification was ended from outside: ${said || 'its container does not run any more'}`;
  return new FettleError({code: 'UNAVAILABLE', message, hint: 'Check the memory limit of the task, and run it again.'});
}

export function unjudged(problem: string): Judgement {
  return {reward: 0, rewards: {reward: 0}, timedOut: false, problem, ms: 0, output: `[${problem}]`};
}
