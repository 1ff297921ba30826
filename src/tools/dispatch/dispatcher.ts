import {join} from 'node:path';
import {FettleError, toFettleError} from '../../base/errors.ts';
import {createRedactor, type Redactor} from '../../base/redact.ts';
import {isReadOnly} from '../../protocol/side-effect.ts';
import {addNotes} from '../output/add-notes.ts';
import {admitCall, applyPreHooks, hookCall, type AcceptedCall, type AdmittedCall} from './admit-call.ts';
import {errorOutcome, replyOutcome, type CallOutcome} from './call-outcome.ts';
import {createCallPreview} from './call-preview.ts';
import {confined} from './confined-workspace.ts';
import type {ToolContext} from '../context.ts';
import type {Dispatcher, DispatcherOptions, DispatchListener, DispatchResult, ToolCall} from './dispatch.ts';
import {reportingLosses} from '../file-memory.ts';
import {createFinisher, type FinishedCall} from './finish-call.ts';
import {guardSearch} from './guard-search.ts';
import {isHarmlessLine} from './harmless-line.ts';
import {createLoopGuard, type LoopGuard} from './loop-guard.ts';
import type {NestedCalls} from '../ports/nested-calls.ts';
import {nestedCalls, requireReadOnly} from './nested-dispatch.ts';
import {createOneAtATime} from '../mutex.ts';
import {createPermissionStage, type Allowance, type PermissionQuery, type PermissionStage} from './permission.ts';
import {planSteps, type PlannedCall} from './call-order.ts';
import {pinnedWorkspace} from '../../workspace/pinned-workspace.ts';
import {createResultCache, type ResultCache} from './result-cache.ts';
import {reuseResult} from './reuse-result.ts';
import {runCall} from './run-call.ts';
import {streamOutput} from './stream-output.ts';
import type {PreparedCall, ResolvedCall, ToolReply} from '../toolset.ts';
import {verifyChanges} from './verifier.ts';

/**
 * Creates a dispatcher. The stages of a call, in order: name and arguments → pre-tool hooks → loop guard →
 * permission → cache (of tools that name a key: none of ours does, see ARCHITECTURE.md) → checkpoint → run →
 * verifiers → redact → bound and spool → post-tool hooks → listener.
 */
export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const redactor = createRedactor({secrets: options.secrets, shapes: false});
  const guard = createLoopGuard(options.now ?? monotonicNow);
  const asking = options.asking ?? createOneAtATime();
  const stages: Stages = {
    options,
    redactor,
    guard,
    results: options.results ?? createResultCache(),
    permission: createPermissionStage({...options, asking}),
    // Not reported as a refusal, because hosts attribute one to the call it names: a check that may not run does not affect the change.
    verifierPermission: createPermissionStage({...options, asking, listener: undefined}),
    finish: createFinisher({options, redactor, guard}),
  };
  const dispatchAll: Dispatcher['dispatchAll'] = (calls, signal) => runBatch(stages, calls, signal);
  return {
    dispatchAll,
    async dispatch(call, signal) {
      const [result] = await dispatchAll([call], signal);
      if (result === undefined) throw new FettleError({code: 'INTERNAL', message: 'A call has no result.'});
      return result;
    },
  };
}

interface Stages {
  readonly options: DispatcherOptions;
  readonly redactor: Redactor;
  readonly guard: LoopGuard;
  readonly results: ResultCache;
  readonly permission: PermissionStage;
  readonly verifierPermission: PermissionStage;
  /** True for calls from inside a call: one level only. */
  readonly isNested?: boolean;
  readonly finish: (finished: FinishedCall, signal: AbortSignal) => Promise<DispatchResult>;
}

