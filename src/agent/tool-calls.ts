import * as z from 'zod/mini';
import {newId} from '../base/ids.ts';
import {isJsonObject} from '../base/json.ts';
import type {ThreadEvent} from '../protocol/events.ts';
import type {ApprovalRequest, DispatchListener, DispatchResult, Dispatcher, ResolvedPermission} from '../tools/dispatch/dispatch.ts';
import type {Subject} from '../policy/decision.ts';
import {isReadOnly} from '../protocol/side-effect.ts';
import {commandResult, overrun as overrunSchema} from '../tools/operations/exec/run-shell.ts';
import {commandLines} from './guards/command-lines.ts';
import type {ObservedCall, ProgressVerdict, ShownLines} from './guards/observed-call.ts';
import {createProgressGuard} from './guards/progress-guard.ts';
import {BEYOND_LIMIT, MAX_CALLS, notRun} from './replies/call-limit.ts';
import {cutCallText} from './replies/cut-reply.ts';
import type {AnnouncedCall} from './replies/received-reply.ts';
import type {BatchReport} from './turn-context.ts';

export interface ToolCalls {
  /** Runs the calls of one reply that are complete, at most the first 64; the items of all are complete when it resolves. */
  run(calls: readonly AnnouncedCall[], turnId: string, signal: AbortSignal): Promise<BatchReport>;
  /** Takes every event of the thread: after the conversation was shortened, the model may read the same things again. */
  observe(event: ThreadEvent): void;
}

export interface ToolCallsOptions {
  readonly createDispatcher: (scope: CallScope) => Dispatcher;
  readonly emit: (event: ThreadEvent) => void;
  /** Milliseconds. Absent: the clock of the system. */
  readonly now?: (() => number) | undefined;
}

/** The running calls, as the dispatcher reports on them. */
export interface CallScope {
  /** The dispatcher must report to this listener. */
  readonly listener: DispatchListener;
  /** The turn that runs. */
  turnId(): string;
  /** Counts a call as refused, because a call of a subagent that it started was. */
  refuse(callId: string): void;
}

/** Turns the work of the dispatcher into events. Plan mode is meant to refuse calls, so such a call is not reported as denied. */
export function createToolCalls({createDispatcher, emit, now = () => performance.now()}: ToolCallsOptions): ToolCalls {
  let batch: Batch = {turnId: '', started: new Map(), refused: new Set()};
  const guard = createProgressGuard(now);

  const listener: DispatchListener = {
    onOutput({callId, stream, text}) {
      const itemId = batch.started.get(callId)?.itemId;
      if (itemId !== undefined) {
        emit({type: 'item.updated', turn_id: batch.turnId, item_id: itemId, item_type: 'tool_invocation', delta: text, stream});
      }
    },
    onItem({item}) {
      emit({type: 'item.completed', turn_id: batch.turnId, item: {id: newId('itm'), ...item}});
    },
    onPermissionRequested: (request) => emit(permissionRequested(request, batch.turnId)),
    onPermissionResolved(resolved) {
      if (resolved.decision === 'deny' && resolved.decidedBy !== 'mode:plan') batch.refused.add(resolved.callId);
      emit(permissionResolved(resolved, batch.turnId));
    },
    onResult(result) {
      const call = batch.started.get(result.callId);
      if (call === undefined) return;
      for (const item of itemsOf(call, result)) emit({type: 'item.completed', turn_id: batch.turnId, item});
    },
  };
  const dispatcher = createDispatcher({listener, turnId: () => batch.turnId, refuse: (callId) => void batch.refused.add(callId)});

  return {
    observe(event) {
      if (event.type === 'thread.compact_boundary') guard.forget();
    },
    async run(calls, turnId, signal) {
      if (turnId !== batch.turnId) guard.forget();
      batch = {turnId, started: new Map(calls.map((call) => [call.call.id, call])), refused: new Set()};
      const whole = calls.filter(({isCut}) => !isCut);
      const admitted = whole.slice(0, MAX_CALLS);
      const results = await dispatcher.dispatchAll(
        admitted.map(({call}) => ({id: call.id, name: call.name, arguments: call.arguments})),
        signal,
      );
      for (const call of whole.slice(MAX_CALLS)) listener.onResult?.(notRun(call, BEYOND_LIMIT));
      for (const call of calls.filter(({isCut}) => isCut)) listener.onResult?.(notRun(call, cutCallText(call)));
      const {refused} = batch;
      const {note, stop} = admitted.length === 0 ? NOTHING_RAN : guard.judge(observed(admitted, results));
      return {
        denied: results.filter((result) => refused.has(result.callId)).map((result) => result.toolName),
        loop: results.find((result) => result.outcome === 'loop')?.summary ?? stop,
        note,
      };
    },
  };
}

/** Replies that are cut before anything ran have a bound of their own (`replies/cut-reply.ts`). */
const NOTHING_RAN: ProgressVerdict = {};

interface Batch {
  readonly turnId: string;
  readonly started: ReadonlyMap<string, AnnouncedCall>;
  readonly refused: Set<string>;
}

