import type {Json} from '../../base/json.ts';
import type {Provider} from '../../models/provider.ts';
import type {ThreadEvent} from '../../protocol/events.ts';
import type {Middleware} from '../../tools/custom/define-middleware.ts';
import type {DispatcherOptions} from '../../tools/dispatch/dispatch.ts';
import type {EditorHost} from '../../tools/ports/editor-host.ts';
import type {AskUser} from '../../tools/ports/user-questions.ts';
import type {ThreadPlugin} from '../plugins/thread-plugin.ts';
import type {SettingsRequest} from '../settings/load-settings.ts';
import type {SessionSettings} from '../settings/session-settings.ts';
import type {HandedIn} from '../tools/session-toolset.ts';

/** Values that the host of a thread passes in, besides its settings. */
interface HostOptions extends HandedIn {
  /** A source of replies of one's own: no model is looked up for it, and no key. */
  readonly provider?: Provider | undefined;
  /** Asks a person; absent: nobody is there, and calls that need approval are denied. */
  readonly approve?: DispatcherOptions['approve'];
  /** Puts questions of the model to a person; absent: the model is told that nobody is there. */
  readonly askUser?: AskUser | undefined;
  /** Told in one line which MCP servers are waited for, where they take longer than a second to start. */
  readonly onWait?: ((line: string) => void) | undefined;
  /** The editor of a front end; without it the editor tools have one in memory. */
  readonly editor?: EditorHost | undefined;
  /** Every event, in order, also those that are not logged. Must not throw. */
  readonly onEvent?: (event: ThreadEvent) => void;
  /** A session to go on with: its id, or the newest of the folder. */
  readonly resume?: {readonly id: string} | 'latest' | undefined;
  /** JSON Schema that final answers must fit. */
  readonly outputSchema?: Json | undefined;
  /** Only the tools that change nothing. */
  readonly readOnly?: boolean | undefined;
  /** Commands that must have exited with 0 in the end, else the run is not a success. The person named them: they are not asked about. */
  readonly verify?: readonly string[] | undefined;
  /** Code around calls of tools, inside the middleware from files: see `defineMiddleware`. */
  readonly middleware?: readonly Middleware[] | undefined;
  /**
   * Plugins of the embedder, after those of Fettle: they wrap requests and calls as the innermost, judge answers last, and receive an event when
   * it is in the log, before the host does. For the thread alone, not for its subagents.
   */
  readonly plugins?: readonly ThreadPlugin[] | undefined;
  /** Names of commands of the host: no custom command and no skill takes their place. */
  readonly reservedCommands?: readonly string[] | undefined;
}

/** The settings of a thread, and what its host hands in. */
export interface OpenThreadOptions extends HostOptions {
  /** The result of `loadSettings`. */
  readonly session: SessionSettings;
}

type PlaceOptions = Omit<SettingsRequest, 'flags' | 'lenient' | 'toolNames'>;

/** A provider takes the place of `model`. */
type OneModel = {readonly provider?: undefined} | {readonly provider: Provider; readonly model?: never};

/** The folder of a thread and its settings, typed. */
export type PlacedThreadOptions = HostOptions & PlaceOptions & OneModel & {readonly session?: never};

/** Settings that were loaded, or a folder for which they are loaded: one of the two. */
export type OpenThreadRequest = (OpenThreadOptions & {readonly [Key in keyof PlaceOptions]?: never}) | PlacedThreadOptions;
