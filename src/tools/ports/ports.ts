import type {AgentRunner} from './agent-runner.ts';
import type {Capability} from './capability.ts';
import type {CodeAccess} from './code-access.ts';
import type {EditorHost} from './editor-host.ts';
import type {ModeSwitch} from './mode-switch.ts';
import type {PlanFile} from './plan-file.ts';
import type {SessionRecall} from './session-recall.ts';
import type {SessionTasks} from './session-tasks.ts';
import type {Skill} from './skill.ts';
import type {TodoList} from './todo-list.ts';
import type {AskUser} from './user-questions.ts';

/** The ports that the owner of a thread lends to its operations; without one, the tools that need it answer UNAVAILABLE or are not offered. */
export interface Ports {
  /** undefined: there is no code index, and the symbol tools answer UNAVAILABLE. */
  readonly code?: CodeAccess | undefined;
  /** The task list of the thread. */
  readonly todos: TodoList;
  /** The log of this session; undefined: there is none. */
  readonly recall?: SessionRecall | undefined;
  /** undefined: nobody can be asked. */
  readonly askUser?: AskUser | undefined;
  /** undefined: no model can run a subagent. */
  readonly agents?: AgentRunner | undefined;
  /** The scheduled tasks of the session; undefined: the session ends with its answer. */
  readonly schedule?: SessionTasks | undefined;
  /** undefined: there is no editor, and the editor tools answer UNAVAILABLE. */
  readonly editor?: EditorHost | undefined;
  /** Skills that can be loaded; absent: none. */
  readonly skills?: readonly Skill[] | undefined;
  /** undefined: there is no mode to leave. */
  readonly modes?: ModeSwitch | undefined;
  /** undefined: plans are not stored. */
  readonly plan?: PlanFile | undefined;
  /** Capabilities of the session; tools that require others are not offered. */
  readonly capabilities?: ReadonlySet<Capability> | undefined;
}
