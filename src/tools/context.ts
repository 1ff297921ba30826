import type {Workspace} from '../workspace/workspace.ts';
import type {ExecEnvironment} from '../exec/environment.ts';
import type {LanguageServers} from '../code/servers/language-servers.ts';
import type {SearchEngine} from '../search/engine.ts';
import type {Subject} from '../policy/decision.ts';
import type {Diagnosing} from './dispatch/diagnose-changes.ts';
import type {Ports} from './ports/ports.ts';
import type {CommandSessions} from './shells/command-sessions.ts';
import type {FileMemory} from './file-memory.ts';
import type {NestedCalls} from './ports/nested-calls.ts';
import type {WebAccess} from './web/web-access.ts';

/** Everything an operation may use. Each call has its own, with its `signal` and `callId`. */
export interface ToolContext extends Ports {
  readonly callId: string;
  readonly signal: AbortSignal;
  readonly workspace: Workspace;
  readonly search: SearchEngine;
  /** Language servers, asked before the index. */
  readonly servers?: Pick<LanguageServers, 'rename'> | undefined;
  /** undefined: no language server is asked about changes. */
  readonly diagnosing?: Diagnosing | undefined;
  readonly exec: ExecEnvironment;
  /** Commands that keep running after their call, until the end of the thread; undefined: nothing would end them, so none may be started. */
  readonly sessions?: CommandSessions | undefined;
  /** The files that the thread has read, so that changes by others are noticed before they are overwritten. */
  readonly files: FileMemory;
  /** Folder with the full outputs of this thread: the model has seen parts of these outputs and may read them in full. */
  readonly spoolDir: string;
  /** Access to the web; undefined: the web tools answer UNAVAILABLE. */
  readonly web?: WebAccess | undefined;
  /** Asks for permissions that were not known to be needed before the call ran; throws DENIED. Filled in by the dispatcher. */
  readonly permit?: ((subjects: readonly Subject[]) => Promise<void>) | undefined;
  /** True if a file, from the root of the workspace, may be shown without a question. Filled in by the dispatcher. */
  readonly mayShow?: ((path: string) => Promise<boolean>) | undefined;
  /** Filled in by the dispatcher; undefined inside a nested call: one level only. */
  readonly nested?: NestedCalls | undefined;
}
