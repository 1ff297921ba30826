import {hash} from 'node:crypto';
import {FettleError} from '../../base/errors.ts';
import type {Policy, Subject} from '../../policy/decision.ts';
import {isReadOnly} from '../../protocol/side-effect.ts';
import {replyOutcome, type CallOutcome} from './call-outcome.ts';
import type {ToolContext} from '../context.ts';
import {isAct} from './permission.ts';
import type {ResultCache} from './result-cache.ts';
import type {PreparedCall, Tool} from '../toolset.ts';

export interface Reuse {
  readonly results: ResultCache;
  readonly policy: () => Policy;
  readonly tool: Tool;
  readonly prepared: PreparedCall;
  readonly subjects: readonly Subject[];
}

/**
 * The cache stage ("vtcode architecture › CacheableTool"): after permission and hooks, before the run. A call that may change something runs,
 * and empties the cache; one of a tool that names a key is answered by an earlier result, or runs and leaves its own. Only reproducible results
 * are stored: no errors, nothing that a person, a rule or a nested call influenced.
 */
export async function reuseResult(reuse: Reuse, ctx: ToolContext, run: (ctx: ToolContext) => Promise<CallOutcome>): Promise<CallOutcome> {
  const {results, tool, subjects} = reuse;
  if (!isReadOnly(tool.sideEffect) || subjects.some(isAct)) return await results.whileChanging(() => run(ctx));
  const key = runsInBackground(ctx) ? undefined : keyOf(reuse, ctx);
  if (key === undefined) return await runReader(reuse, ctx, run);
  const found = results.find(key);
  if (ctx.signal.aborted) throw new FettleError({code: 'CANCELLED', message: 'Cancelled before it was run.'});
  if (found !== undefined) return {...replyOutcome(found, ctx.signal), fromCache: true};
  const keep = results.begin(key);
  const watched = watch(ctx);
  const outcome = await runReader(reuse, watched.ctx, run);
  if (isLasting(outcome) && !watched.wasDecided() && !ctx.signal.aborted) keep(replyOf(outcome));
  return outcome;
}

/** A command that goes on may change something at any time. */
function runsInBackground({sessions}: ToolContext): boolean {
  return sessions?.list().some((session) => session.ended() === undefined) === true;
}

/** Rules decide what a search shows, so another policy is another key; a copy of the workspace is another place. */
function keyOf({tool, prepared, policy}: Reuse, ctx: ToolContext): string | undefined {
  const ownKey = prepared.cacheKey?.(ctx);
  if (ownKey === undefined) return undefined;
  return hash('sha256', JSON.stringify([tool.name, tool.digest, ctx.workspace.root, policy(), ownKey]));
}

/** A tool that calls itself a reader may ask for more while it runs: from then on something may be changing, until it is over. */
async function runReader({results}: Reuse, ctx: ToolContext, run: (ctx: ToolContext) => Promise<CallOutcome>): Promise<CallOutcome> {
  const {permit} = ctx;
  if (permit === undefined) return await run(ctx);
  let end: (() => void) | undefined;
  const beginChange = (): void => {
    const {promise, resolve} = Promise.withResolvers<void>();
    end = resolve;
    void results.whileChanging(() => promise);
  };
  const own: ToolContext = {
    ...ctx,
    async permit(subjects) {
      await permit(subjects);
      if (end === undefined && subjects.some(isAct)) beginChange();
    },
  };
  try {
    return await run(own);
  } finally {
    end?.();
  }
}

/** The same context, which records whether somebody was asked or called through it. */
function watch(ctx: ToolContext): {readonly ctx: ToolContext; wasDecided(): boolean} {
  let decided = false;
  const noted = <Args extends readonly unknown[], Result>(ask: (...args: Args) => Result): ((...args: Args) => Result) => {
    return (...args) => {
      decided = true;
      return ask(...args);
    };
  };
  const {permit, askUser, agents, nested} = ctx;
  return {
    ctx: {
      ...ctx,
      permit: permit && noted(permit),
      askUser: askUser && noted(askUser),
      agents: agents && {...agents, run: noted(agents.run)},
      nested: nested && {...nested, run: noted(nested.run)},
    },
    wasDecided: () => decided,
  };
}

/** Notes say what rules left out; a spool file is the call's own. */
function isLasting({outcome, changes, notes = [], spoolPath, command}: CallOutcome): boolean {
  return outcome === 'success' && changes.length === 0 && notes.length === 0 && spoolPath === undefined && command === undefined;
}

function replyOf({text, summary, structured, isError, isJson}: CallOutcome) {
  return {text, summary, structured, isError, isJson, changes: []};
}
