import type {Line} from '../cells/line.ts';
import type {ToolEntry} from '../model/entry.ts';
import {cellLines} from './cell-lines.ts';
import {commandOfCall, type LiveState} from './live-state.ts';

export interface BlockRoom {
  readonly live: LiveState;
  readonly columns: number;
  /** Rows of the whole screen: the block takes less than half of it. */
  readonly rows: number;
}

/** The screen of the terminal that a call waits for, where the cursor is; undefined if it waits for none. */
export function liveBlock({callId}: Pick<ToolEntry, 'callId'>, {live, columns, rows}: BlockRoom): readonly Line[] | undefined {
  const command = commandOfCall(live, callId);
  const content = command === undefined ? undefined : live.contents[command.id];
  if (content?.type !== 'screen') return undefined;
  const room = Math.max(LEAST_ROWS, Math.min(MOST_ROWS, Math.floor(rows / 2) - 4));
  return cellLines(content.screen, {columns, rows: room, drawsCursor: true}).lines;
}

const [LEAST_ROWS, MOST_ROWS] = [3, 16];