function observed(calls: readonly AnnouncedCall[], results: readonly DispatchResult[]): ObservedCall[] {
  const originals = new Map(calls.map(({call}) => [call.id, call.arguments]));
  return results.map((result) => {
    const shown = isReadOnly(result.sideEffect) ? shownLines(result.structured) : shownByCommand(result);
    return {
      toolName: result.toolName,
      arguments: originals.get(result.callId) ?? '',
      key: result.key,
      text: withoutNotes(result),
      isError: result.isError,
      isRead: isReadOnly(result.sideEffect),
      // Lines of a file are read again, not waited for.
      mayWait: shown === undefined && result.mayWait,
      command: result.command?.line,
      hasChanges: result.changes.length > 0,
      shown,
    };
  });
}

/** Reports the lines shown by a tool that reads a part of a file. */
function shownLines(structured: unknown): ShownLines | undefined {
  if (!isJsonObject(structured)) return undefined;
  const {path, firstLine, lines} = structured;
  if (typeof path !== 'string' || typeof firstLine !== 'number' || !Array.isArray(lines)) return undefined;
  return lines.every((line) => typeof line === 'string') ? {path, firstLine, lines} : undefined;
}

/** Returns the lines shown by a command that prints a part of a file and does nothing else. */
function shownByCommand({command, structured, spoolPath}: DispatchResult): ShownLines | undefined {
  if (command?.exitCode !== 0 || spoolPath !== undefined) return undefined;
  const {data} = commandResult.safeParse(structured);
  if (data === undefined || data.stdout.truncated || data.stderr.totalBytes > 0) return undefined;
  return commandLines(command.line, data.stdout.head);
}

/** Without the notes of the harness after a result: a note about repetition or the path of the full text does not make it a different one. */
function withoutNotes({text, notes, spoolPath}: DispatchResult): string {
  const bare = notes.reduce((rest, note) => rest.replaceAll(`\n[note: ${note}]`, '').replaceAll(note, ''), text);
  return spoolPath === undefined ? bare : bare.replaceAll(spoolPath, '');
}

type Item = Extract<ThreadEvent, {type: 'item.completed'}>['item'];

/** The invocation first, then its effects, then the text for the model. */
function itemsOf({itemId, requestId, call}: AnnouncedCall, result: DispatchResult): Item[] {
  const status = result.isError ? 'failed' : 'completed';
  const items: Item[] = [
    {
      id: itemId,
      request_id: requestId,
      type: 'tool_invocation',
      tool_name: result.toolName,
      tool_call_id: call.id,
      arguments: call.arguments,
      status,
      outcome: result.outcome,
      duration_ms: result.durationMs,
      ...(result.fromCache === true ? {from_cache: true} : {}),
      native: call.native,
    },
  ];
  if (result.command !== undefined) {
    const {line, exitCode} = result.command;
    const ran = {command: line, aggregated_output: result.text, exit_code: exitCode, ...endedBy(result.structured)};
    items.push({id: newId('itm'), type: 'command_execution', ...ran, status});
  }
  if (result.changes.length > 0) {
    const changes = result.changes.map(({path, kind}) => ({path, kind}));
    items.push({id: newId('itm'), type: 'file_change', changes, status: 'completed'});
  }
  items.push({
    id: `${itemId}:output`,
    request_id: requestId,
    type: 'tool_output',
    call_id: itemId,
    tool_call_id: call.id,
    tool_name: result.toolName,
    output: result.text,
    is_error: result.isError,
    summary: result.summary,
    spool_path: result.spoolPath,
    status,
  });
  return items;
}

/** The event for a question to a person. */
export function permissionRequested({callId, toolName, subjects, decision}: ApprovalRequest, turnId: string): ThreadEvent {
  const call = {turn_id: turnId, tool_call_id: callId, tool_name: toolName};
  return {type: 'permission.requested', ...call, subjects: subjects.map(subjectText), reason: decision.reason};
}

/** The event for a decision about a call. */
export function permissionResolved(resolved: ResolvedPermission, turnId: string): ThreadEvent {
  const {callId, toolName, decision, partial, decidedBy, rule, waitMs, allowRules, allowMode} = resolved;
  return {
    type: 'permission.resolved',
    turn_id: turnId,
    tool_call_id: callId,
    tool_name: toolName,
    decision,
    ...(partial === undefined ? {} : {partial}),
    decided_by: decidedBy,
    rule,
    ...(allowRules === undefined ? {} : {allow_rules: [...allowRules]}),
    allow_mode: allowMode,
    wait_ms: waitMs,
  };
}

function subjectText(subject: Subject): string {
  if (subject.kind === 'command') return subject.command;
  return subject.kind === 'name' ? subject.name : subject.path;
}

/** Finds the cause in the result of a command, or in the end of a session. */
function endedBy(structured: unknown): {readonly ended_by?: 'memory' | 'disk'} {
  const {data} = END.safeParse(structured);
  const found = data?.overrun ?? data?.ended?.overrun;
  return found === undefined ? {} : {ended_by: found.resource};
}

const OVERRUN = z.optional(overrunSchema);
const END = z.object({overrun: OVERRUN, ended: z.optional(z.nullable(z.object({overrun: OVERRUN})))});
