import {closeSync, openSync} from 'node:fs';
import type {ThreadEvent, ThreadStarted} from '../../protocol/events.ts';
import type {TodoListItem} from '../../protocol/items.ts';
import {createHistory, type History} from '../history.ts';
import {decodeLine, type LoggedEvent} from '../log-line.ts';
import {readLog, type LogReport} from '../log-reader.ts';
import {readSpan} from '../log-tail.ts';
import {earlierHistory} from './earlier-history.ts';
import {outlineLog, type LogOutline, type OutlineLine} from './log-outline.ts';
import {READ_SIZES, restartOf, whereToRead, type ReadSizes} from './resume-point.ts';

/** The parts of a log that are needed to resume it. */
export interface ResumedLog {
  readonly history: History;
  /** The event that began it; undefined if that line is broken. */
  readonly started: ThreadStarted | undefined;
  readonly todos: TodoListItem['items'];
  readonly report: LogReport;
}

/**
 * Brings a conversation back, at little more than the cost of reading its log: what a compaction has replaced is not parsed, nor is the
 * older part of a very long conversation before somebody asks for it.
 *
 * `onEvent` sees, in order, what somebody besides the conversation may need: all since the compaction before the last one, of what was
 * before it only what stays true (inputs, subagents, notes, what a person said). In place of each other finished item it sees an empty one,
 * so that items can be counted.
 */
export async function resumeLog(file: string, onEvent: (event: ThreadEvent) => void, sizes: ReadSizes = READ_SIZES): Promise<ResumedLog> {
  const outline = await outlineLog(file, sizes.apart);
  const broken = [...outline.broken];
  const fd = openSync(file, 'r');
  try {
    const read = readerOf(fd);
    const parse = (line: OutlineLine): ThreadEvent | undefined => {
      const decoded = read(line);
      if (typeof decoded !== 'string') return decoded.event;
      broken.push({line: line.place.lines + 1, reason: decoded});
      return undefined;
    };
    const restart = restartOf(outline, parse);
    const from = whereToRead({outline, restart, fd}, sizes);
    const counted = countedBy(onEvent);
    const lasting = outline.lines.filter(({place}) => place.offset < from.offset);
    for (const line of lasting) {
      const event = line.place.offset >= restart.offset || isLasting(line) ? parse(line) : undefined;
      if (event !== undefined) counted.take(event, line.place.items);
    }
    counted.upTo(from.items);
    const history = createHistory(earlierHistory({file, lines: lasting, restart, from, read: parse}));
    const visit = ({event}: LoggedEvent): void => {
      history.apply(event);
      onEvent(event);
    };
    const report = await readLog(file, visit, from);
    return {history, ...factsOf(outline, parse), report: {events: outline.events, broken: merged(broken, report.broken)}};
  } finally {
    closeSync(fd);
  }
}

function readerOf(fd: number): (line: OutlineLine) => LoggedEvent | string {
  return ({place, end}) => decodeLine(readSpan(fd, {start: place.offset, end}).toString('utf8'));
}

/** True for events that compactions and rewinds do not replace, including those that a newer Fettle may have written. */
function isLasting({kind: {event, item}}: OutlineLine): boolean {
  return event === 'item.completed' ? item === 'user_message' : !REPLACED.has(event);
}

const REPLACED: ReadonlySet<string> = new Set(['thread.compact_boundary', 'thread.rewound', 'turn.started']);

interface Counted {
  /** Passes on an event before which so many items were finished. */
  take(event: ThreadEvent, items: number): void;
  upTo(items: number): void;
}

function countedBy(onEvent: (event: ThreadEvent) => void): Counted {
  let seen = 0;
  const upTo = (items: number): void => {
    for (; seen < items; seen += 1) onEvent(EMPTY);
  };
  return {
    take(event, items) {
      upTo(items);
      if (event.type === 'item.completed') seen += 1;
      onEvent(event);
    },
    upTo,
  };
}

const EMPTY: ThreadEvent = {type: 'item.completed', item: {id: 'itm_0', type: 'reasoning', text: ''}};

function factsOf({lines}: LogOutline, parse: (line: OutlineLine) => ThreadEvent | undefined): Pick<ResumedLog, 'started' | 'todos'> {
  const started = firstOf(lines.filter(({kind}) => kind.event === 'thread.started').map((line) => () => parse(line)));
  const lists = lines.filter(({kind}) => kind.event === 'item.completed' && kind.item === 'todo_list').toReversed();
  const list = firstOf(lists.map((line) => () => parse(line)));
  return {
    started: started?.type === 'thread.started' ? started : undefined,
    todos: list?.type === 'item.completed' && list.item.type === 'todo_list' ? list.item.items : [],
  };
}

function firstOf(candidates: readonly (() => ThreadEvent | undefined)[]): ThreadEvent | undefined {
  for (const candidate of candidates) {
    const event = candidate();
    if (event !== undefined) return event;
  }
  return undefined;
}

/** Each line once: some are looked at twice. */
function merged(...lists: readonly LogReport['broken'][]): LogReport['broken'] {
  const byLine = new Map(lists.flat().map((one) => [one.line, one]));
  return [...byLine.values()].toSorted((a, b) => a.line - b.line);
}
