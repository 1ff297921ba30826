import {createFrameRecord} from '../../agent/frame-record.ts';
import type {TurnContext} from '../../agent/turn-context.ts';
import {createRedactor} from '../../base/redact.ts';
import {redactEvent} from '../../sessions/redact-event.ts';
import type {Session} from '../../sessions/session-store.ts';

/** Returns a `request` that writes the system prompt and the tools to the log, without secrets, whenever they change. */
export function logFrames({log}: Session, secrets: readonly string[] | undefined, request: TurnContext['request']): TurnContext['request'] {
  const redactor = createRedactor({secrets, shapes: true});
  const record = createFrameRecord((frame) => log.append(redactEvent(frame, redactor)));
  return async (signal) => {
    const made = await request(signal);
    record(made);
    return made;
  };
}
