import {withAgentHooks} from '../../agent/hooks/agent-hooks.ts';
import {compactionGate} from '../../agent/hooks/compaction-hooks.ts';
import {createHooks, type Hooks} from '../../agent/hooks/hooks.ts';
import type {Hook} from '../../agent/hooks/read-hooks.ts';
import {toolHooks} from '../../agent/hooks/tool-hooks.ts';
import {askAll, promptJudge, stopJudge} from '../../agent/hooks/turn-hooks.ts';
import {newId} from '../../base/ids.ts';
import type {Middleware} from '../../tools/custom/define-middleware.ts';
import {middlewareHooks} from '../../tools/custom/middleware-hooks.ts';
import {createNotifier} from './hook-notices.ts';
import type {SessionSettings} from '../settings/session-settings.ts';
import {readHookFiles} from './read-hook-files.ts';
import {surroundings} from './hook-surroundings.ts';
import {requireKnownTools, sessionMiddleware} from './session-middleware.ts';
import {withoutAllowances, type HookParts, type SessionHooks, type ThreadHooks} from './thread-hooks.ts';

/** Reads the hooks and loads the middleware of a session: of the person, of a trusted project, of the caller. */
export async function loadHooks(session: SessionSettings, extraMiddleware: readonly Middleware[]): Promise<SessionHooks> {
  const [found, middleware] = await Promise.all([readHookFiles(session), sessionMiddleware(session, extraMiddleware)]);
  await requireKnownTools(session, middleware);
  return {notices: found.notices, start: (parts) => threadHooks(session, {hooks: found.hooks, middleware}, parts)};
}

interface Loaded {
  readonly hooks: readonly Hook[];
  readonly middleware: readonly Middleware[];
}

function threadHooks(session: SessionSettings, {hooks: found, middleware}: Loaded, parts: HookParts): ThreadHooks {
  const {tools, resumed} = parts;
  const hooks = createHooks({hooks: found, exec: tools.dispatcher.context.exec, ...surroundings(session, parts)});
  const fromHooks = toolHooks(hooks);
  const outer = middlewareHooks(middleware, tools.workspace.root);
  const has = (...events: Hook['event'][]): boolean => found.some(({event}) => events.includes(event));
  const notifier = createNotifier(hooks);
  const tell = (text: string): void => {
    parts.emit({type: 'item.completed', item: {id: newId('itm'), type: 'user_message', text, origin: 'harness'}});
  };
  let begun = false;
  return {
    stages: rightsOf(session, {
      preHooks: [...(outer.preHooks ?? []), ...(fromHooks.preHooks ?? [])],
      postHooks: [...(fromHooks.postHooks ?? []), ...(outer.postHooks ?? [])],
      permissionHook: fromHooks.permissionHook,
    }),
    plugin: {
      name: 'hooks',
      judgePrompt: began(promptJudge(hooks, {source: resumed ? 'resume' : 'startup'}), () => (begun = true)),
      judgeEnd: has('stop') ? stopJudge(hooks) : undefined,
      wrapTools: (run) => async (calls, turnId, signal) => stopped(hooks, await run(calls, turnId, signal)),
      async close(result) {
        const reason = reasonOf(result);
        if (begun) await askAll(hooks, {event: 'session_end', name: reason, payload: {reason}}, new AbortController().signal);
        await notifier.end();
      },
    },
    notices: {name: 'hook notices', onEvent: notifier.observe},
    gate: has('pre_compact', 'post_compact', 'session_start') ? compactionGate(hooks, tell) : undefined,
    aroundApproval: notifier.aroundApproval,
    aroundQuestions: notifier.aroundQuestions,
    aroundAgents: (runner) => (has('subagent_start', 'subagent_stop') ? withAgentHooks(runner, hooks) : runner),
  };
}

function rightsOf({explicitRights}: SessionSettings, stages: ThreadHooks['stages']): ThreadHooks['stages'] {
  return explicitRights === true ? withoutAllowances(stages) : stages;
}

function reasonOf(result: Parameters<NonNullable<ThreadHooks['plugin']['close']>>[0]): string {
  if (result === undefined) return 'exit';
  if (result.outcome === 'success' || result.outcome === 'denied') return 'completed';
  return result.outcome === 'cancelled' ? 'cancelled' : 'error';
}

function began<Args extends unknown[], Result>(judge: (...args: Args) => Result, note: () => void): (...args: Args) => Result {
  return (...args) => {
    note();
    return judge(...args);
  };
}

/** Ends the turn after the current calls if a hook answered `continue: false`. */
function stopped<Report extends object>(hooks: Hooks, report: Report): Report {
  const stop = hooks.takeStop();
  return stop === undefined ? report : {...report, end: {outcome: 'blocked', message: `A hook ended the turn: ${stop}`}};
}
