import {rm, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {toFettleError} from '../../base/errors.ts';
import {addUsage, NO_USAGE, type Usage} from '../../protocol/usage.ts';
import type {TaskStep} from '../suite/task.ts';
import {judgeAgent} from './judge-agent.ts';
import {prepareStep, prepareTree} from './prepare-tree.ts';
import type {FailureKind, RolloutResult} from './rollout.ts';
import type {RolloutRequest} from './rollout-request.ts';
import {runAgent, type AgentRun} from './run-agent.ts';
import {makeScratchPlace, type ScratchPlace} from './scratch-place.ts';
import {takeBase} from './tree-base.ts';
import {verifyStep, type Judgement} from './verify-step.ts';

/**
 * Runs one rollout: the starting tree in a scratch folder, the agent in isolation, the verification where the agent cannot reach. Whatever goes
 * wrong is a result; only a cancelled rollout throws, CANCELLED.
 */
export async function runRollout(request: RolloutRequest, signal: AbortSignal): Promise<RolloutResult> {
  const startedAt = Date.now();
  const run = newRun(request, startedAt);
  let place: ScratchPlace | undefined;
  try {
    place = await makeScratchPlace(request, false);
    await runSteps(request, place, {run, signal});
    return resultOf(run);
  } catch (thrown) {
    const error = toFettleError(thrown);
    if (error.code === 'CANCELLED' && signal.aborted) throw error;
    return resultOf({...run, infrastructure: error.message});
  } finally {
    if (place !== undefined) await rm(place.folder, {recursive: true, force: true});
  }
}

/** What is known about a rollout while it runs. */
interface Run {
  readonly request: RolloutRequest;
  readonly startedAt: number;
  readonly agents: AgentRun[];
  readonly judgements: {readonly name: string; readonly judgement: Judgement}[];
  readonly artifacts: Record<string, string>;
  failure?: {readonly kind: FailureKind; readonly note: string | undefined} | undefined;
  infrastructure?: string | undefined;
}

function newRun(request: RolloutRequest, startedAt: number): Run {
  return {request, startedAt, agents: [], judgements: [], artifacts: {}};
}

interface RunCall {
  readonly run: Run;
  readonly signal: AbortSignal;
}

async function runSteps(request: RolloutRequest, place: ScratchPlace, {run, signal}: RunCall): Promise<void> {
  await prepareTree(request, place, signal);
  for (const [index, step] of request.task.steps.entries()) {
    await prepareStep(request, place, {step, signal});
    const goesOn = await runStep(request, place, {run, step, index, signal});
    if (!goesOn) return;
  }
}

async function runStep(
  request: RolloutRequest,
  place: ScratchPlace,
  {run, step, index, signal}: RunCall & {step: TaskStep; index: number},
): Promise<boolean> {
  const base = await takeBase(place, signal);
  const used = run.agents.reduce((sum, {requests}) => sum + requests, 0);
  const eventFile = join(place.record, `events-${index + 1}.jsonl`);
  const agent = await runAgent(request, place, {step, used, eventFile, signal});
  run.agents.push(agent);
  await keep(run, {name: named('events.jsonl', step, request), file: eventFile, signal});
  await keepText(run, place, {name: named('last-message.txt', step, request), text: agent.answer, signal});
  const end = judgeAgent(agent);
  if (end.kind === 'infrastructure') {
    run.infrastructure = end.note;
    return false;
  }
  await keepText(run, place, {name: named('diff.patch', step, request), text: await base.patch(signal), signal});
  const judgement = await verifyStep(request, place, {step, signal});
  run.judgements.push({name: step.name, judgement});
  await keepText(run, place, {name: named('verify.txt', step, request), text: judgement.output, signal});
  if (judgement.reward < 1)
    run.failure ??= judgement.timedOut ? {kind: 'verify-time-limit', note: undefined} : {kind: end.failure, note: end.note};
  return judgement.reward >= (step.minReward ?? 0);
}

/** With several steps, each has artefacts of its own. */
function named(name: string, step: TaskStep, {task}: RolloutRequest): string {
  return task.steps.length === 1 ? name : `${step.name}/${name}`;
}

interface Kept {
  readonly name: string;
  readonly signal: AbortSignal;
}

async function keep({request, artifacts}: Run, {name, file, signal}: Kept & {readonly file: string}): Promise<void> {
  artifacts[name] = await request.artifacts.put(name, file, signal);
}

async function keepText(
  run: Run,
  {record}: ScratchPlace,
  {name, text, signal}: Kept & {readonly text: string | Uint8Array},
): Promise<void> {
  const file = join(record, 'artifact');
  await writeFile(file, text, {mode: 0o600});
  await keep(run, {name, file, signal});
}

function resultOf({request, startedAt, agents, judgements, artifacts, failure, infrastructure}: Run): RolloutResult {
  const {task, key, retries, agent} = request;
  const steps = task.steps.map(({name}) => ({name, reward: judgements.find((one) => one.name === name)?.judgement.reward ?? 0}));
  const reward = steps.reduce((sum, step) => sum + step.reward, 0) / Math.max(1, steps.length);
  const hasPassed = infrastructure === undefined && reward >= 1;
  const usage = agents.reduce<Usage>((sum, one) => addUsage(sum, one.usage), NO_USAGE);
  const [only] = judgements;
  return {
    key,
    taskDigest: task.digest,
    outcome: infrastructure !== undefined ? 'infrastructure' : hasPassed ? 'passed' : 'failed',
    failure: infrastructure !== undefined || hasPassed ? undefined : (failure?.kind ?? 'wrong-answer'),
    note: infrastructure ?? (hasPassed ? undefined : failure?.note),
    reward: infrastructure === undefined ? reward : 0,
    rewards:
      task.steps.length === 1
        ? (only?.judgement.rewards ?? {})
        : Object.fromEntries(
            judgements.flatMap(({name, judgement}) => Object.entries(judgement.rewards).map(([of, value]) => [`${name}/${of}`, value])),
          ),
    steps,
    exitCode: agents.at(-1)?.exitCode ?? null,
    startedAt,
    agentMs: sum(agents.map(({ms}) => ms)),
    verifyMs: sum(judgements.map(({judgement}) => judgement.ms)),
    usage: {
      turns: sum(agents.map(({requests}) => requests)),
      inputTokens: usage.input_tokens,
      cachedTokens: usage.cached_input_tokens,
      outputTokens: usage.output_tokens,
    },
    costUsd: agents.some(({costUsd}) => costUsd === null) ? null : sum(agents.map(({costUsd}) => costUsd ?? 0)),
    artifacts,
    retries,
    version: agent.version,
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
