import {visibleText} from '../../../base/visible-text.ts';
import type {CommandExecutionItem, ToolInvocationItem, ToolOutputItem} from '../../../protocol/items.ts';
import type {ToolEntry} from '../model/entry.ts';

/** Characters of running output kept for the live block; the log has the full output. */
const KEPT_OUTPUT = 16 * 1024;

export function startedTool({item, now}: {readonly item: ToolInvocationItem; readonly now: number}): ToolEntry {
  return {
    kind: 'tool',
    id: item.id,
    callId: item.tool_call_id,
    tool: visibleText(item.tool_name),
    arguments: item.arguments,
    state: 'running',
    startedAt: now,
    output: '',
  };
}

/** A command that verifies the work: no model called it, and its item comes when it has ended. */
export function startedCheck({command, now}: {readonly command: string; readonly now: number}): ToolEntry {
  const words = JSON.stringify({command});
  return {kind: 'tool', id: CHECK, callId: CHECK, tool: 'check', arguments: words, state: 'running', startedAt: now, output: ''};
}

/** Names the running check; there is one at a time. */
export const CHECK = 'check';

export function checkOutputText(entry: ToolEntry, item: CommandExecutionItem): ToolEntry {
  return {...entry, output: visibleText(item.aggregated_output)};
}

/** @param message How it ended, for a person. */
export function finishedCheck(entry: ToolEntry, {passed, message, now}: {passed: boolean; message: string; now: number}): ToolEntry {
  const summary = visibleText(message).split('\n', 1)[0] ?? '';
  return {...entry, id: '', callId: '', state: passed ? 'success' : 'error', durationMs: now - entry.startedAt, summary};
}

/** Adds one more piece of the tool's running output. */
export function withOutput(entry: ToolEntry, piece: string): ToolEntry {
  const output = entry.output + visibleText(piece);
  return {...entry, output: output.length > KEPT_OUTPUT ? output.slice(-KEPT_OUTPUT) : output};
}

export function finishedTool(entry: ToolEntry, item: ToolInvocationItem, now: number): ToolEntry {
  return {
    ...entry,
    arguments: item.arguments,
    state: item.outcome ?? (item.status === 'failed' ? 'error' : 'success'),
    durationMs: item.duration_ms ?? now - entry.startedAt,
  };
}

/** A question about it was answered, or decided without one. @param waitMs Milliseconds. */
export function answered(asking: ToolEntry, waitMs: number): ToolEntry {
  const {asksSince: _asked, ...entry} = asking;
  return waitMs === 0 ? entry : {...entry, waitedMs: (entry.waitedMs ?? 0) + waitMs};
}

/** Returns the time that it has run, without the time that it waited for a person. Milliseconds. */
export function runMs({startedAt, durationMs, waitedMs = 0, asksSince}: ToolEntry, now: number): number {
  const waits = asksSince === undefined || durationMs !== undefined ? 0 : now - asksSince;
  return Math.max(0, (durationMs ?? now - startedAt) - waitedMs - waits);
}

/** Adds the text shown to the model; it comes before or after the end of the call. */
export function toolOutput(entry: ToolEntry, item: ToolOutputItem): ToolEntry {
  const output = visibleText(item.output);
  const summary = item.summary === undefined ? undefined : visibleText(item.summary).split('\n', 1)[0];
  return {...entry, output, ...(summary === undefined ? {} : {summary})};
}
