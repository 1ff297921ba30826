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
 * The cache stage ("vtcode architecture › CacheableTool"): after permission and hooks, before the run. A call
 * that may change something runs, and empties the cache. A call of a tool that names a key gets an earlier
 * result, or runs and stores its own. Only reproducible results are stored: no errors, and no results that a
 * person, a rule or a nested call influenced.
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

/** A command that keeps running may change something at any time. */
function runsInBackground({sessions}: ToolContext): boolean {
  return sessions?.list().some((session) => session.ended() === undefined) === true;
}

/** The key includes the policy, since rules decide which files a search shows, and the root, since a copy of the workspace has other content. */
function keyOf({tool, prepared, policy}: Reuse, ctx: ToolContext): string | undefined {
  const ownKey = prepared.cacheKey?.(ctx);
  if (ownKey === undefined) return undefined;
  return hash('sha256', JSON.stringify([tool.name, tool.digest, ctx.workspace.root, policy(), ownKey]));
}

/** A tool declared as read-only may ask for more permissions while it runs: from then until its end, something may be changing. */
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

/** Returns the same context, which also records whether it was used to ask for permission or to make calls. */
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

/** Results with notes about files left out by rules, or with a spool file of their own, are not stored. */
function isLasting({outcome, changes, notes = [], spoolPath, command}: CallOutcome): boolean {
  return outcome === 'success' && changes.length === 0 && notes.length === 0 && spoolPath === undefined && command === undefined;
}

function replyOf({text, summary, structured, isError, isJson}: CallOutcome) {
  return {text, summary, structured, isError, isJson, changes: []};
}
