import type {ExecEnvironment} from '../../exec/environment.ts';
import type {Policy} from '../../policy/decision.ts';
import type {DispatcherOptions} from '../../tools/dispatch/dispatch.ts';
import type {EditorHost} from '../../tools/ports/editor-host.ts';
import type {SessionTasks} from '../../tools/ports/session-tasks.ts';
import type {Skill} from '../../tools/ports/skill.ts';
import type {KeptCommand} from '../../tools/shells/command-sessions.ts';
import type {Toolset} from '../../tools/toolset.ts';
import type {Workspace} from '../../workspace/workspace.ts';
import type {SessionSettings} from '../settings/session-settings.ts';
import type {HandedIn, LoadedToolset} from './session-toolset.ts';

/** The session and the place for which tools are opened. */
export interface ToolsOptions extends HandedIn {
  readonly session: SessionSettings;
  /** Folder for large outputs; created when first needed. */
  readonly spoolDir: string;
  /** True: only tools that change nothing are opened. */
  readonly readOnly?: boolean | undefined;
  /** The editor of a front end; without it there is one in memory. */
  readonly editor?: EditorHost | undefined;
  /** The scheduled tasks of a session that goes on. */
  readonly schedule?: SessionTasks | undefined;
  /** The thread that uses the tools; absent: there is no file for its plan. */
  readonly threadId?: string | undefined;
}

/** The tools of a workspace under a policy, ready for a dispatcher. */
export interface OpenedTools {
  readonly workspace: Workspace;
  readonly toolset: Toolset;
  readonly policy: () => Policy;
  readonly dispatcher: Omit<DispatcherOptions, 'approve' | 'listener'>;
  /** Runs commands that the person types: in the same folder, without the sandbox. */
  readonly ownExec: ExecEnvironment;
  /** Adds a rule for the rest of the session. */
  grant(rule: string): void;
  /** Background commands that do not outlive the session: `endJobs` ends them. */
  background(): readonly string[];
  /** Ends the commands that still run, and returns those that outlive the session; must be called by the opener of the tools. */
  endJobs(): Promise<readonly KeptCommand[]>;
  /** The tools of users: their files, their problems, and a way to reset their state. */
  readonly custom: Omit<LoadedToolset, 'toolset' | 'notices'>;
  /** The skills that a model can load; none if the tool for skills is switched off. */
  readonly skills: readonly Skill[];
  /** Notices for the user, one line each. */
  readonly notices: readonly string[];
}
