import {stat} from 'node:fs/promises';
import {join} from 'node:path';
import {FettleError} from '../../../base/errors.ts';
import type {CapturedOutput, CommandResult} from '../../../exec/process/command.ts';
import {overrunText} from '../../../exec/process/resource-overrun.ts';
import type {TaskStep} from '../../suite/task.ts';
import {readRewards, type Rewards} from './read-rewards.ts';
import type {RolloutRequest} from '../rollout-request.ts';
import {verifyRules} from '../place/rollout-rules.ts';
import {placeVariables} from '../place/rollout-variables.ts';
import {runConfined} from '../place/run-confined.ts';
import type {ScratchPlace} from '../place/scratch-place.ts';
import {prepareVerification} from './verification-place.ts';

/** The judgement of one step. */
export interface Judgement {
  /** 0 to 1: the mean of the rewards. */
  readonly reward: number;
  readonly rewards: Readonly<Record<string, number>>;
  readonly timedOut: boolean;
  /** One line on rewards that cannot be read, or on a command that did not end by itself. */
  readonly problem?: string | undefined;
  /** Milliseconds. */
  readonly ms: number;
  /** The output of the command, bounded, and how it ended. */
  readonly output: string;
}

interface Verified {
  readonly step: TaskStep;
  readonly signal: AbortSignal;
}

/**
 * Judges what the agent has left: tests are put in place, the command runs in isolation with a HOME of its own, and when all of its processes are
 * gone, the rewards are read. Throws if the verification itself cannot be made: that is nobody's wrong answer.
 */
export async function verifyStep(request: RolloutRequest, place: ScratchPlace, {step, signal}: Verified): Promise<Judgement> {
  const {verify} = step;
  const {home, shown, rewardFiles} = await prepareVerification(request, place, verify);
  const began = join(place.judge, 'began');
  const result = await runConfined(
    {request, place},
    {
      program: 'bash',
      args: ['--norc', '--noprofile', '-c', ENTRY, began, verify.command],
      rules: verifyRules(request, place, shown),
      cwd: place.workdir,
      env: {...placeVariables(request, place, home), ...request.task.place.env, ...verify.env},
      timeoutMs: verify.timeoutS * 1000,
    },
    signal,
  );
  if (result.cancelled) throw new FettleError({code: 'CANCELLED', message: 'Cancelled.'});
  await assertRun(result, began);
  const rewards = await readRewards(rewardFiles);
  const isMissing = rewards.kind === 'none' && rewardFiles.length > 0;
  return judgementOf(result, isMissing ? NO_REWARD : rewards, verify.timeoutS);
}

/** Silence is not success: a verification that is to write rewards, and was cut off before, may have ended with 0. */
const NO_REWARD: Rewards = {kind: 'broken', problem: 'The verification wrote no reward.'};

/** Notes that the command itself began, in a folder that no agent has seen, and becomes it. */
const ENTRY = ': >"$0" && exec bash --norc --noprofile -c "$1"';

/** Throws UNAVAILABLE if the command did not run, or if something outside has killed it. */
async function assertRun(result: CommandResult, began: string): Promise<void> {
  const hasBegun = await stat(began).then(
    () => true,
    () => false,
  );
  const wasKilled = result.signal !== null && !result.timedOut && result.overrun === undefined;
  if (hasBegun && !wasKilled) return;
  const said = textOf(result.stderr).split('\n').at(-1) ?? '';
  throw new FettleError({
    code: 'UNAVAILABLE',
    message: hasBegun ? `The verification was ended from outside by ${result.signal}.` : `The verification could not be started: ${said}`,
    hint: 'Run it again.',
  });
}

/** Judges the end of a verification and the rewards that it has left. */
export function judgementOf(result: CommandResult, found: Rewards, timeoutS: number): Judgement {
  const problem = problemOf(result, found, timeoutS);
  const rewards = result.timedOut
    ? {reward: 0}
    : found.kind === 'rewards'
      ? found.rewards
      : {reward: problem === undefined && result.exitCode === 0 ? 1 : 0};
  return {
    reward: mean(Object.values(rewards)),
    rewards,
    timedOut: result.timedOut,
    problem,
    ms: result.durationMs,
    output: [textOf(result.stdout), textOf(result.stderr), `[${problem ?? `exit code ${result.exitCode}`}]`]
      .filter((part) => part !== '')
      .join('\n'),
  };
}

function problemOf({timedOut, overrun}: CommandResult, found: Rewards, timeoutS: number): string | undefined {
  if (timedOut) return `The verification did not end in ${timeoutS} s.`;
  if (overrun !== undefined) return `The verification ${overrunText(overrun)}.`;
  return found.kind === 'broken' ? found.problem : undefined;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

function textOf({head, tail}: CapturedOutput): string {
  return tail === '' ? head.trimEnd() : `${head}\n[…]\n${tail}`.trimEnd();
}
