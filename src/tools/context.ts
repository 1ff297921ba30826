import type {Workspace} from '../workspace/workspace.ts';
import type {ExecEnvironment} from '../exec/environment.ts';
import type {LanguageServers} from '../code/servers/language-servers.ts';
import type {SearchEngine} from '../search/engine.ts';
import type {Subject} from '../policy/decision.ts';
import type {AgentRunner} from './ports/agent-runner.ts';
import type {CodeAccess} from './ports/code-access.ts';
import type {Diagnosing} from './dispatch/diagnose-changes.ts';
import type {CommandSessions} from './shells/command-sessions.ts';
import type {EditorHost} from './ports/editor-host.ts';
import type {Facility} from './ports/capability.ts';
import type {FileMemory} from './file-memory.ts';
import type {ModeSwitch} from './ports/mode-switch.ts';
import type {NestedCalls} from './dispatch/nested-calls.ts';
import type {PlanFile} from './ports/plan-file.ts';
import type {TodoList} from './ports/todo-list.ts';
import type {AskUser} from './ports/user-questions.ts';
import type {SessionRecall} from './ports/session-recall.ts';
import type {Skill} from './ports/skill.ts';
import type {WebAccess} from './web/web-access.ts';

/** What an operation may use. One for each call: `signal` and `callId` are the call's own. */
export interface ToolContext {
  readonly callId: string;
  readonly signal: AbortSignal;
  readonly workspace: Workspace;
  readonly search: SearchEngine;
  /** undefined: nothing indexes code here; the symbol tools answer UNAVAILABLE. */
  readonly code?: CodeAccess | undefined;
  /** Asked first, where there is one for the language. */
  readonly servers?: Pick<LanguageServers, 'rename'> | undefined;
  /** undefined: no language server is asked about what was changed. */
  readonly diagnosing?: Diagnosing | undefined;
  readonly exec: ExecEnvironment;
  /** Commands that go on after their call, to the end of the thread; undefined: there is nothing that would end them. */
  readonly sessions?: CommandSessions | undefined;
  /** What the thread has read, so that a file changed by others is noticed before it is overwritten. */
  readonly files: FileMemory;
  /** What the thread plans to do. */
  readonly todos: TodoList;
  /** Where outputs of this thread are kept whole: what lies there was shown to the model already, and may be read again. */
  readonly spoolDir: string;
  /** The log of this session; undefined: there is none. */
  readonly recall?: SessionRecall | undefined;
  /** undefined: nobody is there to ask. */
  readonly askUser?: AskUser | undefined;
  /** undefined: there is no model to run a subagent. */
  readonly agents?: AgentRunner | undefined;
  /** undefined: no editor, the editor tools answer UNAVAILABLE. */
  readonly editor?: EditorHost | undefined;
  /** undefined: no way to the web; the web tools answer UNAVAILABLE. */
  readonly web?: WebAccess | undefined;
  /** Those that can be loaded; absent: none. */
  readonly skills?: readonly Skill[] | undefined;
  /** undefined: there is no mode that could be left. */
  readonly modes?: ModeSwitch | undefined;
  /** undefined: plans are not kept. */
  readonly plan?: PlanFile | undefined;
  /** What tools that need something find here: others are not offered. */
  readonly facilities?: ReadonlySet<Facility> | undefined;
  /** Asks for what was not known before the call ran; throws DENIED. Filled in by the dispatcher. */
  readonly permit?: ((subjects: readonly Subject[]) => Promise<void>) | undefined;
  /** Whether a file, from the root of the workspace, may be shown without a question. Filled in by the dispatcher. */
  readonly mayShow?: ((path: string) => Promise<boolean>) | undefined;
  /** Filled in by the dispatcher; undefined inside a nested call: one level only. */
  readonly nested?: NestedCalls | undefined;
}
