import {createRedactor} from '../base/redact.ts';
import {readLog} from './log-reader.ts';
import {itemText} from './recall-items.ts';
import {isRegular} from './session-files.ts';
import {listSessions, type ListOptions, type SessionInfo} from './session-list.ts';

/** One item of a session that contains a text. */
export interface FoundItem {
  readonly session: SessionInfo;
  /** Its place among the finished items of the log, from 1. */
  readonly number: number;
  readonly type: string;
  /** The time at which it was logged. */
  readonly at: string;
  /** The text around the first hit, on one line. */
  readonly excerpt: string;
}

export interface SearchRequest extends ListOptions {
  readonly text: string;
  /** The most hits to return. */
  readonly most: number;
}

/** Finished items that hold a text, upper and lower case alike; the newest session first. Every log is read; secrets are hidden. */
export async function searchSessions({text, most, ...where}: SearchRequest): Promise<readonly FoundItem[]> {
  const wanted = text.toLowerCase();
  const redactor = createRedactor({shapes: true});
  const found: FoundItem[] = [];
  for (const session of listSessions(where)) {
    if (found.length >= most) break;
    if (!isRegular(session)) continue;
    let number = 0;
    await readLog(session.file, ({event, ts}) => {
      if (event.type !== 'item.completed') return;
      number += 1;
      if (found.length >= most) return;
      const whole = itemText({item: event.item, number}).replace(/^\[item \d+: \w+\] /, '');
      const at = whole.toLowerCase().indexOf(wanted);
      if (at >= 0) found.push({session, number, type: event.item.type, at: ts, excerpt: redactor.text(around(whole, at, text.length))});
    }).catch(() => undefined); // deleted, or not readable: `sessions list` says so
  }
  return found;
}

const CHARS = 120;

function around(text: string, at: number, length: number): string {
  const from = Math.max(0, at - Math.floor((CHARS - Math.min(length, CHARS)) / 2));
  const piece = text.slice(from, from + CHARS).toWellFormed();
  return `${from > 0 ? '…' : ''}${piece.replaceAll(/\s+/g, ' ').trim()}${from + CHARS < text.length ? '…' : ''}`;
}
