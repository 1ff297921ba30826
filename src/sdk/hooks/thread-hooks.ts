import type {PromptJudge} from '../../agent/prompt-judge.ts';
import type {RunResult} from '../../agent/thread.ts';
import type {EndJudge} from '../../agent/turn-end.ts';
import type {TurnContext} from '../../agent/turn-context.ts';
import type {CompactionGate} from '../../context/compaction/compaction.ts';
import type {ThreadEvent} from '../../protocol/events.ts';
import type {DispatcherOptions} from '../../tools/dispatch/dispatch.ts';
import type {AgentRunner} from '../../tools/ports/agent-runner.ts';
import type {AskUser} from '../../tools/ports/user-questions.ts';
import type {OpenedTools} from '../tools/opened-tools.ts';

/** The hooks and the middleware of a session, read and loaded. */
export interface SessionHooks {
  /** What a person should know, one line each. */
  readonly notices: readonly string[];
  start(parts: HookParts): ThreadHooks;
}

/** The parts of a thread that hooks see. */
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

/** The place of hooks in a thread that has none. */
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
