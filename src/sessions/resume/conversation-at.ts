import {readFileSync} from 'node:fs';
import type {Message} from '../../protocol/messages.ts';
import {createHistory} from '../history.ts';
import {decodeLine} from '../log-line.ts';

/** The conversation before the line at a byte offset of a log. Everything before it is read, since few go back that far. */
export function conversationAt(file: string, offset: number): readonly Message[] {
  const bytes = readFileSync(file).subarray(0, offset);
  const history = createHistory();
  let start = 0;
  for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, start)) {
    const decoded = decodeLine(bytes.toString('utf8', start, at));
    if (typeof decoded !== 'string') history.apply(decoded.event);
    start = at + 1;
  }
  return history.messages();
}

const NEWLINE = 0x0a;
