import {stepsOfRollout, type ReadArtifact, type RolloutStep} from '../log/rollout-log.ts';
import type {RunResults} from '../report/run-results.ts';
import type {RolloutResult} from '../rollout/rollout.ts';
import type {Conversation} from './conversation.ts';
import type {DatasetWriter} from './dataset-writer.ts';
import type {DuplicateFinder} from './near-duplicates.ts';
import type {Provenance} from './records.ts';
import {threadsOfStep, type StepThread} from './rollout-source.ts';
import type {Split} from './splits.ts';

/** Everything that the export of one task needs: its source, and where its records and counts go. */
export interface TaskExport {
  readonly run: RunResults;
  readonly read: ReadArtifact;
  readonly folder: string;
  readonly writer: DatasetWriter;
  readonly counts: Counts;
  /** One for all tasks. */
  readonly duplicates: DuplicateFinder;
  readonly split: Split;
  readonly signal: AbortSignal;
}

/** Counts the records that an export has written and the rollouts that it left out. */
export interface Counts {
  readonly records: Record<Split, number>;
  readonly tasks: Record<Split, number>;
  readonly leftOut: Record<string, number>;
  readonly withoutTools: Set<string>;
  leave(reason: string, count: number): void;
}

/** Starts with nothing. */
export function newCounts(): Counts {
  const leftOut: Record<string, number> = {};
  const zero = (): Record<Split, number> => ({train: 0, validation: 0, test: 0});
  const leave = (reason: string, count: number): void => {
    if (count > 0) leftOut[reason] = (leftOut[reason] ?? 0) + count;
  };
  return {records: zero(), tasks: zero(), leftOut, withoutTools: new Set(), leave};
}

export interface LoadedStep {
  readonly step: RolloutStep;
  readonly conversations: readonly Conversation[];
  readonly subagents: readonly StepThread[];
}

/** Returns the steps that have something of the model; none is counted as left out. */
export async function loadSteps(result: RolloutResult, {read, counts, signal}: TaskExport): Promise<readonly LoadedStep[]> {
  signal.throwIfAborted();
  const steps: LoadedStep[] = [];
  for (const step of stepsOfRollout(result)) {
    const [main, ...subagents] = await threadsOfStep(step, read, signal);
    const conversations = main?.conversations ?? [];
    if (conversations.length > 0) steps.push({step, conversations, subagents});
  }
  if (steps.length === 0) counts.leave('no log', 1);
  else if (steps.some(({conversations}) => conversations.some(({tools}) => tools === undefined)))
    counts.withoutTools.add(JSON.stringify(result.key));
  return steps;
}

/** Says where a record of a rollout comes from. */
export function provenanceOf({key, taskDigest, outcome, reward, version, hiddenPassed}: RolloutResult, {run}: TaskExport): Provenance {
  const {task, model, toolset, attempt} = key;
  return {
    run: run.name,
    suite: run.suiteName,
    task,
    task_digest: taskDigest,
    model,
    toolset,
    attempt,
    outcome: outcome === 'passed' ? 'passed' : 'failed',
    reward,
    ...(hiddenPassed === undefined ? {} : {hidden_verification: hiddenPassed ? 'passed' : 'failed'}),
    fettle_version: version,
  };
}

/** The name of the step, where the task has several. */
export function stepField({name}: RolloutStep): {step?: string} {
  return name === '' ? {} : {step: name};
}

/** Writes a record and counts it. */
export async function writeRecord({writer, counts, split}: TaskExport, record: object, provenance: Provenance): Promise<void> {
  await writer.write(split, record, provenance);
  counts.records[split] += 1;
}
