import {FettleError} from '../../../base/errors.ts';
import {fettlePaths} from '../../../config/paths.ts';
import {createSessionMemory} from '../../../context/memory/session-memory.ts';
import {EXIT} from '../../../protocol/exit-code.ts';
import {readLog} from '../../../sessions/log-reader.ts';
import {itemText, recallItems} from '../../../sessions/recall-items.ts';
import {findSession} from '../../../sessions/session-files.ts';
import type {Io} from '../io.ts';

/** `fettle sessions show ID --item N` or `N-M`: items of the log as they were shown to the model, by their numbers. */
export async function showItems(io: Io, id: string, range: string): Promise<number> {
  const [, first = '', last = first] = /^(\d+)(?:-(\d+))?$/.exec(range) ?? [];
  if (first === '')
    throw new FettleError({code: 'USAGE', message: `${range} is not a number of an item.`, hint: '--item 57, or --item 57-60.'});
  const items = await recallItems(logOf(io, id), {from: Number(first), to: Number(last)});
  if (items.length === 0)
    throw new FettleError({code: 'NOT_FOUND', message: `The session has no item ${range}.`, hint: 'Numbers begin at 1.'});
  io.shown(items.map((item) => `${itemText(item)}\n`).join('\n'));
  return EXIT.done;
}

/** `fettle sessions show ID --dropped`: lists the items that compaction removed from the conversation, one line each; the log has all of them. */
export async function showDropped(io: Io, id: string): Promise<number> {
  const file = logOf(io, id);
  const memory = createSessionMemory(id);
  await readLog(file, ({event}) => memory.observe(event));
  const to = memory.envelope().dropped_items;
  if (to === 0) io.note('Nothing was dropped: the conversation is whole.');
  for (const item of await recallItems(file, {from: 1, to})) io.shown(`${itemText(item).replaceAll(/\s+/g, ' ').slice(0, LINE)}\n`);
  return EXIT.done;
}

const LINE = 120;

function logOf(io: Io, id: string): string {
  return findSession(fettlePaths({env: io.env, home: io.home}).stateDir, id).file;
}
