import type {CompactionGate} from '../../context/compaction/compaction.ts';
import type {ThreadEvent} from '../../protocol/events.ts';
import type {DispatcherOptions, PermissionHook, PreToolHook} from '../../tools/dispatch/dispatch.ts';
import type {AgentRunner} from '../../tools/ports/agent-runner.ts';
import type {AskUser} from '../../tools/ports/user-questions.ts';
import type {ThreadPlugin} from '../plugins/thread-plugin.ts';
import type {OpenedTools} from '../tools/opened-tools.ts';

/** The hooks and the middleware of a session, read and loaded. */
export interface SessionHooks {
  /** Notices for the user, one line each. */
  readonly notices: readonly string[];
  start(parts: HookParts): ThreadHooks;
}

/** The parts of a thread that hooks see. */
export interface HookParts {
  readonly tools: Pick<OpenedTools, 'workspace' | 'dispatcher' | 'policy'>;
  readonly threadId: string;
  /** Empty: the session has no log. */
  readonly sessionFile: string;
  readonly resumed: boolean;
  readonly emit: (event: ThreadEvent) => void;
}

/** The hooks and middleware of a thread, at the places where they take effect. */
export interface ThreadHooks {
  readonly stages: Pick<DispatcherOptions, 'preHooks' | 'postHooks' | 'permissionHook'>;
  /** Lets hooks change or refuse prompts, calls and answers. */
  readonly plugin: ThreadPlugin;
  /** Reports events to hooks that only listen. */
  readonly notices: ThreadPlugin;
  readonly gate: CompactionGate | undefined;
  aroundApproval(approve: DispatcherOptions['approve']): DispatcherOptions['approve'];
  aroundQuestions(askUser: AskUser | undefined): AskUser | undefined;
  aroundAgents(runner: AgentRunner): AgentRunner;
}

/** Used for a thread without hooks. */
export const NO_HOOKS: ThreadHooks = {
  stages: {},
  plugin: {name: 'hooks'},
  notices: {name: 'hook notices'},
  gate: undefined,
  aroundApproval: (approve) => approve,
  aroundQuestions: (askUser) => askUser,
  aroundAgents: (runner) => runner,
};

/** Returns the same hooks for a run whose rights are explicit: they can still deny, ask, rewrite and add context, and "allow" counts for nothing. */
export function withoutAllowances(stages: ThreadHooks['stages']): ThreadHooks['stages'] {
  const {preHooks, permissionHook} = stages;
  return {
    ...stages,
    preHooks: preHooks?.map(withoutAllowance),
    permissionHook: permissionHook === undefined ? undefined : denyingHook(permissionHook),
  };
}

function withoutAllowance(hook: PreToolHook): PreToolHook {
  return async (call, signal) => {
    const answer = await hook(call, signal);
    if (answer === undefined || 'deny' in answer || answer.permission !== 'allow') return answer;
    return {...answer, permission: undefined, reason: undefined};
  };
}

function denyingHook(hook: PermissionHook): PermissionHook {
  return async (request, signal) => {
    const answer = await hook(request, signal);
    return answer?.decision === 'allow' ? undefined : answer;
  };
}
