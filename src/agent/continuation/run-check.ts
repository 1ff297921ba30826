import * as z from 'zod/mini';
import {newId} from '../../base/ids.ts';
import {checkFlaw} from '../../policy/shell/ineffective-check.ts';
import type {ThreadEvent} from '../../protocol/events.ts';
import type {DispatcherOptions, DispatchListener, DispatchResult, ResolvedPermission} from '../../tools/dispatch/dispatch.ts';
import {createDispatcher} from '../../tools/dispatch/dispatcher.ts';
import {runCheck} from '../../tools/operations/exec/run-check.ts';
import {permissionRequested, permissionResolved} from '../tool-calls.ts';
import {CAPTURE, commandOutput} from '../../tools/toolsets/fettle/fettle-output.ts';
import {failed} from '../../tools/toolsets/exit-text.ts';
import {defineTool, type Tool, type Toolset} from '../../tools/toolset.ts';
import {describeCheck, type CheckResult} from './check-result.ts';
import {harnessEvent} from './harness-event.ts';

export interface CheckRunnerOptions {
  /** The dispatcher of the thread: its rules, person, hooks, checkpoints and sandbox hold for checks, too. */
  readonly dispatcher: Omit<DispatcherOptions, 'listener'>;
  readonly emit: (event: ThreadEvent) => void;
  /** A check still running after this time counts as not verified. */
  readonly timeoutMs: number;
}

export interface Check {
  readonly command: string;
  /** True if the person named the command for this run: it needs no approval, but a deny rule still applies. */
  readonly fromPerson: boolean;
  readonly turnId: string;
}

/** Runs a command that verifies the work, like any command of the thread, to its end, and reports it. Never throws. */
export function createCheckRunner(options: CheckRunnerOptions): (check: Check, signal: AbortSignal) => Promise<CheckResult> {
  return async (check, signal) => {
    const {emit, dispatcher} = options;
    const {command, turnId} = check;
    if (!check.fromPerson && !dispatcher.toolset.tools.some(runsCommands)) return switchedOff(command);
    emit(harnessEvent(turnId, {event: 'verification_started', message: `verifying: ${command}`, command}));
    const flaw = await flawOf(check);
    if (flaw !== undefined) {
      emit(harnessEvent(turnId, {event: 'verification_failed', message: flaw, command, exit_code: null}));
      return {command, state: 'failed', exitCode: null, output: flaw, durationMs: 0};
    }
    const itemId = newId('itm');
    let allowMode: string | undefined;
    const onDenied = (denied: ResolvedPermission): void => void ({allowMode} = denied);
    const result = await dispatched(options, {...check, itemId, onDenied}, signal);
    const checked = checkResult(command, result, allowMode);
    const status = checked.state === 'passed' ? 'completed' : 'failed';
    const item = {
      id: itemId,
      type: 'command_execution',
      command,
      aggregated_output: result.text,
      exit_code: checked.exitCode,
      status,
    } as const;
    // A command that was not run has no output of its own.
    if (checked.state !== 'denied') emit({type: 'item.completed', turn_id: turnId, item});
    const event = checked.state === 'passed' ? 'verification_passed' : 'verification_failed';
    emit(harnessEvent(turnId, {event, message: describeCheck(checked), command, exit_code: checked.exitCode}));
    return checked;
  };
}

/** Returns why the command is not run: it would prove nothing. A person may name a command that always passes; the end of the run reports that. */
async function flawOf({command, fromPerson}: Check): Promise<string | undefined> {
  const flaw = await checkFlaw(command);
  if (flaw === 'empty') return 'It runs no command, so nothing was verified.';
  return flaw === 'constant' && !fromPerson
    ? 'It ends with 0 whatever happens, so it verifies nothing. Name a command that can fail.'
    : undefined;
}

interface Dispatched extends Check {
  readonly itemId: string;
  readonly onDenied: (denied: ResolvedPermission) => void;
}

async function dispatched(
  {dispatcher, emit, timeoutMs}: CheckRunnerOptions,
  check: Dispatched,
  signal: AbortSignal,
): Promise<DispatchResult> {
  const {command, fromPerson, turnId, itemId, onDenied} = check;
  const tool = checkTool(dispatcher.toolset, timeoutMs);
  return await createDispatcher({
    ...dispatcher,
    toolset: {...dispatcher.toolset, tools: [tool], deferred: undefined, accepts: undefined, refusal: undefined},
    ...(fromPerson ? {approve: async () => ({decision: 'allow'}) as const} : {}),
    listener: listenerOf(emit, {turnId, itemId, onDenied}),
  }).dispatch({id: newId('call'), name: tool.name, arguments: JSON.stringify({command})}, signal);
}

/** Finds the command tool of the toolset, so that rules for its name apply. */
function checkTool(toolset: Toolset, timeoutMs: number): Tool {
  return defineTool({
    name: toolset.tools.find(runsCommands)?.name ?? 'bash',
    description: 'Verify.',
    input: z.object({command: z.string()}),
    operation: runCheck,
    toArgs: ({command}) => ({command, timeoutMs, ...CAPTURE}),
    render: (result, {command}) => ({
      text: commandOutput(result),
      summary: command,
      isError: failed(result),
      command: {line: command, exitCode: result.exitCode},
    }),
  });
}

function runsCommands({permission}: Tool): boolean {
  return permission === runCheck.permission;
}

/** If the model has no tool for commands, items with checks must not give it one. */
function switchedOff(command: string): CheckResult {
  return {command, state: 'denied', exitCode: null, output: 'Commands are switched off in this session.', durationMs: 0};
}

function listenerOf(
  emit: (event: ThreadEvent) => void,
  {turnId, itemId, onDenied}: Pick<Dispatched, 'turnId' | 'itemId' | 'onDenied'>,
): DispatchListener {
  return {
    onOutput: ({stream, text}) =>
      emit({type: 'item.updated', turn_id: turnId, item_id: itemId, item_type: 'command_execution', delta: text, stream}),
    onPermissionRequested: (request) => emit(permissionRequested(request, turnId)),
    onPermissionResolved(resolved) {
      if (resolved.decision === 'deny') onDenied(resolved);
      emit(permissionResolved(resolved, turnId));
    },
  };
}

/** Only an observed exit code counts. */
function checkResult(command: string, result: DispatchResult, allowMode: string | undefined): CheckResult {
  const {outcome, text, durationMs, structured} = result;
  const exitCode = result.command?.exitCode ?? null;
  const common = {command, exitCode, output: text, durationMs};
  if (outcome === 'denied') return {...common, state: 'denied', hint: withMode(hintOf(structured), allowMode)};
  if (outcome === 'cancelled') return {...common, state: 'cancelled'};
  if (hasTimedOut(structured)) return {...common, state: 'timed_out'};
  return {...common, state: outcome === 'success' && exitCode === 0 ? 'passed' : 'failed'};
}

function withMode(hint: string | undefined, mode: string | undefined): string | undefined {
  return mode === undefined ? hint : [hint, `A mode that would allow it: ${mode}`].filter((part) => part !== undefined).join('\n  ');
}

function hintOf(structured: unknown): string | undefined {
  return typeof structured === 'object' && structured !== null && 'hint' in structured && typeof structured.hint === 'string'
    ? structured.hint
    : undefined;
}

function hasTimedOut(structured: unknown): boolean {
  return typeof structured === 'object' && structured !== null && 'timedOut' in structured && structured.timedOut === true;
}
