import {stat} from 'node:fs/promises';
import {join} from 'node:path';
import {withAgentHooks} from '../../agent/hooks/agent-hooks.ts';
import {compactionGate} from '../../agent/hooks/compaction-hooks.ts';
import {createHooks, type Hooks} from '../../agent/hooks/hooks.ts';
import type {Hook} from '../../agent/hooks/read-hooks.ts';
import {toolHooks} from '../../agent/hooks/tool-hooks.ts';
import {askAll, promptJudge, stopJudge} from '../../agent/hooks/turn-hooks.ts';
import {FettleError} from '../../base/errors.ts';
import {newId} from '../../base/ids.ts';
import type {ToolMention} from '../../config/tool-mentions.ts';
import type {Mode} from '../../policy/decision.ts';
import type {Middleware} from '../../tools/custom/define-middleware.ts';
import {middlewareHooks} from '../../tools/custom/middleware-hooks.ts';
import {createNotifier} from './hook-notices.ts';
import {checkToolNames} from '../settings/check-tool-names.ts';
import {toolFolders, type SessionSettings} from '../settings/load-settings.ts';
import type {HookParts, SessionHooks, ThreadHooks} from './open-hooks.ts';
import {readHookFiles} from './read-hook-files.ts';
import {projectMiddleware} from './trusted-middleware.ts';
import {isOther} from '../trust/trusted-tools.ts';

/** Reads the hooks and loads the middleware of a session: of the person, of a trusted project, of the caller. */
export async function loadHooks(session: SessionSettings, given: readonly Middleware[]): Promise<SessionHooks> {
  const [found, own, project] = await Promise.all([readHookFiles(session), ownMiddleware(session), projectMiddleware(session)]);
  const middleware = [...own, ...project, ...given];
  await requireKnownTools(session, middleware);
  return {notices: found.notices, start: (parts) => threadHooks(session, {hooks: found.hooks, middleware}, parts)};
}

/** Throws CONFIG for middleware whose tools cannot exist: a guard that guards nothing is not left in place. */
async function requireKnownTools(session: SessionSettings, middleware: readonly Middleware[]): Promise<void> {
  const mentions = middleware.flatMap(({name = 'middleware', tools = []}): ToolMention[] =>
    tools.map((text) => ({text, effect: 'deny', source: name, what: `${JSON.stringify(text)} in tools fits nothing`})),
  );
  if (mentions.length === 0) return;
  const {problems} = await checkToolNames(mentions, toolFolders(session, session.settings.tool_paths));
  if (problems.length > 0) throw new FettleError({code: 'CONFIG', message: problems.join('\n'), hint: 'Correct the names in `tools`.'});
}

async function ownMiddleware({paths}: SessionSettings): Promise<readonly Middleware[]> {
  const path = join(paths.configDir, 'middleware');
  if ((await stat(path).catch(() => undefined)) === undefined) return [];
  const {loadMiddleware} = await import('../../tools/custom/load-middleware.ts');
  return await loadMiddleware([{path, from: 'your middleware folder', isExpected: false}]);
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
    stages: {
      preHooks: [...(outer.preHooks ?? []), ...(fromHooks.preHooks ?? [])],
      postHooks: [...(fromHooks.postHooks ?? []), ...(outer.postHooks ?? [])],
      permissionHook: fromHooks.permissionHook,
    },
    judges: has('stop') ? [stopJudge(hooks)] : [],
    judgePrompt: began(promptJudge(hooks, {source: resumed ? 'resume' : 'startup'}), () => (begun = true)),
    gate: has('pre_compact', 'post_compact', 'session_start') ? compactionGate(hooks, tell) : undefined,
    aroundApproval: notifier.aroundApproval,
    aroundQuestions: notifier.aroundQuestions,
    aroundAgents: (runner) => (has('subagent_start', 'subagent_stop') ? withAgentHooks(runner, hooks) : runner),
    observe: notifier.observe,
    aroundTools: (run) => async (calls, turnId, signal) => stopped(hooks, await run(calls, turnId, signal)),
    async end(result) {
      const reason = reasonOf(result);
      if (begun) await askAll(hooks, {event: 'session_end', name: reason, payload: {reason}}, new AbortController().signal);
      await notifier.end();
    },
  };
}

function reasonOf(result: Parameters<ThreadHooks['end']>[0]): string {
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

/** What a hook said with `continue: false` while calls ran ends the turn behind them. */
function stopped<Report extends object>(hooks: Hooks, report: Report): Report {
  const stop = hooks.takeStop();
  return stop === undefined ? report : {...report, end: {outcome: 'blocked', message: `A hook ended the turn: ${stop}`}};
}

type Surroundings = Pick<Parameters<typeof createHooks>[0], 'common' | 'environment' | 'variables' | 'changed' | 'tell'>;

function surroundings(session: SessionSettings, {tools, threadId, sessionFile, emit}: HookParts): Surroundings {
  const {root: cwd} = tools.workspace;
  const project = session.trust.root === '' ? cwd : session.trust.root;
  const named = {PROJECT_DIR: project, SESSION_ID: threadId, TRANSCRIPT_PATH: sessionFile};
  return {
    common: () => ({
      session_id: threadId,
      transcript_path: sessionFile,
      cwd,
      permission_mode: THEIR_MODES[tools.policy().mode],
    }),
    environment: session.env,
    variables: Object.fromEntries(
      Object.entries(named).flatMap(([name, value]) => [
        [`FETTLE_${name}`, value],
        [`CLAUDE_${name}`, value],
      ]),
    ),
    changed: async (hook) => (hook.from === 'project' ? await changedPart(session, hook) : undefined),
    tell: (message) => emit({type: 'item.completed', item: {id: newId('itm'), type: 'harness', event: 'hook', message}}),
  };
}

/** What scripts of others compare with. */
const THEIR_MODES: Readonly<Record<Mode, string>> = {
  plan: 'plan',
  ask: 'default',
  'accept-edits': 'acceptEdits',
  'full-auto': 'bypassPermissions',
};

/** A script that was edited since a person trusted it is another one, whoever edited it (CVE-2025-54136). */
async function changedPart({trust}: SessionSettings, {command}: Hook): Promise<string | undefined> {
  const parts = trust.items.filter(({kind, path}) =>
    kind === 'hook' ? path.startsWith('.fettle/hooks/') : kind === 'program' && command.includes(path),
  );
  for (const part of parts)
    if (await isOther(trust.root, part)) return `${part.path} is no longer what was trusted; \`fettle trust\` shows it`;
  return undefined;
}
