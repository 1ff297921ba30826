import {visibleText} from '../../../base/visible-text.ts';
import type {AgentStatusChanged, ThreadEvent} from '../../../protocol/events.ts';
import type {HarnessItem, ThreadItem, ToolInvocationItem} from '../../../protocol/items.ts';
import type {Entry, ToolEntry} from './entry.ts';
import {
  answered,
  CHECK,
  checkOutputText,
  finishedCheck,
  finishedTool,
  startedCheck,
  startedTool,
  toolOutput,
  withOutput,
} from '../calls/tool-entry.ts';
import type {AgentLine, ScreenState} from './screen-state.ts';

/** Takes an event of the thread into the conversation. Events that a person need not see change nothing. */
export function applyEvent(state: ScreenState, event: ThreadEvent): ScreenState {
  const apply = APPLIED[event.type] as ((state: ScreenState, event: ThreadEvent) => ScreenState) | undefined;
  return apply === undefined ? state : apply(state, event);
}

const APPLIED: {readonly [Type in ThreadEvent['type']]?: (state: ScreenState, event: Extract<ThreadEvent, {type: Type}>) => ScreenState} = {
  'turn.started': startTurn,
  'item.started': (state, {item}) => startItem(heard(state), item),
  'item.updated': (state, event) => updateItem(heard(state), event),
  // That nothing comes is said by the harness itself.
  'item.completed': (state, {item}) => completeItem(item.type === 'harness' ? state : heard(state), item),
  'permission.requested': asksPerson,
  'permission.resolved': decided,
  'mode.changed': (state, {to}) => ({...state, info: {...state.info, mode: to}}),
  'thread.compact_boundary': compacted,
  'checkpoint.completed': (state, {notes}) => notes.reduce((next, note) => notice(next, 'warning', `Undo: ${note}`), state),
  // The retry that follows says why, or the end of the turn does.
  'request.failed': (state) => finalTexts(heard(state)),
  'agent.status': (state, event) => ({...heard(state), agents: withAgent(state.agents, event)}),
  'agent.event': (state, {agent_id: id, event}) => ({
    ...(isFromHarness(event) ? state : heard(state)),
    agents: doing(state.agents, id, event),
  }),
  'turn.completed': settled,
  'turn.failed': settled,
  error: (state, {message, hint}) => notice(state, 'error', [message, hint ?? ''].join(' ').trim()),
};

/** Adds a notice about a compaction, unless the person asked for it: then the command itself answers. */
function compacted(state: ScreenState, event: Extract<ThreadEvent, {type: 'thread.compact_boundary'}>): ScreenState {
  if (state.work?.what === 'command') return state;
  const {original_message_count: from, compacted_message_count: to} = event;
  const size = from === to ? '' : `: ${from} messages to ${to}`;
  return notice(state, 'info', `Conversation compacted${size}. The log keeps all of it.`);
}

function notice(state: ScreenState, level: 'info' | 'warning' | 'error', text: string): ScreenState {
  return add(state, {kind: 'notice', level, text});
}

/** With one more entry at the end. */
export function add(state: ScreenState, entry: Entry): ScreenState {
  return {...state, entries: [...state.entries, entry]};
}

function heard(state: ScreenState): ScreenState {
  return state.work === undefined ? state : {...state, work: {...state.work, heardAt: state.now}};
}

function startItem(state: ScreenState, item: ThreadItem): ScreenState {
  if (item.type === 'tool_invocation') {
    return add(state, startedTool({item, now: state.now}));
  }
  if (item.type === 'agent_message') return add(state, {kind: 'answer', id: item.id, text: visibleText(item.text), isFinal: false});
  if (item.type === 'reasoning')
    return add(state, {kind: 'reasoning', id: item.id, text: visibleText(item.text), isFinal: false, startedAt: state.now});
  return state;
}

type Updated = Extract<ThreadEvent, {type: 'item.updated'}>;

