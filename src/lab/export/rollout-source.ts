import {createRedactor} from '../../base/redact.ts';
import {transcriptOf} from '../../sessions/export/transcript.ts';
import {redactEvent} from '../../sessions/redact-event.ts';
import type {LoggedEvent} from '../../sessions/log-line.ts';
import {readStepEvents, type ReadArtifact, type RolloutStep} from '../log/rollout-log.ts';
import {conversationsOf, type Conversation} from './conversation.ts';

/** Stands for the folder in which the agent worked: its real name differs for each rollout, and says who ran it. */
export const WORK_FOLDER = '/workspace';

/**
 * The events of a step for an export: secrets are redacted by shape and by what is known of this process, and the folder of the rollout is
 * {@link WORK_FOLDER}. A net for accidents, not a promise: a secret without a shape or a name passes.
 */
export async function exportedEvents(step: RolloutStep, read: ReadArtifact, signal: AbortSignal): Promise<readonly LoggedEvent[]> {
  const redactor = createRedactor({shapes: true});
  const events = await readStepEvents(step, read, signal);
  const folder = events.flatMap(({event}) => (event.type === 'thread.started' ? [event.cwd] : []))[0];
  return events.map((logged) => ({...logged, event: placed(redactEvent(logged.event, redactor), folder)}));
}

export async function conversationsOfStep(step: RolloutStep, read: ReadArtifact, signal: AbortSignal): Promise<readonly Conversation[]> {
  return conversationsOf(transcriptOf(await exportedEvents(step, read, signal)));
}

/** A folder directly below the root, such as /app, is the task's own name and says nothing. */
function placed<Event>(event: Event, folder: string | undefined): Event {
  if (folder === undefined || !/^(?:\/[^/]+){2}|^[A-Za-z]:\\/.test(folder)) return event;
  // In JSON text, strings within strings have their backslashes twice: names of folders without any are the same in all of them.
  const name = JSON.stringify(folder)
    .slice(1, -1)
    .replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  return JSON.parse(JSON.stringify(event).replaceAll(new RegExp(`${name}(?![\\w-])`, 'g'), WORK_FOLDER)) as Event;
}
