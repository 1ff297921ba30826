import {counted} from '../../../base/counted.ts';
import {scopedPath} from '../../../context/instructions/instruction.ts';
import type {ThreadEvent} from '../../../protocol/events.ts';
import type {EditorActionItem, TodoListItem, UserMessageItem} from '../../../protocol/items.ts';
import {visibleText} from '../../../base/visible-text.ts';
import type {Output} from './output.ts';

/** Shows on stderr what happens while a turn runs: one line for each step. Text of models and tools never steers the terminal. */
export function createProgress({note, paint}: Output): (event: ThreadEvent) => void {
  return (event) => {
    const line = lineOf(event);
    if (line === undefined) return;
    const shown = visibleText(line.text);
    note(line.style === undefined ? shown : paint(line.style, shown));
  };
}

interface Line {
  readonly text: string;
  readonly style?: 'dim' | 'red' | 'yellow' | 'green' | 'cyan';
}

function lineOf(event: ThreadEvent): Line | undefined {
  const line = LINES[event.type] as ((event: ThreadEvent) => Line | undefined) | undefined;
  return line?.(event);
}

/** Events that are not named here are not shown. */
const LINES: {readonly [Type in ThreadEvent['type']]?: (event: Extract<ThreadEvent, {type: Type}>) => Line | undefined} = {
  'thread.started': ({model, cwd, thread_id: id}) => ({text: `${model} in ${cwd} (session ${id})`, style: 'dim'}),
  'item.started': ({item}) =>
    item.type === 'tool_invocation' ? {text: `> ${item.tool_name} ${brief(item.arguments)}`, style: 'cyan'} : undefined,
  'item.updated': ({stream, delta}) => (stream === 'progress' ? {text: `  ${delta.trimEnd()}`, style: 'dim'} : undefined),
  'item.completed': ({item}) => itemLine(item),
  'permission.resolved': ({decision, tool_name: tool, decided_by: by}) =>
    decision === 'deny' ? {text: `  denied: ${tool} (${by})`, style: 'yellow'} : undefined,
  'checkpoint.completed': ({notes}) => undoGaps(notes),
  'thread.compact_boundary': ({original_message_count: from, compacted_message_count: to}) => ({
    text: `conversation shortened: ${counted(from, 'message')} to ${to}`,
    style: 'dim',
  }),
  'turn.completed': (event) => ({text: totals(event), style: 'dim'}),
  'turn.failed': (event) => ({text: totals(event), style: 'dim'}),
  // What a call or the harness waits for has lines of its own.
  'agent.status': ({agent_id: id, status, message, role}) =>
    role === undefined ? {text: `  ${id} ${status}${message === undefined ? '' : `: ${message}`}`, style: 'dim'} : undefined,
  error: ({message}) => ({text: message, style: 'red'}),
};

/** Lists the changes of a turn that cannot be undone. */
function undoGaps(notes: readonly string[]): Line | undefined {
  return notes.length === 0 ? undefined : {text: notes.map((note) => `undo: ${note}`).join('\n'), style: 'yellow'};
}

type Item = Extract<ThreadEvent, {type: 'item.completed'}>['item'];

function itemLine(item: Item): Line | undefined {
  if (item.type === 'agent_message' && item.text.trim() !== '') return {text: item.text.trim()};
  if (item.type === 'user_message') return usageLine(item);
  if (item.type === 'harness') return {text: item.message ?? item.event, style: 'yellow'};
  if (item.type === 'todo_list') return {text: `  ${todoLine(item.items)}`, style: 'cyan'};
  if (item.type === 'editor_action') return {text: `  ${editorLine(item)}`, style: 'dim'};
  if (item.type !== 'tool_output') return undefined;
  const summary = firstLine(item.summary ?? item.output);
  return item.is_error ? {text: `  failed: ${summary}`, style: 'red'} : {text: `  ${summary}`, style: 'dim'};
}

/** Instructions of a folder, or a rule, added for the model. */
function usageLine({origin, text}: UserMessageItem): Line | undefined {
  const path = origin === 'harness' ? scopedPath(text) : undefined;
  return path === undefined ? undefined : {text: `  instructions: ${path}`, style: 'dim'};
}

/** Progress of the task list, and the current task. */
function todoLine(items: TodoListItem['items']): string {
  const open = items.filter(({status}) => status !== 'cancelled');
  const done = open.filter(({status}) => status === 'completed').length;
  const now = items.filter(({status}) => status === 'in_progress').map(({content}) => content);
  return [`todo ${done}/${open.length}`, ...now].join(' · ');
}

function editorLine({action, path, line, column}: EditorActionItem): string {
  const place = [path, line, column].filter((part) => part !== undefined).join(':');
  return `editor: ${action.replaceAll('_', ' ')}${place === '' ? '' : ` ${place}`}`;
}

interface Spent {
  readonly usage: {readonly input_tokens: number; readonly cached_input_tokens: number; readonly output_tokens: number};
  readonly cost_usd: number | null;
  readonly num_requests: number;
  readonly duration_ms: number;
}

function totals({usage, cost_usd: cost, num_requests: requests, duration_ms: ms}: Spent): string {
  const cached = usage.cached_input_tokens > 0 ? ` (${usage.cached_input_tokens} cached)` : '';
  const price = cost === null || cost === 0 ? '' : `, $${cost.toFixed(4)}`;
  const plural = requests === 1 ? 'request' : 'requests';
  return `${requests} ${plural}, ${usage.input_tokens} tokens in${cached}, ${usage.output_tokens} out${price}, ${(ms / 1000).toFixed(1)} s`;
}

/** Arguments on one line: the value if there is one, else the JSON text. */
function brief(json: string): string {
  const text = json.replaceAll(/\s+/g, ' ');
  return text.length > 160 ? `${text.slice(0, 157)}…` : text;
}

function firstLine(text: string): string {
  const line = text.trim().split('\n', 1)[0] ?? '';
  return line.length > 160 ? `${line.slice(0, 157)}…` : line;
}
