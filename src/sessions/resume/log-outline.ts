import {open} from 'node:fs/promises';
import {TOO_LONG, decodeLine} from '../log-line.ts';
import {readPieces, type LogPiece} from '../log-pieces.ts';
import type {LogPlace, LogReport} from '../log-reader.ts';
import {kindOfLine, type LineKind} from './line-kind.ts';

/** A line that matters beyond the conversation, and its place. */
export interface OutlineLine {
  readonly kind: LineKind;
  readonly place: OutlinePlace;
  /** Behind its last byte; its newline follows. */
  readonly end: number;
  /** True for a compaction that contains the whole remaining conversation. */
  readonly replaces: boolean;
}

/** The beginning of a line. */
export interface OutlinePlace extends LogPlace {
  /** Items finished before it. */
  readonly items: number;
  /** About how many messages precede it; a reply with calls counts as two. */
  readonly messages: number;
}

/** An index of a log: the kind and position of its lines. */
export interface LogOutline extends LogReport {
  readonly lines: readonly OutlineLine[];
  /** Beginnings of lines, some way apart. */
  readonly places: readonly OutlinePlace[];
  /** Behind the last whole line. */
  readonly end: OutlinePlace;
}

/**
 * Reads a log once without parsing it: only lines whose form is not that of Fettle are parsed. @param apart bytes between the places that it
 * remembers
 */
export async function outlineLog(file: string, apart = 64 * 1024): Promise<LogOutline> {
  const handle = await open(file, 'r');
  try {
    const outline = createOutline(apart);
    const torn = await readPieces(handle, {from: 0, size: PIECE}, outline.take);
    return outline.result(torn);
  } finally {
    await handle.close();
  }
}

const PIECE = 1024 * 1024;
const NEWLINE = 0x0a;

interface OutlineBuilder {
  take(piece: LogPiece): void;
  result(tornTail: boolean): LogOutline;
}

function createOutline(apart: number): OutlineBuilder {
  const lines: OutlineLine[] = [];
  const places: OutlinePlace[] = [];
  const broken: {line: number; reason: string}[] = [];
  let [events, items, messages, count, size] = [0, 0, 0, 0, 0];
  const addLine = (kind: LineKind | string, {start, end}: {start: number; end: number}, carries: () => boolean): void => {
    const place = {offset: start, lines: count, items, messages};
    if (start >= (places.at(-1)?.offset ?? -apart) + apart) places.push(place);
    count += 1;
    if (typeof kind === 'string') {
      broken.push({line: count, reason: kind});
      return;
    }
    events += 1;
    if (kind.event === 'item.completed') items += 1;
    messages += messagesOf(kind);
    if (!isOnlyConversation(kind)) lines.push({kind, place, end, replaces: kind.event === 'thread.compact_boundary' && carries()});
  };
  return {
    take({bytes, end, offset, cut}) {
      let from = 0;
      if (cut) {
        from = bytes.indexOf(NEWLINE) + 1;
        addLine(TOO_LONG, {start: offset, end: offset + from - 1}, never);
      }
      for (let start = from; start < end;) {
        const [here, line] = [start, bytes.indexOf(NEWLINE, start)];
        const kind = kindOfLine(bytes, here, line) ?? parsedKind(bytes.toString('utf8', here, line));
        addLine(kind, {start: offset + here, end: offset + line}, () => bytes.subarray(here, line).includes('"messages":['));
        start = line + 1;
      }
      size = offset + end;
    },
    result(tornTail) {
      const all = tornTail ? [...broken, {line: count + 1, reason: 'no newline at its end'}] : broken;
      return {lines, places, events, broken: all, end: {offset: size, lines: count, items, messages}};
    },
  };
}

function never(): boolean {
  return false;
}

function parsedKind(text: string): LineKind | string {
  const decoded = decodeLine(text);
  if (typeof decoded === 'string') return decoded;
  const {event} = decoded;
  return {event: event.type, item: 'item' in event ? event.item.type : undefined};
}

/** About how many messages a line adds to the conversation. */
export function messagesOf({event, item}: LineKind): number {
  if (event === 'request.completed') return 2;
  return event === 'item.completed' && item === 'user_message' ? 1 : 0;
}

/** True for events that matter only to the conversation, or not at all: nothing else reads them when a session is resumed. */
function isOnlyConversation({event, item}: LineKind): boolean {
  return event === 'item.completed' ? REPLIES.has(item ?? '') : PASSED.has(event);
}

const REPLIES: ReadonlySet<string> = new Set(['agent_message', 'reasoning', 'tool_invocation', 'tool_output']);
const PASSED: ReadonlySet<string> = new Set([
  'item.started',
  'thread.frame',
  'request.completed',
  'request.failed',
  'permission.requested',
  'permission.resolved',
  'turn.completed',
  'turn.failed',
  'thread.completed',
  'checkpoint.completed',
  'interjected',
  'plan.delta',
  'error',
]);