function updateItem(state: ScreenState, {item_id: id, item_type: type, delta, stream}: Updated): ScreenState {
  const at = state.entries.findLastIndex((entry) => 'id' in entry && entry.id === (type === 'command_execution' ? CHECK : id));
  const entry = state.entries[at];
  if (entry === undefined) {
    if (type !== 'agent_message' && type !== 'reasoning') return state;
    return updateItem(startText(state, {id, type}), {type: 'item.updated', item_id: id, item_type: type, delta, stream});
  }
  if (entry.kind === 'tool') return stream === undefined ? state : replace(state, at, withOutput(entry, delta));
  if (entry.kind !== 'answer' && entry.kind !== 'reasoning') return state;
  return replace(state, at, {...entry, text: entry.text + visibleText(delta)});
}

function startText(state: ScreenState, {id, type}: {readonly id: string; readonly type: 'agent_message' | 'reasoning'}): ScreenState {
  return add(
    state,
    type === 'agent_message'
      ? {kind: 'answer', id, text: '', isFinal: false}
      : {kind: 'reasoning', id, text: '', isFinal: false, startedAt: state.now},
  );
}

function completeItem(state: ScreenState, item: ThreadItem): ScreenState {
  switch (item.type) {
    case 'user_message':
      return item.origin === 'harness' ? state : withUser(state, item.text, item.input_id !== undefined);
    case 'agent_message':
    case 'reasoning':
      return completeText(state, item);
    case 'tool_invocation':
      return completeCall(state, item);
    case 'tool_output':
      return withTool(state, item.tool_call_id, (entry) => toolOutput(entry, item));
    case 'command_execution':
      return withTool(state, CHECK, (entry) => checkOutputText(entry, item));
    case 'todo_list':
      return {...state, todo: item.items.map(({content, status}) => ({text: visibleText(content).replaceAll('\n', ' '), status}))};
    case 'harness':
      return withHarnessEntry(state, item);
    case 'error':
      return notice(state, 'error', item.message);
    case 'plan':
      return add(state, {kind: 'answer', id: item.id, text: visibleText(item.text), isFinal: true});
    default:
      return state;
  }
}

/** Adds an action of the harness: checks of the work are entries like calls, all else is a notice. */
function withHarnessEntry(state: ScreenState, {event, message, command}: HarnessItem): ScreenState {
  const text = message ?? event.replaceAll('_', ' ');
  if (event === 'verification_started') return add(state, startedCheck({command: command ?? text, now: state.now}));
  if (event === 'verification_passed' || event === 'verification_failed') {
    const passed = event === 'verification_passed';
    return withTool(state, CHECK, (entry) => finishedCheck(entry, {passed, message: text, now: state.now}));
  }
  // The part of the reply that had arrived stays, and the next attempt starts over.
  return notice(event === 'model_retry' ? finalTexts(state) : state, 'warning', text);
}

/** Adds a message of the user, unless it is already shown because it was submitted here. */
function withUser(state: ScreenState, text: string, isSteered: boolean): ScreenState {
  const shown = visibleText(text).trim();
  const last = state.entries.findLast(({kind}) => kind === 'user');
  if (last?.kind === 'user' && (last.text === shown || (!isSteered && isCommand(state)))) return state;
  return add(state, {kind: 'user', text: shown, ...(isSteered ? {origin: 'steer'} : {})});
}

/** True if the message was made by a command or a skill: it is for the model, and the command itself is already shown. */
function isCommand({work, entries}: ScreenState): boolean {
  const last = entries.at(-1);
  return work !== undefined && last?.kind === 'user' && last.text.startsWith('/');
}

/** The task of a command is a turn like any other: it can be steered. */
function startTurn(state: ScreenState): ScreenState {
  return state.work?.what === 'command' ? {...state, work: {...state.work, what: 'turn'}} : state;
}

function completeText(state: ScreenState, item: Extract<ThreadItem, {type: 'agent_message' | 'reasoning'}>): ScreenState {
  const at = state.entries.findLastIndex((entry) => (entry.kind === 'answer' || entry.kind === 'reasoning') && entry.id === item.id);
  const entry = state.entries[at];
  const text = visibleText(item.text);
  if (entry?.kind === 'answer') return replace(state, at, {...entry, text, isFinal: true});
  if (entry?.kind === 'reasoning') return replace(state, at, {...entry, text, isFinal: true, durationMs: state.now - entry.startedAt});
  if (text.trim() === '') return state;
  return add(
    state,
    item.type === 'agent_message'
      ? {kind: 'answer', id: item.id, text, isFinal: true}
      : {kind: 'reasoning', id: item.id, text, isFinal: true, startedAt: state.now},
  );
}

