import {span, type Line, type StyleName} from '../cells/line.ts';
import {shownRow} from '../cells/shown-text.ts';
import {cutLine, lineWidth} from '../cells/wrap-line.ts';
import type {ScreenState, TodoLine} from '../model/screen-state.ts';

const TODO_ROWS = 8;

/** The task list, from the first open task on; nothing if all are done or it is hidden. */
export function todoLines({todo, isTodoShown, size}: ScreenState): readonly Line[] {
  const open = todo.filter(({status}) => status !== 'completed' && status !== 'cancelled');
  if (!isTodoShown || open.length === 0) return [];
  const done = todo.filter(({status}) => status === 'completed').length;
  const counted = todo.filter(({status}) => status !== 'cancelled').length;
  const rows = open.slice(0, TODO_ROWS).map(({text, status}) => {
    const {mark, style} = TODO_MARKS[status];
    return cutLine(
      [span(`  ${mark} `, style), status === 'in_progress' ? span(shownRow(text)) : span(shownRow(text), 'dim')],
      size.columns,
    );
  });
  const more: Line[] = open.length > TODO_ROWS ? [[span(`    … ${open.length - TODO_ROWS} more`, 'dim')]] : [];
  return [[span('Tasks', 'heading'), span(` ${done}/${counted}`, 'dim')], ...rows, ...more];
}

const TODO_MARKS: Readonly<Record<TodoLine['status'], {readonly mark: string; readonly style: StyleName}>> = {
  pending: {mark: '○', style: 'dim'},
  in_progress: {mark: '◐', style: 'accent'},
  completed: {mark: '●', style: 'success'},
  cancelled: {mark: '⊘', style: 'dim'},
  blocked: {mark: '!', style: 'warning'},
};

/** A row for each subagent that has not come to its end. */
export function agentLines({agents, size}: ScreenState): readonly Line[] {
  return agents.map(({id, status, task, doing}, index) => {
    const style: StyleName = status === 'failed' ? 'error' : status === 'waiting' ? 'warning' : 'accent';
    const row = [span('◌ ', style), span(shownRow(id), 'bold'), span(` ${status}`, 'dim'), span(` · ${shownRow(doing ?? task)}`, 'dim')];
    if (index > 0 || size.columns < COLUMNS_FOR_HINT) return cutLine(row, size.columns);
    const cut = cutLine(row, size.columns - AGENT_HINT.length - 2);
    return [...cut, span(' '.repeat(size.columns - AGENT_HINT.length - lineWidth(cut))), span(AGENT_HINT, 'dim')];
  });
}

const AGENT_HINT = 'Alt-A opens';
const COLUMNS_FOR_HINT = 60;

/** Returns the rows of queued inputs, oldest first: as many as fit, the selected one among them, and the number of further ones. */
export function queueLines({queue, queueAt, size}: ScreenState, room: number): readonly Line[] {
  if (room < 1) return [];
  const most = queue.length > room ? Math.max(1, room - 1) : room;
  const first = Math.max(0, Math.min(queueAt ?? 0, queue.length) - most + 1);
  const more: Line[] = queue.length > most && room > 1 ? [[span(`  … ${queue.length - most} more`, 'dim')]] : [];
  const rows = queue.slice(first, first + most).map((text, offset) => {
    const index = first + offset;
    const isChosen = index === queueAt;
    const row = `${isChosen ? '▸' : ' '} next: ${shownRow(text.replaceAll(/\s+/g, ' '))}`;
    const hint = isChosen ? span('  Enter edits, Delete withdraws', 'dim') : undefined;
    const line: Line = [span(row, ...(isChosen ? (['selected'] as const) : (['dim'] as const)))];
    return cutLine(hint === undefined ? line : [...line, hint], size.columns);
  });
  return [...rows, ...more];
}
