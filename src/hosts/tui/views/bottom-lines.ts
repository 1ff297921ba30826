import {span, type Line} from '../cells/line.ts';
import type {CursorLines} from '../cells/cursor-lines.ts';
import type {ScreenState} from '../model/screen-state.ts';
import {dialogLines} from './dialog-lines.ts';
import {inputLines} from './input-lines.ts';
import {overlayLines} from './overlay-lines.ts';
import {agentLines, queueLines, todoLines} from './panels.ts';
import {statusLine} from './status-line.ts';
import {runningLines} from '../live-commands/running-commands.ts';
import {workLine} from './activity-line.ts';

/** The part of the screen that is always visible: panels, a dialog or the input line, and the status. */
export function bottomLines(state: ScreenState): CursorLines {
  const {rows} = state.size;
  const status = [statusLine(state)];
  const work = workLine(state);
  // A question needs the row more than the time that has passed does.
  const isWorkShown = work !== undefined && rows >= (state.dialogs.length > 0 ? 8 : 4);
  const upper: Line[] = [...(isWorkShown ? [work] : []), ...(rows < 8 ? [] : [rule(state)])];
  const main = mainLines(state, Math.max(1, rows - upper.length - status.length));
  // Panels get the space that the input line leaves; half of the screen belongs to the conversation.
  const room = Math.max(0, Math.floor(rows / 2) - main.lines.length - status.length);
  const queue = queueLines(state, room);
  const panels = [...[...agentLines(state), ...runningLines(state), ...todoLines(state)].slice(0, room - queue.length), ...queue];
  const head = [...panels, ...upper];
  return {
    lines: [...head, ...main.lines, ...status],
    cursor: main.cursor === undefined ? undefined : {row: main.cursor.row + head.length, column: main.cursor.column},
  };
}

function mainLines(state: ScreenState, rows: number): CursorLines {
  const dialog = state.dialogs[0];
  if (dialog !== undefined) return dialogLines(state, dialog, rows);
  if (state.overlay !== undefined) return overlayLines(state, state.overlay, rows);
  return inputLines(state, rows);
}

function rule({size}: ScreenState): Line {
  return [span('─'.repeat(size.columns), 'border')];
}
