import {FettleError} from '../../base/errors.ts';
import type {ToolOutput} from '../stream-event.ts';

/** More events than this mean an endless loop. */
const MAX_EVENTS = 10_000;
/** Characters of one call that hosts are shown. */
const MAX_CHARS = 1_000_000;

/** Checks and limits the progress that a call reports while it runs. `push` throws UNAVAILABLE for an invalid event, TOO_LARGE for too many. */
export function createProgressFlow(show: (event: ToolOutput) => void): {push(value: unknown): void} {
  let events = 0;
  let chars = 0;
  return {
    push(value) {
      const event = asOutput(value);
      events += 1;
      if (events > MAX_EVENTS) throw new FettleError({code: 'TOO_LARGE', message: `It yielded more than ${MAX_EVENTS} events.`});
      const wasOpen = chars < MAX_CHARS;
      const room = MAX_CHARS - chars;
      chars += event.text.length;
      if (chars <= MAX_CHARS) show(event);
      else if (wasOpen) show({...event, text: `${event.text.slice(0, room)}\n[further output is not shown]\n`});
    },
  };
}

function asOutput(value: unknown): ToolOutput {
  if (typeof value === 'string') return {type: 'output', stream: 'progress', text: value};
  if (isOutput(value)) return value;
  throw new FettleError({
    code: 'UNAVAILABLE',
    message: 'It yielded something that is not progress.',
    hint: "Yield a string, or {type: 'output', stream: 'stdout' | 'stderr' | 'progress', text}; the result is returned, once.",
  });
}

function isOutput(value: unknown): value is ToolOutput {
  if (typeof value !== 'object' || value === null || !('type' in value && 'stream' in value && 'text' in value)) return false;
  return value.type === 'output' && ['stdout', 'stderr', 'progress'].includes(String(value.stream)) && typeof value.text === 'string';
}
