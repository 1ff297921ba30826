import {isJsonObject, parseJson} from '../base/json.ts';
import {jsonText} from '../base/json-text.ts';
import type {ThreadEvent} from '../protocol/events.ts';
import {misshapen} from './log-shape.ts';

/** One line of a session log. `event` may be of a type that this version does not know: switch over `type` with a default. */
export interface LoggedEvent {
  readonly v: 1;
  /** 1, 2, 3 … in the order of the file. */
  readonly seq: number;
  /** The time of appending, ISO 8601 in UTC. */
  readonly ts: string;
  /** Turns started so far, so that the tail of a file shows how long the session is. */
  readonly turn: number;
  readonly event: ThreadEvent;
}

/** Longer lines are neither written nor read. */
export const MAX_LINE_BYTES = 64 * 1024 * 1024;
export const TOO_LONG = 'longer than a line may be';

export function encodeLine({event, ...rest}: LoggedEvent): string {
  return `${JSON.stringify(rest).slice(0, -1)},"event":${jsonText(event)}}\n`;
}

/**
 * Reads one line (without its newline); a string says why it is not one. Only the shape that readers need is checked:
 * Fettle wrote the event itself, and a schema for each of 50 MB would cost more than reading them.
 */
export function decodeLine(text: string): LoggedEvent | string {
  const value = parseJson(text);
  if (value === undefined) return 'not JSON';
  if (!isJsonObject(value)) return 'not an object';
  if (value['v'] !== 1) return `version ${JSON.stringify(value['v'])} of the log is not known`;
  const event = value['event'];
  if (!isJsonObject(event) || typeof event['type'] !== 'string') return 'no event';
  if (!Number.isSafeInteger(value['seq']) || typeof value['ts'] !== 'string') return 'no seq or ts';
  return misshapen(event, text.length) ?? (value as unknown as LoggedEvent);
}
