import type {Workspace} from '../workspace/workspace.ts';
import type {ExecEnvironment} from '../exec/environment.ts';
import type {Jobs} from '../exec/jobs.ts';
import type {Terminals} from '../exec/terminals.ts';
import type {SearchEngine} from '../search/engine.ts';
import type {Subject} from '../policy/decision.ts';
import type {AgentRunner} from './agent-runner.ts';
import type {EditorHost} from './editor-host.ts';
import type {FileMemory} from './file-memory.ts';
import type {NestedCalls} from './nested-calls.ts';
import type {TodoList} from './todo-list.ts';
import type {AskUser} from './user-questions.ts';

/** What an operation may use. One for each call: `signal` and `callId` are the call's own. */
export interface ToolContext {
  readonly callId: string;
  readonly signal: AbortSignal;
  readonly workspace: Workspace;
  readonly search: SearchEngine;
  readonly exec: ExecEnvironment;
  /** Commands that go on after their call, to the end of the thread; undefined: there is nothing that would end them. */
  readonly jobs?: Jobs | undefined;
  /** Terminals that stay open after their call, to the end of the thread; undefined: there is nothing that would end them. */
  readonly terminals?: Terminals | undefined;
  /** What the thread has read, so that a file changed by others is noticed before it is overwritten. */
  readonly files: FileMemory;
  /** What the thread plans to do. */
  readonly todos: TodoList;
  /** Where outputs of this thread are kept whole: what lies there was shown to the model already, and may be read again. */
  readonly spoolDir: string;
  /** undefined: nobody is there to ask. */
  readonly askUser?: AskUser | undefined;
  /** undefined: there is no model to run a subagent. */
  readonly agents?: AgentRunner | undefined;
  /** undefined: no editor, the editor tools answer UNAVAILABLE. */
  readonly editor?: EditorHost | undefined;
  /** Asks for what was not known before the call ran; throws DENIED. Filled in by the dispatcher. */
  readonly permit?: ((subjects: readonly Subject[]) => Promise<void>) | undefined;
  /** Filled in by the dispatcher; undefined inside a nested call: one level only. */
  readonly nested?: NestedCalls | undefined;
}
