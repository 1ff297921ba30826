import {createRedactor} from '../../base/redact.ts';
import {transcriptOf} from '../../sessions/export/transcript.ts';
import {redactEvent} from '../../sessions/redact-event.ts';
import type {LoggedEvent} from '../../sessions/log-line.ts';
import {nestSubagents, type SubagentLog} from '../../sessions/export/subagent-logs.ts';
import {readStepEvents, readSubagents, type ReadArtifact, type RolloutStep} from '../log/rollout-log.ts';
import {conversationsOf, type Conversation} from './conversation.ts';

/** Replaces the folder in which the agent worked: its real name differs for each rollout, and shows who ran it. */
export const WORK_FOLDER = '/workspace';

/** Replaces the scratch folder around it: results name files in it, such as the full output of a command. */
const SCRATCH_FOLDER = '/rollout';

/**
 * The events of a step for an export: secrets are redacted by shape and by what is known of this process, and the folder of the rollout is
 * {@link WORK_FOLDER}. A net for accidents, not a promise: a secret without a shape or a name passes.
 */
export async function exportedEvents(step: RolloutStep, read: ReadArtifact, signal: AbortSignal): Promise<readonly LoggedEvent[]> {
  const events = await readStepEvents(step, read, signal);
  return harmless(events, folderOf(events));
}

/** The logs of the subagents of these events, redacted in the same way. */
export async function exportedSubagents(
  {step, events}: {readonly step: RolloutStep; readonly events: readonly LoggedEvent[]},
  read: ReadArtifact,
  signal: AbortSignal,
): Promise<readonly SubagentLog[]> {
  const [logs, folder] = [await readSubagents(step, read, signal), folderOf(await readStepEvents(step, read, signal))];
  return await nestSubagents(events, async (threadId) => {
    const log = logs.get(threadId);
    return log === undefined ? undefined : harmless(harmless(log, folder), folderOf(log));
  });
}

function harmless(events: readonly LoggedEvent[], folder: string | undefined): readonly LoggedEvent[] {
  const redactor = createRedactor({shapes: true});
  return events.map((logged) => ({...logged, event: placed(redactEvent(logged.event, redactor), folder)}));
}

function folderOf(events: readonly LoggedEvent[]): string | undefined {
  return events.flatMap(({event}) => (event.type === 'thread.started' ? [event.cwd] : []))[0];
}

/** One thread of a step: that of the agent, or of a subagent. */
export interface StepThread {
  /** The profile of a subagent; undefined: the agent itself. */
  readonly subagent?: string | undefined;
  readonly conversations: readonly Conversation[];
}

/** The agent's own thread, then its subagents in the order of their start. Of these only the ones that came to their end. */
export async function threadsOfStep(step: RolloutStep, read: ReadArtifact, signal: AbortSignal): Promise<readonly StepThread[]> {
  const events = await exportedEvents(step, read, signal);
  const logs = allOf(await exportedSubagents({step, events}, read, signal)).filter((log) => hasEnded(log.events));
  const subagents = logs.map((log) => ({
    subagent: log.agent?.agent ?? 'unknown',
    conversations: conversationsOf(transcriptOf(log.events)),
  }));
  return [{conversations: conversationsOf(transcriptOf(events))}, ...subagents];
}

function allOf(logs: readonly SubagentLog[]): readonly SubagentLog[] {
  return logs.flatMap((log) => [log, ...allOf(log.subagents)]);
}

function hasEnded(events: readonly LoggedEvent[]): boolean {
  return events.findLast(({event}) => event.type === 'turn.completed' || event.type === 'turn.failed')?.event.type === 'turn.completed';
}

/** Replaces the folders of the rollout in all texts of an event. */
function placed<Event>(event: Event, folder: string | undefined): Event {
  const root = folder === undefined ? undefined : /^.*[/\\][0-9a-f]{24}(?=[/\\]tree(?:[/\\]|$))/.exec(folder)?.[0];
  const inPlace = replaced(replaced(event, folder, WORK_FOLDER), root, SCRATCH_FOLDER);
  const text = JSON.stringify(inPlace);
  return SCRATCH.test(text) ? (JSON.parse(text.replaceAll(new RegExp(SCRATCH, 'g'), SCRATCH_FOLDER)) as Event) : inPlace;
}

/** A scratch folder whose agent worked in a root of its own, so that its working folder does not name it. */
const SCRATCH = /(?:\/[^/"'\\\s:;()]{1,255}){1,20}\/lab\/scratch\/[0-9a-f]{24}(?![\w-])/;

/** A folder directly below the root, such as /app, is the task's own name and says nothing. */
function replaced<Event>(event: Event, folder: string | undefined, by: string): Event {
  if (folder === undefined || !/^(?:\/[^/]+){2}|^[A-Za-z]:\\/.test(folder)) return event;
  // In JSON text, strings within strings have their backslashes twice: names of folders without any are the same in all of them.
  const name = JSON.stringify(folder)
    .slice(1, -1)
    .replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  return JSON.parse(JSON.stringify(event).replaceAll(new RegExp(`${name}(?![\\w-])`, 'g'), by)) as Event;
}
