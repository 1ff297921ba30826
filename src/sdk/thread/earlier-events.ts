import {closeSync, fstatSync, openSync} from 'node:fs';
import type {ThreadEvent} from '../../protocol/events.ts';
import {decodeLine} from '../../sessions/log-line.ts';
import {linesFromEnd, readSpan} from '../../sessions/log-tail.ts';

export interface EarlierEvents {
  /** In the order of the log; the first is the beginning of a turn where one was found. */
  readonly events: readonly ThreadEvent[];
  /** True if earlier events were left out. */
  readonly isCut: boolean;
}

/** Reads the newest events of a log for a screen: from its end, and no further than needed, so that a log of any size takes the same time. */
export function earlierEvents(file: string, most: number): EarlierEvents {
  const fd = openSync(file, 'r');
  try {
    const {size} = fstatSync(fd);
    const found: ThreadEvent[] = [];
    let isCut = false;
    for (const span of linesFromEnd(fd, size)) {
      isCut = found.length >= most || size - span.start > MOST_BYTES;
      if (isCut) break;
      const decoded = decodeLine(readSpan(fd, span).toString('utf8'));
      if (typeof decoded !== 'string' && !UNSHOWN.has(decoded.event.type)) found.push(decoded.event);
    }
    return {events: fromTurn(found.reverse(), isCut), isCut};
  } finally {
    closeSync(fd);
  }
}

const MOST_BYTES = 32_000_000;
/** Events that are not shown: frames, memory, and queued or injected inputs. */
const UNSHOWN: ReadonlySet<string> = new Set(['thread.frame', 'memory.noted', 'input.queued', 'interjected']);

function fromTurn(events: readonly ThreadEvent[], isCut: boolean): readonly ThreadEvent[] {
  const first = isCut ? events.findIndex(({type}) => type === 'turn.started') : 0;
  return events.slice(Math.max(0, first));
}
