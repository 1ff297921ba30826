import {stat} from 'node:fs/promises';
import {join} from 'node:path';
import type {PromptJudge} from '../../agent/prompt-judge.ts';
import type {RunResult} from '../../agent/thread.ts';
import type {TurnContext} from '../../agent/turn.ts';
import type {EndJudge} from '../../agent/turn-end.ts';
import type {CompactionGate} from '../../context/compaction/context-keeper.ts';
import type {ThreadEvent} from '../../protocol/events.ts';
import type {AgentRunner} from '../../tools/ports/agent-runner.ts';
import type {Middleware} from '../../tools/custom/define-middleware.ts';
import type {DispatcherOptions} from '../../tools/dispatch/dispatch.ts';
import type {AskUser} from '../../tools/ports/user-questions.ts';
import type {SessionSettings} from '../settings/load-settings.ts';
import type {OpenedTools} from '../tools/open-tools.ts';

/** The hooks and the middleware of a session, read and loaded. */
export interface SessionHooks {
  /** What a person should know, one line each. */
  readonly notices: readonly string[];
  start(parts: HookParts): ThreadHooks;
}

export interface HookParts {
  readonly tools: Pick<OpenedTools, 'workspace' | 'dispatcher' | 'policy'>;
  readonly threadId: string;
  /** Empty: there is no log. */
  readonly sessionFile: string;
  readonly resumed: boolean;
  readonly emit: (event: ThreadEvent) => void;
}

/** Where hooks and middleware have a say in a thread. */
export interface ThreadHooks {
  readonly stages: Pick<DispatcherOptions, 'preHooks' | 'postHooks' | 'permissionHook'>;
  readonly judges: readonly EndJudge[];
  readonly judgePrompt: PromptJudge | undefined;
  readonly gate: CompactionGate | undefined;
  aroundApproval(approve: DispatcherOptions['approve']): DispatcherOptions['approve'];
  aroundQuestions(askUser: AskUser | undefined): AskUser | undefined;
  aroundAgents(runner: AgentRunner): AgentRunner;
  aroundTools(run: TurnContext['runTools']): TurnContext['runTools'];
  /** Sees every event of the thread. */
  observe(event: ThreadEvent): void;
  /** When the session is over, before anything is closed. */
  end(result: Pick<RunResult, 'outcome'> | undefined): Promise<void>;
}

/** Throws CONFIG where one of them cannot be used. Costs two looks at the disk where there are none. */
export async function sessionHooks(session: SessionSettings, middleware: readonly Middleware[] = []): Promise<SessionHooks> {
  if (middleware.length === 0 && !(await hasAny(session))) return {notices: [], start: () => NO_HOOKS};
  const {loadHooks} = await import('./load-hooks.ts');
  return await loadHooks(session, middleware);
}

async function hasAny({settings, paths, trust, trusted}: SessionSettings): Promise<boolean> {
  if (Object.keys(settings.hooks).length > 0) return true;
  if (trusted && trust.items.some(({kind}) => kind === 'hook' || kind === 'middleware')) return true;
  const found = await Promise.all(['hooks.json', 'middleware'].map((name) => stat(join(paths.configDir, name)).catch(() => undefined)));
  return found.some((entry) => entry !== undefined);
}

export const NO_HOOKS: ThreadHooks = {
  stages: {},
  judges: [],
  judgePrompt: undefined,
  gate: undefined,
  aroundApproval: (approve) => approve,
  aroundQuestions: (askUser) => askUser,
  aroundAgents: (runner) => runner,
  aroundTools: (run) => run,
  observe: () => undefined,
  end: async () => undefined,
};
