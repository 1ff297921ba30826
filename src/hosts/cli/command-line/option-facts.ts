/** An option as data, for the parser of every command and for the short way to `exec`. */
export interface OptionFacts {
  /** Its names and value, as the help shows them. */
  readonly flags: string;
  readonly help: string;
  readonly choices?: readonly string[];
  /** The other option that cannot stand beside it, as a key. */
  readonly conflicts?: string;
  /** It may be repeated; its values are collected. */
  readonly repeats?: true;
}

export const MODEL_OPTION: OptionFacts = {
  flags: '-m, --model <provider/model>',
  help: 'the model, for example openai/gpt-6.2-sol or ollama/qwen3-coder',
};

export const FOLDER_OPTION: OptionFacts = {flags: '-C, --cwd <folder>', help: 'run as if started in this folder'};

export const VERIFY_OPTION: OptionFacts = {
  flags: '--verify <command>',
  help: 'command that must succeed before the run counts as done; may be repeated',
  repeats: true,
};

export const DOMAIN_OPTION: OptionFacts = {
  flags: '--allow-domain <host>',
  help: 'a host that sandboxed commands may reach, instead of the configured ones; may be repeated',
  repeats: true,
};

/** The approval mode, which can imply a sandbox, and the sandbox itself. */
export const SANDBOX_OPTIONS: readonly OptionFacts[] = [
  {flags: '--mode <mode>', help: 'approval mode', choices: ['plan', 'ask', 'accept-edits', 'full-auto']},
  {flags: '--sandbox <profile>', help: 'sandbox profile: what commands may write', choices: ['off', 'read-only', 'workspace-write']},
  {flags: '--no-sandbox', help: 'run commands without the OS sandbox: full write, secret and network access'},
];

/** Options that decide what may run. */
export const PERMISSION_OPTIONS: readonly OptionFacts[] = [
  ...SANDBOX_OPTIONS,
  {flags: '--allow <rule>', help: 'allow what a rule matches, for example "bash:npm test"; may be repeated', repeats: true},
  {flags: '--ask <rule>', help: 'ask about what a rule matches; may be repeated', repeats: true},
  {flags: '--deny <rule>', help: 'deny what a rule matches; may be repeated', repeats: true},
];

export const TOOL_OPTIONS: readonly OptionFacts[] = [
  {flags: '--toolset <name>', help: 'tool naming scheme to expose: fettle, microcode, blade, vibe, vtcode, small, auto'},
  FOLDER_OPTION,
  ...PERMISSION_OPTIONS,
];

/** Options that stand above the configuration files. */
export const SETTING_OPTIONS: readonly OptionFacts[] = [
  ...TOOL_OPTIONS,
  MODEL_OPTION,
  {flags: '--max-turns <n>', help: 'stop after n requests to the model'},
  {flags: '--max-tokens <n>', help: 'stop after n tokens, input and output together; cached input counts a tenth'},
  {flags: '--max-cost <usd>', help: 'stop when this many US dollars are spent'},
  {flags: '--max-time <s>', help: 'stop after s seconds'},
];

/** Options that decide the form of the answer. */
export const ANSWER_OPTIONS: readonly OptionFacts[] = [
  {flags: '--json', help: 'write each event to stdout as a line of JSON'},
  {flags: '--output-schema <file>', help: 'require an answer in JSON that matches this JSON Schema'},
];

/** Options of every command that runs a task. */
export const RUN_OPTIONS: readonly OptionFacts[] = [
  ...SETTING_OPTIONS,
  ...ANSWER_OPTIONS,
  {
    flags: '--resume <id>',
    help: 'continue a session; the first characters of its id are enough; without an id, choose from a list',
  },
  {flags: '--last', help: 'continue the newest session of this folder', conflicts: 'resume'},
];

export const EXEC_OPTIONS: readonly OptionFacts[] = [
  ...RUN_OPTIONS,
  DOMAIN_OPTION,
  {
    flags: '--explicit-rights',
    help: 'allow only what these options allow: allow rules, networks and folders of the configuration do not count, its ask and deny rules do',
  },
  VERIFY_OPTION,
  {
    flags: '--emit <format>',
    help: 'write the events to stdout in this format, one line of JSON each',
    choices: ['open-responses'],
    conflicts: 'json',
  },
];

/** How a chat is shown. */
export const SCREEN_OPTIONS: readonly OptionFacts[] = [
  {
    flags: '--surface <surface>',
    help: 'how to draw a chat: inline in the scrollback of the terminal (same as auto), on the alternate screen, or as plain lines',
    choices: ['auto', 'inline', 'alternate', 'lines'],
  },
  {flags: '--screen-reader', help: 'chat in plain lines: nothing is redrawn, no spinner, no boxes'},
];
