import {isJsonObject} from '../../base/json.ts';
import type {ThreadEvent} from '../../protocol/events.ts';
import {MEMORY_VERSION} from '../../protocol/memory-version.ts';
import {decodeLine} from '../log-line.ts';
import {readSpan} from '../log-tail.ts';
import {isReplyItem} from '../reply.ts';
import {messagesOf, type LogOutline, type OutlineLine, type OutlinePlace} from './log-outline.ts';

/** Bytes of a log. */
export interface ReadSizes {
  /** A conversation that is not longer is read at once. */
  readonly whole: number;
  /** Size of the part that is read from the end of a longer one. */
  readonly newest: number;
  /** Its beginning is found as exactly as this. */
  readonly apart: number;
}

export const READ_SIZES: ReadSizes = {whole: 8 * 1024 * 1024, newest: 2 * 1024 * 1024, apart: 64 * 1024};

const BEGINNING: OutlinePlace = {offset: 0, lines: 0, items: 0, messages: 0};

/**
 * Finds the place before which nothing affects the conversation or the memory any longer: the compaction before the last one, as far as a rewind
 * can go back. A later rewind may itself have gone back to before it; then that place is returned.
 */
export function restartOf({lines}: LogOutline, parse: (line: OutlineLine) => ThreadEvent | undefined): OutlinePlace {
  const compactions = lines.filter(({replaces}) => replaces);
  const rewindings = lines.filter(({kind}) => kind.event === 'thread.rewound');
  const secondBefore = (offset: number): OutlineLine | undefined => compactions.filter(({place}) => place.offset < offset).at(-2);
  let restart = secondBefore(Infinity);
  while (restart !== undefined) {
    const {offset} = restart.place;
    const rewinding = rewindings.find(({place}) => place.offset > offset);
    const reached = rewinding === undefined ? restart : secondBefore(rewinding.place.offset);
    if (reached === undefined) break;
    if (reached.place.offset < offset) restart = reached;
    else if (carriesAll(parse(restart))) return restart.place;
    else restart = compactions.findLast(({place}) => place.offset < offset);
  }
  return BEGINNING;
}

/** A memory of another version has to be rebuilt from its events. */
function carriesAll(event: ThreadEvent | undefined): boolean {
  if (event?.type !== 'thread.compact_boundary' || event.messages === undefined) return false;
  return isJsonObject(event.memory) && event.memory['schema_version'] === MEMORY_VERSION;
}

/** Chooses where parsing begins: at the restart, or, if that is too far, at the last compaction or a reply near the end. */
export function whereToRead(
  {outline, restart, fd}: {readonly outline: LogOutline; readonly restart: OutlinePlace; readonly fd: number},
  {whole, newest}: ReadSizes,
): OutlinePlace {
  const {lines, places, end} = outline;
  if (end.offset - restart.offset <= whole) return restart;
  const last = lines.findLast(({replaces}) => replaces);
  if (last !== undefined && end.offset - last.place.offset <= whole) return last.place;
  const near = places.find(({offset}) => offset >= Math.max(restart.offset, end.offset - newest));
  return near === undefined ? restart : (firstReply(fd, near, end) ?? restart);
}

/** The first place from `near` on that nothing before it can reach into: a turn, or a reply that is known to be a new one. */
function firstReply(fd: number, near: OutlinePlace, end: OutlinePlace): OutlinePlace | undefined {
  const bytes = readSpan(fd, {start: near.offset, end: Math.min(end.offset, near.offset + LOOKED_AT)});
  let place = near;
  let reply: string | undefined;
  for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, place.offset - near.offset)) {
    const decoded = decodeLine(bytes.toString('utf8', place.offset - near.offset, at));
    const event = typeof decoded === 'string' ? undefined : decoded.event;
    const of = event === undefined ? undefined : replyOf(event);
    if (event?.type === 'turn.started' || (of !== undefined && reply !== undefined && of !== reply)) return place;
    reply = of ?? reply;
    place = behind(place, event, near.offset + at + 1);
  }
  return undefined;
}

function behind({lines, items, messages}: OutlinePlace, event: ThreadEvent | undefined, offset: number): OutlinePlace {
  const kind = event === undefined ? undefined : {event: event.type, item: 'item' in event ? event.item.type : undefined};
  return {
    offset,
    lines: lines + 1,
    items: items + (kind?.event === 'item.completed' ? 1 : 0),
    messages: messages + (kind === undefined ? 0 : messagesOf(kind)),
  };
}

const LOOKED_AT = 1024 * 1024;
const NEWLINE = 0x0a;

function replyOf(event: ThreadEvent): string | undefined {
  const item = event.type === 'item.started' || event.type === 'item.completed' ? event.item : undefined;
  return item !== undefined && isReplyItem(item) ? item.request_id : undefined;
}
