import {
  ADDRESS,
  HEADER,
  HOST_OR_DOMAIN,
  MAX_SECONDS,
  MODEL,
  NAME,
  RULE,
  type SettingSchema,
  TEXT,
  VARIABLE,
  byName,
  flag,
  list,
  oneOf,
  positive,
  seconds,
  share,
  table,
  wholeFrom,
} from './setting-schema.ts';

const base_url: SettingSchema = {...ADDRESS, description: 'Address of the API, without the path of an endpoint.'};
const api_key_env: SettingSchema = {...VARIABLE, description: 'Name of the environment variable that holds the key, never the key itself.'};

const PROVIDER = table('A built-in provider.', {base_url, api_key_env});

const CUSTOM_PROVIDER = table(
  'A server.',
  {
    name: {...NAME, description: 'The part before the `/` in `provider/model`.'},
    format: oneOf('The wire format that the server speaks.', ['openai-chat', 'openai-responses', 'anthropic', 'gemini']),
    base_url,
    api_key_env: {...api_key_env, description: `${api_key_env.description} Left out: no key is sent.`},
    headers: byName('Headers sent with each request.', {...HEADER, description: 'A header.'}, {...TEXT, description: 'Its value.'}),
    models: list('Names of its models.', {...TEXT, description: 'A name.'}),
  },
  ['name', 'format', 'base_url'],
);

const LANGUAGE_SERVER = table(
  'A server.',
  {
    name: {...NAME, description: 'What it is called in messages.'},
    command: {...TEXT, description: 'The program: a name to be found in `node_modules/.bin` or on PATH, or an absolute path.'},
    args: list('Its arguments.', {type: 'string', description: 'An argument.'}),
    languages: list('The languages that it is for: `typescript`, `python`, `rust` …', {...NAME, description: 'A language.'}),
  },
  ['name', 'command', 'languages'],
);

const MCP_SERVER = table(
  'A server.',
  {
    name: {
      type: 'string',
      description: 'Its tools are published as `mcp__NAME__TOOL`.',
      pattern: '^(?=.{1,32}$)[a-z][a-z0-9]*(?:[_-][a-z0-9]+)*$',
      patternErrorMessage: 'must be a name of lower case letters, digits and single "-" and "_" between them, at most 32 characters',
    },
    transport: oneOf('How it is reached: a program that is started (`stdio`), or an address (`http`).', ['stdio', 'http']),
    command: {...TEXT, description: 'stdio: the program. No shell reads it.'},
    args: list('stdio: its arguments.', {type: 'string', description: 'An argument.'}),
    env: byName(
      'stdio: variables for it, besides the harmless ones that every command gets.',
      {...VARIABLE, description: 'A variable.'},
      {type: 'string', description: 'Its value.'},
    ),
    cwd: {...TEXT, description: 'stdio: its working folder; defaults to the workspace.'},
    url: {...ADDRESS, description: 'http: its address.'},
    headers: byName('http: headers sent with each request.', {...HEADER, description: 'A header.'}, {...TEXT, description: 'Its value.'}),
    api_key_env: {...VARIABLE, description: 'http: name of the environment variable with its key, sent as `Authorization: Bearer`.'},
    auth: oneOf('http: authentication without a key: a browser login, with `fettle mcp login NAME`.', ['oauth']),
    scopes: list('auth: what the login asks for, besides what the server asks for.', {...TEXT, description: 'A scope.'}),
    client_id: {...TEXT, description: 'auth: a client that was registered by hand, or the https address of a client metadata document.'},
    client_secret_env: {...VARIABLE, description: 'auth: name of the environment variable with the secret of that client.'},
    startup_timeout_s: seconds('Timeout in seconds for starting and listing its tools. Default 10.'),
    tool_timeout_s: seconds('Seconds without an answer or progress until a call times out. Default 60.'),
    roots: flag('stdio: false: the server does not learn the workspace folder and uses the folders of its arguments. Default true.'),
    disabled: flag('True: it is not started.'),
    disabled_tools: list('Tools that are left out, by the names that the server gives them.', {...TEXT, description: 'A name.'}),
    prompt: {...TEXT, description: 'A hint for the model, added to the description of each of its tools.'},
  },
  ['name', 'transport'],
);

const NAME_PATTERN: SettingSchema = {
  ...TEXT,
  description: 'A name, a glob (`mcp_*`), or `re:` and a regular expression for the whole name.',
};

const TOOL: SettingSchema = {
  type: 'object',
  description: 'A tool. Keys that are not named here are options of its own.',
  properties: {
    permission: oneOf('Permission of its calls: `always` allowed, `never` allowed, `ask` each time.', ['always', 'never', 'ask']),
    allowlist: list('Commands or paths that are allowed: rules without the name of the tool.', {...TEXT, description: 'A pattern.'}),
    denylist: list('Commands or paths that are denied.', {...TEXT, description: 'A pattern.'}),
  },
  additionalProperties: true,
};

