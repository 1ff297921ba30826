import {closeSync, openSync, readSync} from 'node:fs';
import {StringDecoder} from 'node:string_decoder';
import {isFettleError} from '../../../../base/errors.ts';
import {parseEvent} from '../../../../protocol/parse-event.ts';
import type {ThreadEvent} from '../../../../protocol/events.ts';

/** Reads the events that a run writes into its file while it goes on. `end` reads the rest and stops. */
export function followEvents(file: string, onEvent: (event: ThreadEvent) => void): {end(): void} {
  const decoder = new StringDecoder('utf8');
  const buffer = Buffer.alloc(64 * 1024);
  let opened: number | undefined;
  let rest = '';
  const read = (): void => {
    opened ??= openIfThere(file);
    if (opened === undefined) return;
    for (let count = readSync(opened, buffer); count > 0; count = readSync(opened, buffer)) {
      const lines = (rest + decoder.write(buffer.subarray(0, count))).split('\n');
      rest = lines.pop() ?? '';
      for (const event of lines.flatMap(eventsIn)) onEvent(event);
    }
  };
  const timer = setInterval(read, EVERY_MS);
  return {
    end() {
      clearInterval(timer);
      read();
      if (opened !== undefined) closeSync(opened);
    },
  };
}

/** A person watches: often enough for their eyes. */
const EVERY_MS = 100;

function openIfThere(file: string): number | undefined {
  try {
    return openSync(file, 'r');
  } catch {
    return undefined; // the run has not begun
  }
}

/** A type of event that this version does not know, or half an event, is left out. */
function eventsIn(line: string): ThreadEvent[] {
  try {
    const parsed = parseEvent(line);
    return parsed.known ? [parsed.event] : [];
  } catch (thrown) {
    if (!isFettleError(thrown)) throw thrown;
    return [];
  }
}
