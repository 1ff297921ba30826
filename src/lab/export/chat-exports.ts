import type {RolloutStep} from '../log/rollout-log.ts';
import {failureOf, hasPassed} from '../report/measures.ts';
import type {RolloutResult} from '../rollout/rollout.ts';
import {rolloutName} from '../run/run-plan.ts';
import {preferenceRecord, rlRecords, sftRecord} from './chat-records.ts';
import type {Conversation} from './conversation.ts';
import type {ComparedText} from './near-duplicates.ts';
import type {PreferenceRecord, Provenance, SftRecord} from './records.ts';
import type {StepThread} from './rollout-source.ts';
import {loadSteps, provenanceOf, stepField, writeRecord, type LoadedStep, type TaskExport} from './task-export.ts';

/** Only what passed is worth imitating. */
export async function exportSft(judged: readonly RolloutResult[], to: TaskExport): Promise<void> {
  const passed = judged.filter(hasPassed);
  to.counts.leave('failed', judged.length - passed.length);
  for (const result of passed) {
    const steps = await loadSteps(result, to);
    if (steps.length === 0 || (await isRepeated({result, text: textOf(steps), rollouts: 1}, to))) continue;
    for (const {record, place} of steps.flatMap(sftParts))
      if (record !== undefined) await writeRecord(to, record, {...provenanceOf(result, to), ...place});
  }
}

/** The conversations of the agent in a step, then those of its subagents. */
function sftParts({
  step,
  conversations,
  subagents,
}: LoadedStep): readonly {readonly record: SftRecord | undefined; readonly place: object}[] {
  return [{conversations}, ...subagents].flatMap(({subagent, conversations: parts}: StepThread) =>
    parts.map((conversation, part) => ({
      record: sftRecord(conversation),
      place: {...stepField(step), ...(subagent === undefined ? {} : {subagent}), ...(parts.length > 1 ? {part} : {})},
    })),
  );
}

/** Each failed attempt with a passed one of the same task, one to one; tasks of one step whose conversation is whole. */
export async function exportPreference(judged: readonly RolloutResult[], to: TaskExport): Promise<void> {
  const passed = judged.filter(hasPassed);
  const failed = judged.filter((result) => !hasPassed(result));
  const pairs = Math.min(passed.length, failed.length);
  to.counts.leave('no pair', judged.length - 2 * pairs);
  for (let at = 0; at < pairs; at += 1) {
    const [good, bad] = [passed[at], failed[at]];
    if (good === undefined || bad === undefined) continue;
    const [chosen, rejected] = [await onlyConversation(good, to), await onlyConversation(bad, to)];
    if (chosen === undefined || rejected === undefined) continue;
    const record = preferenceRecord(chosen, rejected);
    if (record === undefined) to.counts.leave('not asked the same', 2);
    else if (!(await isRepeated({result: good, text: pairText(record), rollouts: 2}, to)))
      await writeRecord(to, record, {...provenanceOf(good, to), rejected: rejectedOf(bad)});
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

/** True for what nearly repeats an earlier record; it is counted, and noted with that one. */
async function isRepeated(
  {result, text, rollouts}: {readonly result: RolloutResult; readonly text: Omit<ComparedText, 'task' | 'name'>; readonly rollouts: number},
  {duplicates, counts, writer}: TaskExport,
): Promise<boolean> {
  const {task} = result.key;
  const name = rolloutName(result.key);
  const earlier = duplicates({task, name, ...text});
  if (earlier === undefined) return false;
  counts.leave(earlier.task === task ? 'near-duplicate' : 'near-duplicate of another task', rollouts);
  await writer.noteDuplicate({rollout: name, of: earlier.name});
  return true;
}

function textOf(steps: readonly LoadedStep[]): Omit<ComparedText, 'task' | 'name'> {
  const turns = steps.flatMap(({conversations}) => conversations.flatMap((one) => one.turns));
  return {
    did: turns.map(({action}) => actionText(action)).join('\n'),
    asked: turns.map(({observation}) => askedText(observation)).join('\n'),
  };
}

function pairText({prompt, chosen, rejected}: PreferenceRecord): Omit<ComparedText, 'task' | 'name'> {
  return {did: JSON.stringify([chosen, rejected]), asked: askedText(prompt)};
}

function askedText(messages: readonly {readonly role: string; readonly content: string}[]): string {
  return messages.flatMap(({role, content}) => (role === 'user' ? [content] : [])).join('\n');
}

function actionText({content, tool_calls: calls = []}: Conversation['turns'][number]['action']): string {
  return [content, ...calls.map((call) => `${call.function.name} ${call.function.arguments}`)].join('\n');
}

function rejectedOf(result: RolloutResult): NonNullable<Provenance['rejected']> {
  const {key, reward} = result;
  return {model: key.model, toolset: key.toolset, attempt: key.attempt, failure: failureOf(result) ?? 'wrong-answer', reward};
}
