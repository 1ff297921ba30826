import type {ThreadItem} from '../protocol/items.ts';
import {readLog} from './log-reader.ts';

export interface RecalledItem {
  /** Its place among the finished items of the log, from 1. */
  readonly number: number;
  readonly item: ThreadItem;
}

/** Reads finished items of a log by their numbers, from `from` to `to`, inclusive; fewer if the log ends before. */
export async function recallItems(
  file: string,
  {from, to}: {readonly from: number; readonly to: number},
): Promise<readonly RecalledItem[]> {
  const found: RecalledItem[] = [];
  let number = 0;
  await readLog(file, ({event}) => {
    if (event.type !== 'item.completed') return;
    number += 1;
    if (number >= from && number <= to) found.push({number, item: event.item});
  });
  return found;
}

/** An item as text for a reader: messages, calls, results, changes. */
export function itemText({item, number}: RecalledItem): string {
  return `[item ${number}: ${item.type}] ${bodyOf(item)}`;
}

function bodyOf(item: ThreadItem): string {
  switch (item.type) {
    case 'tool_invocation':
      return `${item.tool_name} ${item.arguments}`;
    case 'tool_output':
      return `${item.tool_name}${item.is_error ? ' (failed)' : ''}\n${item.output}`;
    case 'command_execution':
      return `${item.command} → exit ${item.exit_code ?? 'unknown'}`;
    case 'file_change':
      return item.changes.map(({kind, path}) => `${kind} ${path}`).join(', ');
    case 'harness':
      return `${item.event} ${item.message ?? ''}`.trim();
    default:
      return 'text' in item && typeof item.text === 'string' ? item.text : JSON.stringify(item);
  }
}