async function runBatch(stages: Stages, calls: readonly ToolCall[], signal: AbortSignal): Promise<DispatchResult[]> {
  const admitted = await Promise.all(calls.map((call) => admitCall(stages.options.toolset, call, stages.options.context.workspace.root)));
  const isAlone = admitted.length === 1;
  const plan = await Promise.all(admitted.map((call) => planned(stages, {call, isAlone}, signal)));
  const steps = planSteps(plan);
  const lastWrite = steps.findLastIndex((step) => step.some((place) => plan[place]?.sideEffect === 'write'));
  const changed: string[] = [];
  const results: DispatchResult[] = [];
  for (const [index, step] of steps.entries()) {
    // What the first step changes may lead the paths of a later one elsewhere: they are resolved when their turn comes.
    const open = (place: number): OpenCall | undefined => (index === 0 ? plan[place]?.open : undefined);
    let done = await Promise.all(
      step.flatMap((place) => {
        const call = admitted[place];
        return call === undefined ? [] : runOne(stages, {call, open: open(place)}, signal);
      }),
    );
    changed.push(...done.flatMap(({outcome}) => outcome.changes.map(({path}) => path)));
    if (index === lastWrite && changed.length > 0)
      done = await stages.results.whileChanging(() => verified(stages, {done, changed}, signal));
    for (const finished of done) results.push(await stages.finish(finished, signal));
  }
  return results;
}

/** The place of a call among those of a reply, and the call itself if it was resolved for that. */
interface Planned extends PlannedCall {
  readonly open?: OpenCall | undefined;
}

async function planned(
  stages: Stages,
  {call, isAlone}: {readonly call: AdmittedCall; readonly isAlone: boolean},
  signal: AbortSignal,
): Promise<Planned> {
  if (!call.ok) return {sideEffect: 'pure', key: call.key};
  const mayChange = hasHooks(stages);
  const {sideEffect} = (mayChange ? undefined : call.prepared?.effectiveCall) ?? call.tool;
  // The same read twice runs one after the other, like those that name a common key.
  const otherwise = isReadOnly(sideEffect) ? call.key : undefined;
  if (isAlone || (otherwise === undefined && mayChange)) return {sideEffect, key: otherwise};
  const found = await openedForKey(stages, call, signal);
  const key = found?.resolved.serialKey ?? otherwise;
  return mayChange ? {sideEffect, key} : {sideEffect, key, open: found};
}

/** A hook may still change what a call does. */
function hasHooks({options}: Stages): boolean {
  return (options.preHooks ?? []).length > 0;
}

/** undefined: there is no key, or running the call will say what is wrong. */
async function openedForKey(stages: Stages, call: AcceptedCall, signal: AbortSignal): Promise<OpenCall | undefined> {
  if (call.prepared?.isKeyed !== true) return undefined;
  try {
    return await openCall(stages, call, signal);
  } catch {
    return undefined;
  }
}

/** Runs the stages up to and with the operation. Never rejects. */
async function runOne(
  stages: Stages,
  {call: admitted, open}: {call: AdmittedCall; open?: OpenCall | undefined},
  signal: AbortSignal,
): Promise<FinishedCall> {
  const began = performance.now();
  const {toolset} = stages.options;
  const toolName = admitted.tool?.name ?? admitted.call.name;
  let accepted = admitted;
  const progress = {ran: false};
  const finished = (outcome: CallOutcome): FinishedCall => ({admitted: accepted, toolName, outcome, durationMs: performance.now() - began});
  try {
    if (signal.aborted) throw new FettleError({code: 'CANCELLED', message: 'Cancelled before it was run.'});
    if (!accepted.ok) {
      refuseLoop(stages.guard, accepted.key);
      return finished(errorOutcome(accepted.error, toolset, {toolName, ran: false}));
    }
    accepted = await applyPreHooks(stages.options, accepted, signal);
    return finished(await runAccepted(stages, {accepted, progress, open}, signal));
  } catch (error) {
    return finished(errorOutcome(toFettleError(error), toolset, {toolName, ran: progress.ran}));
  }
}

/** A call whose paths are resolved, in the context in which it was: it is judged, shown and run there. */
interface OpenCall {
  readonly prepared: PreparedCall;
  readonly resolved: ResolvedCall;
  /** As whom it is judged. */
  readonly acting: PermissionQuery['tool'];
  readonly ctx: ToolContext;
  /** Notes of the harness on the result. */
  readonly collectNotes: () => readonly string[];
}

