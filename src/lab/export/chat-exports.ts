import type {RolloutStep} from '../log/rollout-log.ts';
import {failureOf, hasPassed} from '../report/measures.ts';
import type {RolloutResult} from '../rollout/rollout.ts';
import {preferenceRecord, rlRecords, sftRecord} from './chat-records.ts';
import type {Conversation} from './conversation.ts';
import {createDuplicateFinder} from './near-duplicates.ts';
import type {Provenance} from './records.ts';
import {loadSteps, provenanceOf, stepField, writeRecord, type Counts, type LoadedStep, type TaskExport} from './task-export.ts';

/** Only what passed is worth imitating. */
export async function exportSft(judged: readonly RolloutResult[], to: TaskExport): Promise<void> {
  const passed = judged.filter(hasPassed);
  to.counts.leave('failed', judged.length - passed.length);
  const isDuplicate = createDuplicateFinder();
  for (const result of passed) {
    const steps = await loadSteps(result, to);
    if (steps.length === 0 || isRepeated(steps, isDuplicate, to.counts)) continue;
    const parts = steps.flatMap(({step, conversations}) =>
      conversations.map((conversation, part) => ({
        record: sftRecord(conversation),
        place: {...stepField(step), ...(conversations.length > 1 ? {part} : {})},
      })),
    );
    for (const {record, place} of parts) if (record !== undefined) await writeRecord(to, record, {...provenanceOf(result, to), ...place});
  }
}

/** Each failed attempt with a passed one of the same task, one to one; tasks of one step whose conversation is whole. */
export async function exportPreference(judged: readonly RolloutResult[], to: TaskExport): Promise<void> {
  const passed = judged.filter(hasPassed);
  const failed = judged.filter((result) => !hasPassed(result));
  const pairs = Math.min(passed.length, failed.length);
  to.counts.leave('no pair', judged.length - 2 * pairs);
  const isDuplicate = createDuplicateFinder();
  for (let at = 0; at < pairs; at += 1) {
    const [good, bad] = [passed[at], failed[at]];
    if (good === undefined || bad === undefined) continue;
    const [chosen, rejected] = [await onlyConversation(good, to), await onlyConversation(bad, to)];
    if (chosen === undefined || rejected === undefined) continue;
    const record = preferenceRecord(chosen, rejected);
    if (record === undefined) to.counts.leave('not asked the same', 2);
    else if (isDuplicate(JSON.stringify([record.chosen, record.rejected]))) to.counts.leave('near-duplicate', 2);
    else await writeRecord(to, record, {...provenanceOf(good, to), rejected: rejectedOf(bad)});
  }
}

async function onlyConversation(result: RolloutResult, to: TaskExport): Promise<Conversation | undefined> {
  const steps = await loadSteps(result, to);
  const [step, another] = steps;
  if (step === undefined) return undefined;
  const [conversation, part] = step.conversations;
  if (another === undefined && part === undefined) return conversation;
  to.counts.leave('several steps or compacted', 1);
  return undefined;
}

/** All judged rollouts, repeated ones too: how often something happened is part of what is learned. */
export async function exportRl(judged: readonly RolloutResult[], to: TaskExport): Promise<void> {
  for (const result of judged) {
    const steps = await loadSteps(result, to);
    const rewarded = steps.map(({step, conversations}) => ({conversations, reward: rewardOf(step, result)}));
    const {task, model, toolset, attempt} = result.key;
    const end = {episode: `${task}/${model}/${toolset}/${attempt}`, truncated: LIMITS.has(failureOf(result) ?? '')};
    for (const record of rlRecords(rewarded, end)) await writeRecord(to, record, provenanceOf(result, to));
  }
}

const LIMITS: ReadonlySet<string> = new Set(['time-limit', 'turn-limit', 'token-limit', 'cost-limit']);

/** The part of the reward of the rollout that a step has. */
function rewardOf({name}: RolloutStep, {reward, steps}: RolloutResult): number {
  const own = steps.find((step) => step.name === name);
  return own === undefined || steps.length < 2 ? reward : own.reward / steps.length;
}

/** Compares what the model did, since the prompts of a task are the same. */
function isRepeated(steps: readonly LoadedStep[], isDuplicate: (text: string) => boolean, counts: Counts): boolean {
  const actions = steps.flatMap(({conversations}) => conversations.flatMap(({turns}) => turns.map(({action}) => actionText(action))));
  const repeated = isDuplicate(actions.join('\n'));
  if (repeated) counts.leave('near-duplicate', 1);
  return repeated;
}

function actionText({content, tool_calls: calls = []}: Conversation['turns'][number]['action']): string {
  return [content, ...calls.map((call) => `${call.function.name} ${call.function.arguments}`)].join('\n');
}

function rejectedOf(result: RolloutResult): NonNullable<Provenance['rejected']> {
  const {key, reward} = result;
  return {model: key.model, toolset: key.toolset, attempt: key.attempt, failure: failureOf(result) ?? 'wrong-answer', reward};
}
