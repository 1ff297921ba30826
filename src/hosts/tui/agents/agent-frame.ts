import {span, type Line, type Span, type StyleName} from '../cells/line.ts';
import {shownRow} from '../cells/shown-text.ts';
import {cutLine, lineWidth} from '../cells/wrap-line.ts';
import type {ScreenState} from '../model/screen-state.ts';
import type {Frame} from '../surface/surface.ts';
import {silentFor} from '../stall/stall.ts';
import {dialogLines} from '../views/dialog-lines.ts';
import {COLUMNS_FOR_STALL} from '../views/activity-line.ts';
import {elapsed} from '../views/duration-text.ts';
import {shownRows, type LaidOut} from './agent-scroll.ts';
import {isActive, statusWord, type AgentOverlay, type Subagent} from './subagent.ts';

/** The screen of a subagent: its status, its conversation, and below it a pending question or the keys. */
export function agentFrame(state: ScreenState, overlay: AgentOverlay): Omit<Frame, 'above'> {
  const agent = state.subagents.find(({id}) => id === overlay.id);
  if (agent === undefined) return {live: [], cursor: undefined};
  const {head, foot, cursor, room} = partsOf(state, overlay, agent);
  const shown = [...noteLines(agent), ...shownRows(laidOut(state, overlay, {agent, room}), overlay.from)].slice(0, room);
  const blank = Array.from({length: Math.max(0, room - shown.length)}, (): Line => []);
  const live = [...head, ...shown, ...blank, ...foot].map((line) => cutLine(line, state.size.columns));
  return {live, cursor: cursor === undefined ? undefined : {row: cursor.row + head.length + room, column: cursor.column}};
}

/** Lays out the conversation of a subagent between head and foot. */
export function laidOutAgent(state: ScreenState, overlay: AgentOverlay): LaidOut | undefined {
  const agent = state.subagents.find(({id}) => id === overlay.id);
  return agent === undefined ? undefined : laidOut(state, overlay, {agent, room: partsOf(state, overlay, agent).room});
}

function laidOut(
  {size, now, root}: ScreenState,
  {isWhole}: AgentOverlay,
  {agent, room}: {readonly agent: Subagent; readonly room: number},
): LaidOut {
  return {entries: agent.entries, view: {width: size.columns, now, isWhole, root}, room: Math.max(0, room - noteLines(agent).length)};
}

interface Parts {
  readonly head: readonly Line[];
  readonly foot: readonly Line[];
  readonly cursor: {readonly row: number; readonly column: number} | undefined;
  readonly room: number;
}

function partsOf(state: ScreenState, overlay: AgentOverlay, agent: Subagent): Parts {
  const {rows} = state.size;
  const [dialog] = state.dialogs;
  const about = aboutLine(agent);
  const head = [titleLine(state, agent), ...(about === undefined || rows < ROWS_FOR_ABOUT ? [] : [about])];
  const bottom = dialog === undefined ? undefined : dialogLines(state, dialog, Math.max(1, rows - head.length));
  const foot = bottom?.lines ?? [...stallLines(state, agent), footLine(state, overlay, agent)];
  return {head, foot, cursor: bottom?.cursor, room: Math.max(0, rows - head.length - foot.length)};
}

const ROWS_FOR_ABOUT = 12;

/** Its name and as much of its status as fits. */
function titleLine({size, now}: ScreenState, agent: Subagent): Line {
  const {spent, since} = agent;
  const seconds = Math.floor((spent.workedMs + (since === undefined ? 0 : now - since)) / 1000);
  const parts: readonly (Span | undefined)[] = [
    span(statusWord(agent), styleOf(agent)),
    spent.requests === 0 ? undefined : span(counted(spent.requests, 'request'), 'dim'),
    spent.calls === 0 ? undefined : span(counted(spent.calls, 'call'), 'dim'),
    seconds === 0 ? undefined : span(elapsed(seconds), 'dim'),
    spent.inputTokens === 0 ? undefined : span(`${thousands(spent.inputTokens)} tokens in, ${thousands(spent.outputTokens)} out`, 'dim'),
    agent.id.startsWith(`${agent.profile}-`) ? undefined : span(shownRow(agent.profile), 'dim'),
  ];
  const line: Span[] = [span('◌ ', styleOf(agent)), span(shownRow(agent.id), 'bold')];
  for (const part of parts) {
    if (part === undefined) continue;
    const next = [span(' · ', 'dim'), part];
    if (lineWidth([...line, ...next]) <= size.columns) line.push(...next);
  }
  return line;
}

function styleOf(agent: Subagent): StyleName {
  if (agent.status === 'failed') return 'error';
  if (agent.isAsking || agent.status === 'waiting') return 'warning';
  return agent.status === 'completed' ? 'success' : 'accent';
}

/** Shows why the subagent ended early, else its task. */
function aboutLine(agent: Subagent): Line | undefined {
  const {message, task} = agent;
  if (message !== undefined && message !== '' && !isActive(agent))
    return [span(shownRow(message), agent.status === 'failed' ? 'error' : 'dim')];
  return task === '' ? undefined : [span(shownRow(task.replaceAll(/\s+/g, ' ')), 'dim')];
}

/** Notes about the parts of the log that are not shown. */
function noteLines({isCut, hasNoLog, entries}: Subagent): readonly Line[] {
  if (hasNoLog && (isCut || entries.length === 0)) return [[span('Its log is not there any more.', 'warning')]];
  return isCut ? [[span('Only the newest part is shown; its log has all of it.', 'dim')]] : [];
}

function stallLines(state: ScreenState, agent: Subagent): readonly Line[] {
  const silent = silentFor(state, agent);
  if (silent === undefined) return [];
  const said = state.size.columns < COLUMNS_FOR_STALL ? 'Silent' : 'No data for';
  return [[span(`${said} ${silent} s · Alt-R retries`, 'warning')]];
}

function footLine({subagents, size}: ScreenState, {isCancelArmed, isWhole, from}: AgentOverlay, agent: Subagent): Line {
  const place = `${subagents.indexOf(agent) + 1}/${subagents.length}`;
  const words =
    isCancelArmed === true
      ? [`x again cancels ${shownRow(agent.id)}`, 'another key keeps it']
      : [
          place,
          ...(subagents.length > 1 ? ['Tab next'] : []),
          ...(isActive(agent) ? ['x cancels'] : []),
          'Esc leaves',
          ...(from === undefined ? [] : ['G follows']),
          isWhole ? 'Ctrl-O folds calls' : 'Ctrl-O opens calls',
          'arrows, PgUp, PgDn, g, G',
        ];
  let text = words[0] ?? '';
  for (const word of words.slice(1)) if (text.length + 3 + word.length <= size.columns) text += ` · ${word}`;
  const foot = cutLine([span(text, 'inverse')], size.columns);
  return [...foot, span(' '.repeat(Math.max(0, size.columns - lineWidth(foot))), 'inverse')];
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

function thousands(count: number): string {
  return count < 1000 ? String(count) : `${Math.round(count / 1000)}k`;
}