async function openCall(stages: Stages, accepted: AcceptedCall, signal: AbortSignal): Promise<OpenCall> {
  const {options, permission} = stages;
  const {call, tool, input} = accepted;
  const prepared = accepted.prepared ?? tool.prepare(input);
  const acting = {name: tool.name, ...(prepared.effectiveCall ?? {permission: tool.permission, sideEffect: tool.sideEffect})};
  const outer = confined(tool, contextOf(options, call.id, signal));
  const {root} = outer.workspace;
  const search = guardSearch({engine: outer.search, root, mayRead: (file) => permission.mayRead(acting, file)});
  const lost: string[] = [];
  const ctx: ToolContext = {
    ...outer,
    files: reportingLosses(outer.files, (note) => lost.push(note)),
    workspace: pinnedWorkspace(outer.workspace),
    search: search.engine,
    mayShow: (path) => permission.mayRead(acting, {kind: 'path', path: join(root, path), relative: path, inside: true, write: false}),
    nested: stages.isNested === true ? undefined : nestedIn(stages, call.id),
    permit: async (asked) => void (await permission.check({callId: call.id, tool: acting, input, subjects: asked}, signal)),
  };
  return {prepared, resolved: await prepared.resolve(ctx), acting, ctx, collectNotes: () => [search.note() ?? [], lost].flat()};
}

interface RunningCall {
  readonly accepted: AcceptedCall;
  readonly progress: {ran: boolean};
  /** Found out before, and still so. */
  readonly open: OpenCall | undefined;
}

async function runAccepted(stages: Stages, {accepted, progress, open}: RunningCall, signal: AbortSignal): Promise<CallOutcome> {
  const {options, permission, guard, results} = stages;
  const {call, tool, input, key} = accepted;
  options.listener?.onStart?.({callId: call.id, toolName: tool.name, sideEffect: tool.sideEffect, input});
  // Runs before the permission stage, so that nobody is asked the same question five times.
  refuseLoop(guard, key);
  const opened = open ?? (await openCall(stages, accepted, signal));
  const {prepared, resolved, acting, ctx} = opened;
  const {subjects} = resolved;
  const hooked = {call: hookCall(accepted), said: accepted.hooked};
  const preview = createCallPreview(resolved, ctx);
  const allowance = await permission.check({callId: call.id, tool: acting, input, subjects, hooked, preview}, ctx.signal);
  if (prepared.background === true) await permission.check({callId: call.id, tool: KEEP, input, subjects}, ctx.signal);
  options.listener?.onSubjects?.(subjects);
  return await reuseResult({results, policy: options.policy, tool, prepared, subjects}, ctx, (own) =>
    runReady(stages, {...opened, accepted, progress, allowance, ctx: own}),
  );
}

/** A call that may run, and everything that it needs. */
interface ReadyCall extends OpenCall, Omit<RunningCall, 'open'> {
  /** The part of the call that may run; undefined: all of it. */
  readonly allowance: Allowance | undefined;
}

async function runReady({options, redactor}: Stages, ready: ReadyCall): Promise<CallOutcome> {
  const {accepted, progress, prepared, resolved, acting, allowance, ctx, collectNotes} = ready;
  const {sideEffect} = acting;
  const finishCheckpoint = isReadOnly(sideEffect)
    ? undefined
    : await options.checkpoint?.(
        {...hookCall(accepted), subjects: resolved.subjects, changesNothing: await isHarmlessLine(prepared, resolved.subjects, ctx)},
        ctx.signal,
      );
  progress.ran = true;
  const output = streamOutput(accepted.call.id, redactor, options.listener);
  try {
    const reply = await (allowance === undefined ? runCall({sideEffect, resolved, ctx, onOutput: output.push}) : runPart(allowance, ctx));
    const notes = collectNotes();
    return {...replyOutcome({...reply, text: addNotes(reply, notes, asNote)}, ctx.signal), notes};
  } finally {
    output.end();
    await finishCheckpoint?.();
  }
}