/** A replay has no entry yet: it reports calls when they have ended. */
function completeCall(state: ScreenState, item: ToolInvocationItem): ScreenState {
  const isKnown = state.entries.some((entry) => entry.kind === 'tool' && entry.callId === item.tool_call_id);
  const started = isKnown ? state : add(state, startedTool({item, now: state.now}));
  return withTool(started, item.tool_call_id, (entry) => finishedTool(entry, item, state.now));
}

/** Changes the newest entry of a call, if there is one. */
function withTool(state: ScreenState, callId: string, change: (entry: ToolEntry) => ToolEntry): ScreenState {
  const at = state.entries.findLastIndex((entry) => entry.kind === 'tool' && entry.callId === callId);
  const entry = state.entries[at];
  return entry?.kind === 'tool' ? replace(state, at, change(entry)) : state;
}

function asksPerson(state: ScreenState, {tool_call_id: id}: Extract<ThreadEvent, {type: 'permission.requested'}>): ScreenState {
  return withTool(state, id, (entry) => ({...entry, asksSince: state.now}));
}

function decided(state: ScreenState, event: Extract<ThreadEvent, {type: 'permission.resolved'}>): ScreenState {
  const part = event.partial === true ? ' in part' : '';
  const decision = `${event.decision}${part} by ${event.decided_by}${event.rule === undefined ? '' : `, rule ${event.rule}`}`;
  return withTool(state, event.tool_call_id, (entry) => answered({...entry, decision}, event.wait_ms));
}

/** Settles a finished turn: none of its entries will change any more. */
export function settled(state: ScreenState): ScreenState {
  const {entries} = finalTexts(state);
  return {
    ...state,
    entries: entries.map((entry): Entry => (entry.kind === 'tool' && entry.state === 'running' ? leftOpen(entry, state.now) : entry)),
  };
}

/** Open entries get no more text. */
function finalTexts(state: ScreenState): ScreenState {
  const entries = state.entries.map((entry): Entry =>
    (entry.kind === 'answer' || entry.kind === 'reasoning') && !entry.isFinal ? {...entry, isFinal: true} : entry,
  );
  return {...state, entries};
}

/** A call whose turn has ended: its question was not answered. */
function leftOpen(entry: ToolEntry, now: number): ToolEntry {
  const waited = entry.asksSince === undefined ? 0 : now - entry.asksSince;
  return {...answered(entry, waited), state: 'cancelled', durationMs: now - entry.startedAt};
}

function replace(state: ScreenState, at: number, entry: Entry): ScreenState {
  return {...state, entries: state.entries.with(at, entry)};
}

function withAgent(agents: readonly AgentLine[], event: AgentStatusChanged): readonly AgentLine[] {
  if (event.role === 'planner' || event.role === 'evaluator') return agents;
  const others = agents.filter(({id}) => id !== event.agent_id);
  if (event.status === 'closed' || event.status === 'completed') return others;
  const line: AgentLine = {id: event.agent_id, profile: event.agent, status: event.status, task: visibleText(event.task)};
  return [...others, event.message === undefined ? line : {...line, doing: visibleText(event.message)}];
}

function isFromHarness(event: {readonly type: string; readonly item?: unknown}): boolean {
  const {item} = event as {item?: {type?: string}};
  return event.type === 'item.completed' && item?.type === 'harness';
}

function doing(agents: readonly AgentLine[], id: string, event: {readonly type: string; readonly item?: unknown}): readonly AgentLine[] {
  const {item} = event as {item?: {type?: string; tool_name?: string; arguments?: string}};
  if (event.type !== 'item.started' || item?.type !== 'tool_invocation') return agents;
  const text = visibleText(`${item.tool_name ?? ''} ${item.arguments ?? ''}`)
    .replaceAll(/\s+/g, ' ')
    .slice(0, 200);
  return agents.map((agent) => (agent.id === id ? {...agent, doing: text} : agent));
}
