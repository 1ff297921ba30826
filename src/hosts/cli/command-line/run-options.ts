import {Option, type Command} from 'commander';
import type {Flags} from '../../../config/overrides.ts';

/** The options of every command that runs a model. */
export interface RunOptions extends SettingOptions {
  readonly json?: true;
  readonly outputSchema?: string;
  /** An id, or `CHOOSE`. */
  readonly resume?: string;
  readonly last?: true;
}

/** The options of exec alone. */
export interface ExecOptions extends RunOptions {
  readonly verify?: readonly string[];
  readonly emit?: 'open-responses';
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

export function addRunOptions(command: Command): Command {
  addSettingOptions(command);
  return command
    .option('--json', 'write each event to stdout as a line of JSON')
    .option('--output-schema <file>', 'require an answer in JSON that matches this JSON Schema')
    .option('--resume <id>', 'continue a session; the first characters of its id are enough; without an id, choose from a list')
    .addOption(new Option('--last', 'continue the newest session of this folder').conflicts('resume'));
}

/** Adds options for the display of a chat. */
export function addScreenOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--surface <surface>',
        'how to draw a chat: inline in the scrollback of the terminal (same as auto), on the alternate screen, or as plain lines',
      ).choices(['auto', 'inline', 'alternate', 'lines']),
    )
    .option('--screen-reader', 'chat in plain lines: nothing is redrawn, no spinner, no boxes');
}

export function addExecOptions(command: Command): Command {
  return addRunOptions(command)
    .option('--verify <command>', 'command that must succeed before the run counts as done; may be repeated', collect)
    .addOption(
      new Option('--emit <format>', 'write the events to stdout in this format, one line of JSON each')
        .choices(['open-responses'])
        .conflicts('json'),
    );
}

export function addSettingOptions(command: Command): Command {
  return addModelOption(addToolOptions(command))
    .option('--max-turns <n>', 'stop after n requests to the model')
    .option('--max-tokens <n>', 'stop after n tokens, input and output together; cached input counts a tenth')
    .option('--max-cost <usd>', 'stop when this many US dollars are spent')
    .option('--max-time <s>', 'stop after s seconds');
}

export function addModelOption(command: Command): Command {
  return command.option('-m, --model <provider/model>', 'the model, for example openai/gpt-6.2-sol or ollama/qwen3-coder');
}

export function addToolOptions(command: Command): Command {
  return addPermissionOptions(
    addFolderOption(command.option('--toolset <name>', 'tool naming scheme to expose: fettle, microcode, blade, vibe, vtcode, small')),
  );
}

/** Adds options for permissions. */
export function addPermissionOptions(command: Command): Command {
  return addSandboxOptions(command)
    .option('--allow <rule>', 'allow what a rule matches, for example "bash:npm test"; may be repeated', collect)
    .option('--ask <rule>', 'ask about what a rule matches; may be repeated', collect)
    .option('--deny <rule>', 'deny what a rule matches; may be repeated', collect);
}

/** The approval mode, which can imply a sandbox, and the sandbox itself. */
export function addSandboxOptions(command: Command): Command {
  return command
    .addOption(new Option('--mode <mode>', 'approval mode').choices(['plan', 'ask', 'accept-edits', 'full-auto']))
    .addOption(
      new Option('--sandbox <profile>', 'sandbox profile: what commands may write').choices(['off', 'read-only', 'workspace-write']),
    )
    .option('--no-sandbox', 'run commands without the OS sandbox: full write, secret and network access');
}

export function addFolderOption(command: Command): Command {
  return command.option('-C, --cwd <folder>', 'run as if started in this folder');
}

/** Converts the options to flags of the configuration. */
export function flagsOf(options: SettingOptions): Flags {
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
  };
}

/** Collects the values of an option that may be repeated. */
export function collect(value: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, value];
}