/** Loaded when a person selects parts of a change. */
async function runPart(allowance: Allowance, ctx: ToolContext): Promise<ToolReply> {
  const {writePart} = await import('./write-approved-part.ts');
  return await writePart(allowance, ctx);
}

function monotonicNow(): number {
  return performance.now();
}

function asNote(note: string): string {
  return `[note: ${note}]`;
}

function withTexts(outcome: CallOutcome, texts: readonly string[]): CallOutcome {
  return {...outcome, notes: [...(outcome.notes ?? []), ...texts], text: addNotes(outcome, texts, (text) => `\n${text}`)};
}

/** A command that outlives the thread needs a permission of its own: rules for commands do not cover it. */
const KEEP = {name: 'keep', permission: 'keep', sideEffect: 'execute', why: 'it keeps running after the session'} as const;

/**
 * Nested calls share the permission stage of the outer call (one question at a time), and their events are
 * reported. Everything else is separate: repetition among them is not a loop of the model.
 */
function nestedIn(outer: Stages, callId: string): NestedCalls {
  const listener: DispatchListener = {
    onItem: (item) => outer.options.listener?.onItem?.(item),
    onSubjects: (subjects) => outer.options.listener?.onSubjects?.(subjects),
  };
  const options = {...outer.options, listener};
  const guard = createLoopGuard(options.now ?? monotonicNow);
  const {redactor} = outer;
  const stages: Stages = {...outer, options, guard, finish: createFinisher({options, redactor, guard}), isNested: true};
  return nestedCalls({
    toolset: options.toolset,
    callId,
    dispatch: async (call, signal) => {
      const admitted = await admitCall(options.toolset, call, options.context.workspace.root);
      // Uses the resolved tool: `tool_search` also takes a call of another tool.
      if (admitted.tool !== undefined) requireReadOnly(admitted.tool);
      return await stages.finish(await runOne(stages, {call: admitted}, signal), signal);
    },
  });
}

function refuseLoop(guard: LoopGuard, key: string): void {
  const times = guard.refuses(key);
  if (times === undefined) return;
  const message = `Not run: the same call returned the same result ${times - 1} times in a row.`;
  throw new FettleError({code: 'LOOP', message, hint: 'Change something first, try another way, or say what blocks you.'});
}

/** Adds the reports of verifiers to the last change; a batch of changes is verified once. */
async function verified(
  stages: Stages,
  batch: {done: readonly FinishedCall[]; changed: readonly string[]},
  signal: AbortSignal,
): Promise<FinishedCall[]> {
  const {options, verifierPermission} = stages;
  const at = Math.max(
    0,
    batch.done.findLastIndex(({outcome}) => outcome.changes.length > 0),
  );
  const callId = batch.done[at]?.admitted.call.id ?? '';
  const ctx = contextOf(options, callId, signal);
  const permit = async (command: string, cwd: string): Promise<void> => {
    const tool = {name: 'bash', permission: 'bash', sideEffect: 'execute'} as const;
    await verifierPermission.check(
      {callId, tool, input: {command}, subjects: [{kind: 'command', command, cwd, workspace: ctx.workspace.root}]},
      ctx.signal,
    );
  };
  const said = await verifyChanges(options.verifiers ?? [], batch.changed, {ctx, permit});
  const texts = [...said, ...(await diagnosedChanges(batch.changed, ctx))];
  if (texts.length === 0) return [...batch.done];
  return batch.done.map((call, index) => (index === at ? {...call, outcome: withTexts(call.outcome, texts)} : call));
}

/** Loaded only if there are language servers. */
async function diagnosedChanges(changed: readonly string[], {diagnosing, signal}: ToolContext): Promise<readonly string[]> {
  if (diagnosing === undefined) return [];
  const {diagnoseChanges} = await import('./diagnose-changes.ts');
  return await diagnoseChanges(changed, diagnosing, signal);
}

function contextOf(options: DispatcherOptions, callId: string, signal: AbortSignal): ToolContext {
  // Each batch has a signal of its own, so that listeners of parallel calls do not pile up on the turn's signal.
  return {...options.context, spoolDir: options.spoolDir, callId, signal: AbortSignal.any([signal])};
}
