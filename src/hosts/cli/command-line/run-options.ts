import type {Flags} from '../../../config/overrides.ts';

/** The options of every command that runs a model. */
export interface RunOptions extends AskOptions {
  /** An id, or `CHOOSE`. */
  readonly resume?: string;
  readonly last?: true;
}

/** The options of exec alone. */
export interface ExecOptions extends RunOptions {
  readonly verify?: readonly string[];
  readonly emit?: 'open-responses';
  readonly allowDomain?: readonly string[];
  readonly explicitRights?: true;
}

export interface AskOptions extends SettingOptions {
  readonly json?: true;
  readonly outputSchema?: string;
}

/** Options that override the configuration files. */
export interface SettingOptions {
  readonly model?: string;
  readonly toolset?: string;
  readonly mode?: string;
  /** false: `--no-sandbox`. */
  readonly sandbox?: string | false;
  readonly cwd?: string;
  readonly maxTurns?: string;
  readonly maxTokens?: string;
  readonly maxCost?: string;
  readonly maxTime?: string;
  readonly allow?: readonly string[];
  readonly ask?: readonly string[];
  readonly deny?: readonly string[];
}

/** In the place of the id of a session: the person chooses one. */
export const CHOOSE = '?';

/** Returns the command line with {@link CHOOSE} after a `--resume` without an id, so that the next word is not taken for one. */
export function withChoice(argv: readonly string[]): readonly string[] {
  const cut = argv.indexOf('--');
  return argv.map((token, at) => {
    const next = argv[at + 1];
    const isBare = token === '--resume' && (next === undefined || next.startsWith('-'));
    return isBare && (cut < 0 || at < cut) ? `--resume=${CHOOSE}` : token;
  });
}

/** Converts the options to flags of the configuration. */
export function flagsOf(options: SettingOptions & Pick<ExecOptions, 'allowDomain'>): Flags {
  return {
    '--model': options.model,
    '--toolset': options.toolset,
    '--mode': options.mode,
    '--sandbox': options.sandbox === false ? 'off' : options.sandbox,
    '--max-turns': options.maxTurns,
    '--max-tokens': options.maxTokens,
    '--max-cost': options.maxCost,
    '--max-time': options.maxTime,
    '--allow': options.allow,
    '--ask': options.ask,
    '--deny': options.deny,
    '--allow-domain': options.allowDomain,
  };
}
