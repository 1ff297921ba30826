import type {Json} from '../../base/json.ts';
import type {Provider} from '../../models/provider.ts';
import type {ThreadEvent} from '../../protocol/events.ts';
import type {Middleware} from '../../tools/custom/define-middleware.ts';
import type {DispatcherOptions} from '../../tools/dispatch/dispatch.ts';
import type {EditorHost} from '../../tools/ports/editor-host.ts';
import type {SessionTasks} from '../../tools/ports/session-tasks.ts';
import type {AskUser} from '../../tools/ports/user-questions.ts';
import type {ThreadPlugin} from '../plugins/thread-plugin.ts';
import type {SettingsRequest} from '../settings/load-settings.ts';
import type {SessionSettings} from '../settings/session-settings.ts';
import type {HandedIn} from '../tools/session-toolset.ts';

/** Values that a host passes to a thread, besides its settings. */
interface HostOptions extends HandedIn {
  /** A custom source of replies: no model and no key are looked up for it. */
  readonly provider?: Provider | undefined;
  /** Asks a person; absent: nobody is there, and calls that need approval are denied. */
  readonly approve?: DispatcherOptions['approve'];
  /** Puts questions of the model to a person; absent: the model is told that nobody is there. */
  readonly askUser?: AskUser | undefined;
  /** Called with a line that names the MCP servers that are still starting, if they take longer than a second. */
  readonly onWait?: ((line: string) => void) | undefined;
  /** The editor of a front end; without it the editor tools have one in memory. */
  readonly editor?: EditorHost | undefined;
  /** Scheduled tasks that the host runs while the thread is idle; absent: the model cannot schedule anything. */
  readonly schedule?: SessionTasks | undefined;
  /** The first prompt, where it is known by now: its size counts for `model = "auto"`. */
  readonly task?: string | undefined;
  /** Receives every event in order, including those that are not logged. Must not throw. */
  readonly onEvent?: (event: ThreadEvent) => void;
  /** A session to go on with: its id, or the newest of the folder. */
  readonly resume?: {readonly id: string} | 'latest' | undefined;
  /** JSON Schema that final answers must fit. */
  readonly outputSchema?: Json | undefined;
  /** True: only tools that change nothing are available. */
  readonly readOnly?: boolean | undefined;
  /** Commands that must exit with 0 at the end; otherwise the run is not a success. Since the person named them, they need no approval. */
  readonly verify?: readonly string[] | undefined;
  /** Code around calls of tools, inside the middleware from files: see `defineMiddleware`. */
  readonly middleware?: readonly Middleware[] | undefined;
  /**
   * Plugins of the embedder, after those of Fettle: they wrap requests and calls as the innermost, judge answers
   * last, and receive an event after it is logged, before the host does. They apply to the thread alone, not to
   * its subagents.
   */
  readonly plugins?: readonly ThreadPlugin[] | undefined;
  /** Names of commands of the host: custom commands and skills cannot replace them. */
  readonly reservedCommands?: readonly string[] | undefined;
}

/** The settings of a thread, and what its host hands in. */
export interface OpenThreadOptions extends HostOptions {
  /** The result of `loadSettings`. */
  readonly session: SessionSettings;
}

type PlaceOptions = Omit<SettingsRequest, 'flags' | 'lenient' | 'toolNames'>;

/** Either a provider or a `model`, not both. */
type OneModel = {readonly provider?: undefined} | {readonly provider: Provider; readonly model?: never};

/** The folder of a thread and its settings, typed. */
export type PlacedThreadOptions = HostOptions & PlaceOptions & OneModel & {readonly session?: never};

/** Settings that were loaded, or a folder for which they are loaded: one of the two. */
export type OpenThreadRequest = (OpenThreadOptions & {readonly [Key in keyof PlaceOptions]?: never}) | PlacedThreadOptions;
