import type {CompactionGate} from '../../context/compaction/compaction.ts';
import type {ThreadEvent} from '../../protocol/events.ts';
import type {DispatcherOptions} from '../../tools/dispatch/dispatch.ts';
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
