import {hash} from 'node:crypto';
import {toFettleError} from '../../base/errors.ts';
import {createRedactor, type Redactor} from '../../base/redact.ts';
import {addNotes} from '../output/add-notes.ts';
import {hookCall, type AdmittedCall} from './admit-call.ts';
import {boundOutput} from '../output/bound-output.ts';
import type {CallOutcome} from './call-outcome.ts';
import type {DispatcherOptions, DispatchResult} from './dispatch.ts';
import {mayWait, WARN_AT, type LoopGuard} from './loop-guard.ts';
import {comparableOutput} from './repetition/comparable-output.ts';

export interface FinishedCall {
  readonly admitted: AdmittedCall;
  readonly toolName: string;
  readonly outcome: CallOutcome;
  readonly durationMs: number;
}

export interface FinisherOptions {
  readonly options: DispatcherOptions;
  readonly redactor: Redactor;
  readonly guard: LoopGuard;
}

/** Creates the stages that follow a call: redact, bound and spool, post-tool hooks, notes, listener. Runs in call order; never rejects. */
export function createFinisher({
  options,
  redactor,
  guard,
}: FinisherOptions): (finished: FinishedCall, signal: AbortSignal) => Promise<DispatchResult> {
  const keepable = createRedactor({secrets: options.secrets, shapes: true});
  return async (finished, signal) => {
    const {admitted, outcome, toolName, durationMs} = finished;
    const whole = redactor.text((outcome.text === '' ? '(no output)' : outcome.text).toWellFormed());
    const spool = {dir: options.spoolDir, spoolPath: outcome.spoolPath, isJson: outcome.isJson, clean: keepable.text};
    const bounded = await boundOutput(whole, options.toolset.outputBound, spool);
    const hooked = await applyPostHooks(options, {...finished, text: bounded.text}, signal);
    const notes = [...hooked.notes, ...(admitted.ok ? admitted.warnings : []), ...loopNotes(guard, finished)];
    const result: DispatchResult = {
      callId: admitted.call.id,
      toolName,
      key: admitted.key,
      sideEffect: admitted.tool?.sideEffect ?? 'pure',
      mayWait: waits(admitted),
      outcome: outcome.outcome,
      text: withNotes(
        {text: hooked.text === whole ? whole : redactor.text(hooked.text), isJson: outcome.isJson},
        {notes, contexts: hooked.contexts.map(redactor.text)},
      ),
      summary: redactor.text(outcome.summary),
      structured: redactor.value(outcome.structured),
      isError: outcome.isError,
      changes: outcome.changes,
      spoolPath: bounded.spoolPath,
      command: outcome.command,
      repairs: admitted.ok ? admitted.repairs : [],
      notes: [...(outcome.notes ?? []), ...notes].map(redactor.text),
      durationMs,
      ...(outcome.fromCache === true ? {fromCache: true} : {}),
    };
    options.listener?.onResult?.(result);
    return result;
  };
}

function waits({ok, tool}: AdmittedCall): boolean {
  return ok && tool !== undefined && mayWait(tool);
}

/** Adds notes and the contexts of hooks, set apart so that they are not taken for part of the result. */
function withNotes(
  {text, isJson}: {text: string; isJson: boolean | undefined},
  {notes, contexts}: {notes: readonly string[]; contexts: readonly string[]},
): string {
  const noted = addNotes({text, isJson}, notes, (note) => `[note: ${note}]`);
  return addNotes({text: noted, isJson}, contexts, (context) => `[hook: ${context}]`);
}

interface Finished {
  readonly text: string;
  readonly notes: readonly string[];
  readonly contexts: readonly string[];
}

async function applyPostHooks(options: DispatcherOptions, finished: FinishedCall & {text: string}, signal: AbortSignal): Promise<Finished> {
  const {admitted, outcome} = finished;
  const notes: string[] = [];
  const contexts: string[] = [];
  let {text} = finished;
  if (!admitted.ok || !outcome.ran) return {text, notes, contexts};
  contexts.push(...(admitted.hooked?.contexts ?? []));
  for (const hook of options.postHooks ?? []) {
    try {
      const {isError} = outcome;
      const said = await hook(hookCall(admitted), {text, isError, durationMs: finished.durationMs}, signal);
      text = said?.text ?? text;
      if (said?.context !== undefined) contexts.push(said.context);
    } catch (error) {
      notes.push(`a hook after this call failed: ${toFettleError(error).message}`);
    }
  }
  return {text, notes, contexts};
}

function loopNotes(guard: LoopGuard, {admitted, outcome}: FinishedCall): string[] {
  if (outcome.outcome === 'loop' || outcome.outcome === 'cancelled') return [];
  // The name of a spool file differs each time, which does not make the result different.
  const shown = outcome.spoolPath === undefined ? outcome.text : outcome.text.replaceAll(outcome.spoolPath, '');
  const isFailedCommand = outcome.isError && outcome.command !== undefined;
  const digest = hash('sha256', isFailedCommand ? comparableOutput(shown) : shown);
  const {times, stopAt} = guard.record(admitted.key, {digest, isFailedCommand, mayWait: waits(admitted)});
  if (times < WARN_AT || stopAt === undefined) return [];
  return [`the same call gave the same result ${times} times in a row; the ${stopAt}th is not run. Change something, or try another way.`];
}
