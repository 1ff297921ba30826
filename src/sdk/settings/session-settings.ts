import type {LoadedConfig} from '../../config/load.ts';
import type {FettlePaths} from '../../config/paths.ts';
import type {ProjectTrust} from '../../config/trust/evaluate-project.ts';
import type {ProviderSettings} from '../../models/provider-settings.ts';

/** The settings that are complete before a thread, or a single tool, is opened. */
export interface SessionSettings extends LoadedConfig {
  /** Absolute. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The home folder of the user, absolute. */
  readonly home: string;
  readonly paths: FettlePaths;
  readonly providerSettings: ProviderSettings;
  /** Content of the project that needs trust, and whether a person trusts exactly that. */
  readonly trust: ProjectTrust;
  /** `trust.state` is `trusted`. Where false, nothing of the project may be run or loaded. */
  readonly trusted: boolean;
  /** True: nothing is allowed by the configuration, stored rules or hooks; `rules` and `settings` are without what they would allow. */
  readonly explicitRights?: true | undefined;
  /** True: the toolset was chosen automatically. It then asks for reads, whatever it does where a person names it. */
  readonly toolsetChosen?: true | undefined;
  /** Names of tools that a program hands in, so that rules can name them. */
  readonly toolNames?: readonly string[] | undefined;
  /** Known context window of the model; absent until a thread is opened. */
  readonly window?: ModelWindow | undefined;
}

/** How many tokens a model takes, input and output together, and the source of that number. */
export interface ModelWindow {
  readonly model: string;
  readonly tokens: number;
  readonly source: 'settings' | 'server' | 'refusal' | 'remembered' | 'catalogue' | 'guess';
  /** The endpoint, or the assumption; absent if the source needs no explanation. */
  readonly from?: string | undefined;
  readonly isAssumed?: boolean | undefined;
  /** True if the server was asked and did not answer in time. */
  readonly isSilent?: boolean | undefined;
}