const HOOK = table(
  'A hook.',
  {
    matcher: {
      type: 'string',
      description:
        'Which tools, or other things of the event, it is for: a name, `A|B`, or a regular expression for the whole name. Without it all.',
    },
    command: {...TEXT, description: 'A shell line; it reads JSON on stdin.'},
    timeout_s: seconds('Timeout in seconds. Default 60.'),
  },
  ['command'],
);

/** Everything that a configuration file may contain. */
export const CONFIG_SCHEMA: SettingSchema = table('Settings of Fettle.', {
  model: {
    ...MODEL,
    pattern: `^auto$|${MODEL.pattern}`,
    patternErrorMessage: `${MODEL.patternErrorMessage}, or \`auto\`: one of \`optimization.models\``,
    description: '`provider/model`, `script:FILE`, `replay:FILE` or `auto`.',
  },
  logprobs: flag('Whether to request the log probability of each token. They are stored in the log and exported with the trajectory.'),
  temperature: {...share('Temperature of each request. Left out: none is sent.'), maximum: 2},
  toolset: {...TEXT, description: 'Tool naming scheme to expose, or `auto`.'},
  edit_dialect: oneOf('How models write edits: `own` as the toolset has it, `exact` texts, `blocks`, `patch`; or `auto`.', [
    'own',
    'exact',
    'blocks',
    'patch',
    'auto',
  ]),
  mode: oneOf('Approval mode: what happens when no rule decides.', ['plan', 'ask', 'accept-edits', 'full-auto']),
  limits: table('When a run is stopped.', {
    max_turns: wholeFrom(1, 'Requests to the model in one run.'),
    max_tokens: wholeFrom(1, 'Tokens of one run, input and output together; cached input counts a tenth.'),
    max_cost_usd: positive('US dollars of one run. Not enforced for a model without a known price.'),
    max_time_s: seconds('Wall-clock seconds of one run.'),
    command_memory_mb: positive(
      'Megabytes of memory of one command and all that it starts; above it is ended. Without it 80 % of what the machine or container has.',
    ),
    command_disk_mb: positive(
      'Megabytes by which free disk space may fall while a command runs; then it is ended. Without it 50000, and at most 80 % of what was free.',
    ),
  }),
  permissions: table('Rules `tool:pattern`; deny is stronger than ask, ask is stronger than allow.', {
    allow: list('What runs without a question.', RULE),
    ask: list('What a person is asked about.', RULE),
    deny: list('What never runs, in no mode.', RULE),
  }),
  environment: table('Variables that commands see, besides the harmless ones. Never those that make programs load or run something.', {
    pass: list('Variables of yours that are passed on: names, or globs with `*`. A glob never passes what is named like a secret.', {
      type: 'string',
      description: 'A name, or a glob.',
      pattern: String.raw`^[A-Za-z_*][A-Za-z0-9_*]*$`,
      patternErrorMessage: 'must be the name of an environment variable, or a glob such as "APP_*"',
    }),
    set: byName(
      'Variables with a value of their own.',
      {...VARIABLE, description: 'A variable.'},
      {type: 'string', description: 'Its value.'},
    ),
  }),
  sandbox: table('OS sandbox around commands.', {
    profile: oneOf(
      'What commands may write: `workspace-write` the folder that is worked in, `read-only` nothing, `off` whatever you may. Without it, `workspace-write` in the mode full-auto, else `off`.',
      ['off', 'read-only', 'workspace-write'],
    ),
    network: flag('Whether commands may use the network. False: only `allowed_domains`.'),
    allowed_domains: list(
      'Hosts that commands reach by proxies of Fettle: exact names or addresses, `*.` and a domain for all below it, or `*` for the public internet.',
      HOST_OR_DOMAIN,
    ),
    writable: list('Further folders that commands may write.', {
      type: 'string',
      description: 'A folder.',
      pattern: '^/',
      patternErrorMessage: 'must be an absolute path',
    }),
  }),
  checkpoints: table('What is saved so that changes can be undone.', {
    keep: oneOf('`on`: report what cannot be saved; `required`: refuse it; `off`: save nothing.', ['on', 'off', 'required']),
    ignored: flag('Whether to save every ignored file that commands change; `false`: small ones only.'),
    max_mb: positive('Megabytes for one folder; the oldest are dropped.'),
    max_file_mb: positive('Megabytes of one file; a larger one cannot be brought back.'),
    max_days: positive('Days until a checkpoint is dropped.'),
  }),
  context: table('What a model sees, and when a conversation is compacted.', {
    instruction_files: list('Names for the instruction file of a folder that has no AGENTS.md; the first that is there counts.', {
      type: 'string',
      description: 'A name.',
      pattern: String.raw`^[\w-][\w. -]*$`,
      patternErrorMessage: 'must be the name of a file, without a folder',
    }),
    compact_at: positive('Share of the model window at which it is compacted; from 1 on only when the provider refuses.'),
    compaction: oneOf('Who compacts it: Fettle by a request (`local`), or the `provider` if it offers that.', ['local', 'provider']),
    summary_model: {
      ...MODEL,
      description: 'Model that summarizes older messages; defaults to the model of the session. A cheap one with a large window will do.',
    },
    window_tokens: wholeFrom(1024, 'Tokens of the window, input and output together, where neither the server nor the catalogue says it.'),
  }),
  harness: table('When a run may end, and how its work is planned and evaluated.', {
    continuation: oneOf(
      'Where a run goes on until its task list is complete and every command that verifies it has exited with 0: `exec` where nobody is there and in the mode full-auto, `full-auto` only there, `all` in chats too, `off` nowhere.',
      ['exec', 'full-auto', 'all', 'off'],
    ),
    verify_timeout_s: seconds('Timeout in seconds of one verification command; one that runs longer does not verify.'),
    orchestration: oneOf(
      '`plan_build_evaluate`: a planner writes a specification and a task list first, an evaluator checks the result; in the runs that `continuation` names.',
      ['single', 'plan_build_evaluate'],
    ),
    max_revision_rounds: wholeFrom(0, 'How often the evaluator may send the work back.'),
    models: table('Models of the roles; default to the model of the session.', {
      planner: {...MODEL, description: 'Model of the planner.'},
      evaluator: {...MODEL, description: 'Model of the evaluator.'},
    }),
  }),
  subagents: table('Limits of subagents.', {
    max_concurrent: wholeFrom(1, 'How many work at the same time; more than 5 mean 5. The others wait.'),
  }),
  optimization: table('Learning from outcomes which action to choose.', {
    enabled: flag('Whether choices are learned from the outcomes of runs.'),
    models: list('The models that `model = "auto"` may choose; on a tie the first.', {...MODEL, description: '`provider/model`.'}),
    toolsets: list('The toolsets that `toolset = "auto"` may choose for a model; on a tie the first.', {
      ...TEXT,
      description: 'A toolset.',
    }),
    edit_dialects: list(
      'What `edit_dialect = "auto"` may choose for a model; on a tie the first.',
      oneOf('An edit dialect.', ['own', 'exact', 'blocks', 'patch']),
    ),
    explore_share: share('The largest share of runs in which an automatic choice may differ from the best that is known.'),
    strategy: oneOf('The policy.', ['bandit', 'epsilon_greedy', 'ucb1', 'ucb1_tuned', 'thompson', 'linucb', 'actor_critic']),
    bandit: table('All strategies but `actor_critic`.', {
      exploration_epsilon: share('Share of choices that explore (`bandit`, `epsilon_greedy`).'),
      rolling_window: wholeFrom(1, 'An outcome counts at least as much as one of so many (`bandit`).'),
      latency_weight: share('The most that an action loses for being slower than the latency budget of a choice. Only programs pass one.'),
      discount: share('Factor on the weight of earlier outcomes at each new one, such as 0.99; 1: nothing fades. Not for `linucb`.', 0.5),
    }),
    actor_critic: table('Only `actor_critic`.', {
      learning_rate: share('Smallest share of a difference that one outcome teaches, over all choices of an episode.'),
      discount_factor: share('Weight of an outcome for the choice before it in an episode, times `trace_decay`, for each step back.'),
      trace_decay: share('See `discount_factor`.'),
    }),
    reward_shaping: table('Values of outcomes, for every strategy.', {
      success_reward: positive('Value of a verified success.'),
      timeout_penalty: {type: 'number', description: 'Value of a failure, a limit or a timeout.', minimum: -1000, maximum: 0},
      latency_penalty_weight: {type: 'number', description: 'Penalty for an hour; half of it for a minute.', minimum: 0},
      cost_penalty_weight: {type: 'number', description: 'Penalty for unbounded cost; half of it for one US dollar.', minimum: 0},
    }),
  }),
  traces: table('Spans for an OpenTelemetry receiver, by its conventions for generative AI.', {
    otlp_endpoint: {
      ...ADDRESS,
      description:
        'The address of a receiver of OTLP over HTTP (JSON, or protobuf where OTEL_EXPORTER_OTLP_PROTOCOL says so), without `/v1/traces`; else OTEL_EXPORTER_OTLP_ENDPOINT. Without one nothing is sent.',
    },
    content: flag('Whether spans include prompts, answers, arguments and results. They may contain secrets.'),
  }),
  provider_limits: table('Timeouts and retries of provider requests.', {
    first_byte_s: seconds('Seconds to wait for the first byte of a reply; then the request is aborted and retried.'),
    between_events_s: seconds('Seconds to wait between two events of a reply; then the request is aborted and retried.'),
    stall_notice_s: seconds('Seconds without data after which a reply is shown as stalled.'),
    retries: wholeFrom(0, 'How often a failed request is retried.'),
  }),
  hooks: byName(
    'Your commands that run automatically, by event.',
    {
      type: 'string',
      description: 'An event, such as `pre_tool_use` or `PreToolUse`.',
      pattern: '^[A-Za-z][A-Za-z_]*$',
      patternErrorMessage: 'must be the name of an event',
    },
    list('Hooks, in their order.', HOOK),
  ),
  providers: byName('Changes to built-in providers, by name.', {...NAME, description: 'A provider.'}, PROVIDER),
  custom_providers: list('Further servers that speak one of the known formats.', CUSTOM_PROVIDER),
  tool_paths: list('Folders and files with tools of your own.', {
    type: 'string',
    description: 'A folder or a file.',
    pattern: String.raw`^(?:/|~(?:/|$)|[A-Za-z]:[\\/])`,
    patternErrorMessage: 'must be an absolute path, or begin with `~/`',
  }),
  enabled_tools: list('If set, the only tools that are available.', NAME_PATTERN),
  disabled_tools: list('Tools to remove; ignored if `enabled_tools` is set.', NAME_PATTERN),
  composite_tools_enabled: flag('Whether to show models the composite tools (toolset `blade`). They can be called anyway.'),
  tools: byName(
    'Tools, by name.',
    {
      type: 'string',
      description: 'The name of a tool.',
      pattern: '^[A-Za-z][A-Za-z0-9_-]*$',
      patternErrorMessage: 'must be the name of a tool',
    },
    TOOL,
  ),
  web_fetch: table('Fetching pages.', {
    private_hosts: list('Hosts of this machine or of private networks that may be fetched from: exact names or addresses, without port.', {
      type: 'string',
      description: 'A host.',
      pattern: String.raw`^(?:[A-Za-z0-9][A-Za-z0-9._-]*|\[?(?=[^:]*:[^:]*:)[0-9A-Fa-f:.]+\]?)$`,
      patternErrorMessage: 'must be the name or the address of one host, without scheme, port and path',
    }),
  }),
  web_search: table('The search engine of `web_search`; without it there is none.', {
    provider: oneOf('Which one.', ['brave', 'tavily', 'searxng']),
    base_url: {...ADDRESS, description: 'Its address, without the path of an endpoint. Needed for `searxng`.'},
    api_key_env: {
      ...api_key_env,
      description: `${api_key_env.description} Without it BRAVE_SEARCH_API_KEY, TAVILY_API_KEY or SEARXNG_API_KEY.`,
    },
  }),
  code: table('The index of code, and language servers.', {
    index: flag('Whether tools may use an index of symbols; it is built on first use.'),
    language_servers: oneOf('`trusted`: use installed ones in projects that you trust. `off`: none.', ['trusted', 'off']),
    diagnostics_s: {
      type: 'number',
      description: 'Seconds to wait for what a language server says of files that were changed; 0: it is not asked.',
      minimum: 0,
      maximum: MAX_SECONDS,
    },
    servers: list('Language servers besides those that are known; for a language, the first that is installed is used.', LANGUAGE_SERVER),
  }),
  mcp_servers: list('MCP servers.', MCP_SERVER),
  schedule: table('Scheduled jobs.', {
    notify: list(
      'The command that tells you of runs: a program and its arguments, without a shell. A title and a text are added as two arguments, and the run comes as JSON on stdin. Without it a notification of the desktop is shown, where there is one.',
      {...TEXT, description: 'The program, or an argument.'},
    ),
  }),
  terminal: table('The interactive session.', {
    surface: oneOf(
      'How it is shown: `inline` in the scrollback of the terminal, `alternate` on a screen of its own, `lines` line by line; `auto` is `inline`.',
      ['auto', 'inline', 'alternate', 'lines'],
    ),
    theme: oneOf('Colours; `auto` follows the background, `none` uses none.', ['auto', 'dark', 'light', 'none']),
    vim: flag('Whether the input has the keys of vim.'),
    bell: flag('Whether the terminal rings when a question waits, or when a turn has ended.'),
    keys: byName(
      'Keys in place of the default ones, by the name of what they do: `{submit = ["ctrl+enter"]}`.',
      {...TEXT, description: 'What the keys do.'},
      list('The keys; an empty list removes the default ones.', {...TEXT, description: 'A key, such as `ctrl+enter` or `alt+x`.'}),
    ),
    status_command: {
      ...TEXT,
      description: 'Shell line that reads JSON about the session on stdin; the first line of its output is shown in the status line.',
    },
  }),
});
