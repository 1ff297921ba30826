/** The file that `fettle init` writes: every key, commented out, with its default or an example. */
export function configTemplate(): string {
  return TEMPLATE;
}

const TEMPLATE = `# Settings of Fettle. A line without its leading "# " takes effect; keys that are missing have the value shown here.
# Stronger than this file: FETTLE_* variables, then flags. \`fettle config check\` finds mistakes, \`fettle config show\` prints what is in force.

# The model, as provider/model. There is no default. Examples:
#   ollama/qwen3-coder   openai/gpt-6.2-sol   anthropic/claude-sonnet-5-5   gemini/gemini-3.8-flash   mistral/mistral-medium-3-5
# model = "ollama/qwen3-coder"

# Whether models are asked for the log probability of each token (Chat Completions, Responses and Gemini have them).
# logprobs = false

# Temperature of each request to a model, 0 to 2. Left out, none is sent; a model that refuses it is asked again without.
# temperature = 0.2

# Tool naming scheme to expose.
# toolset = "fettle"

# How models are asked to write edits: own (as the toolset does), exact, blocks or patch.
# edit_dialect = "own"

# What runs without a question where no rule decides: plan, ask, accept-edits or full-auto.
# mode = "ask"

# Folders and files with tools of your own; those in the folder "tools" beside this file are found without it.
# tool_paths = []

# Names, globs or re:EXPRESSIONS of tools. With enabled_tools there are no others, and disabled_tools is not looked at.
# enabled_tools = []
# disabled_tools = []

# Whether models are told of tools that are made of other tools, such as batch. They are run anyway.
# composite_tools_enabled = true

# When a run is stopped.
# [limits]
# max_turns = 200        # requests to the model
# max_tokens = 5000000   # input and output together; cached input counts a tenth
# max_cost_usd = 10      # not enforced for a model without a known price
# max_time_s = 3600      # seconds of wall clock
# command_memory_mb = 8000 # of one command; without it 80 % of the memory
# command_disk_mb = 50000 # by which free space may fall while one runs

# What a model sees, and when a conversation is compacted.
# [context]
# instruction_files = ["CLAUDE.md"] # in a folder without an AGENTS.md
# compact_at = 0.85      # share of the window of the model
# summary_model = "ollama/qwen3-coder" # summarises older messages; without it the model of the session
# compaction = "local"   # or provider: by the service of the model, where it offers that
# window_tokens = 32768  # where the catalogue does not know the model, or another window is wanted

# When a run may end, and how its work is planned and evaluated.
# [harness]
# continuation = "exec"  # go on until the task list is complete and verified: exec, full-auto, all or off
# verify_timeout_s = 600 # seconds for one command that verifies
# orchestration = "single" # or plan_build_evaluate
# max_revision_rounds = 2 # how often the evaluator may send the work back
# [harness.models]       # of the roles; without one the model above
# planner = "anthropic/claude-sonnet-5-5"
# evaluator = "openai/gpt-6.2-sol"

# Subagents. Their profiles are files in the folder agents beside this one.
# [subagents]
# max_concurrent = 3     # how many work at the same time, at most 5

# Learning from outcomes which action to choose (docs/guide/optimization.md).
# [optimization]
# enabled = false
# models = ["anthropic/claude-sonnet-5-5", "openai/gpt-6.2-sol"] # what model = "auto" may choose
# toolsets = ["fettle", "vtcode"] # what toolset = "auto" may choose
# edit_dialects = ["own", "patch"] # what edit_dialect = "auto" may choose
# explore_share = 0.1    # the largest share of runs in which such a choice differs from the best known
# strategy = "bandit"    # or epsilon_greedy, ucb1, ucb1_tuned, thompson, linucb, actor_critic
# [optimization.bandit]
# exploration_epsilon = 0.1 # share of choices that explore
# rolling_window = 50    # bandit: an outcome counts at least as much as one of so many
# latency_weight = 0.35  # most that being slower than its latency budget costs an action; only for programs that pass one
# discount = 1           # 0.99: earlier outcomes count less, for actions that change
# [optimization.actor_critic]
# learning_rate = 0.02
# discount_factor = 0.85
# trace_decay = 0.8
# [optimization.reward_shaping]
# success_reward = 1
# timeout_penalty = -0.8
# latency_penalty_weight = 0.25
# cost_penalty_weight = 0.1

# Rules are tool:pattern. deny is stronger than ask, ask is stronger than allow, and no mode overrides a deny.
# [permissions]
# allow = ["bash:npm test", "bash:git status *"]
# ask = ["bash:git push *"]
# deny = ["bash:sudo *"]

# Variables that commands see besides the harmless ones: names or globs of yours, and values. A glob passes no secrets.
# [environment]
# pass = ["DATABASE_URL", "APP_*"]
# set = {CI = "1"}

# OS sandbox around commands; without profile: workspace-write in the mode full-auto, else off.
# [sandbox]
# profile = "workspace-write" # or read-only, off
# network = false             # true: the network of the machine
# allowed_domains = ["registry.npmjs.org", "*.crates.io"]
# writable = ["/var/cache/build"]

# What is kept so that changes can be undone (fettle checkpoints).
# [checkpoints]
# keep = "on"            # required: what cannot be kept is not done; off: nothing is kept
# ignored = false        # true: also what commands change in files that .gitignore leaves out
# max_mb = 500           # for one folder; the oldest are dropped
# max_file_mb = 10       # a larger file cannot be brought back
# max_days = 30

# Spans for an OpenTelemetry receiver (OTLP over HTTP); without one nothing is sent. Also by OTEL_EXPORTER_OTLP_ENDPOINT.
# [traces]
# otlp_endpoint = "http://localhost:4318"
# content = false        # true: with prompts, answers, arguments and results

# Timeouts and retries of provider requests.
# [provider_limits]
# first_byte_s = 60      # then the request is cut and sent again
# between_events_s = 90  # then the request is cut and sent again
# stall_notice_s = 10    # then the silence is shown
# retries = 4

# Commands of yours that run by themselves at an event; they read JSON on stdin (docs/guide/hooks.md).
# [[hooks.pre_tool_use]]
# matcher = "bash"
# command = "~/bin/check-command"
# timeout_s = 60

# Changes to a built-in provider. A key is named by its environment variable, never written here.
# [providers.openai]
# base_url = "https://api.openai.com/v1"
# api_key_env = "OPENAI_API_KEY"

# A further server. format: openai-chat, openai-responses, anthropic or gemini.
# [[custom_providers]]
# name = "local"
# format = "openai-chat"
# base_url = "http://localhost:8080/v1"
# api_key_env = "LOCAL_API_KEY"
# headers = {"X-Team" = "tools"}
# models = ["qwen3-coder"]

# One tool: who decides on its calls (always, never, ask), and what it may touch. Other keys are options of the tool itself.
# [tools.word_count]
# permission = "ask"
# allowlist = ["docs/*"]
# denylist = ["*.pem"]

# The index of code, and language servers.
# [code]
# index = true           # whether there are tools for symbols
# language_servers = "trusted" # or off
# diagnostics_s = 5      # how long to wait for what they say of changed files; 0: they are not asked
# [[code.servers]]
# name = "zls"
# command = "zls"
# args = []
# languages = ["zig"]

# Hosts of this machine or of private networks that web_fetch may ask.
# [web_fetch]
# private_hosts = ["localhost"]

# The search engine that web_search asks: brave, tavily or searxng.
# [web_search]
# provider = "searxng"
# base_url = "http://localhost:8080"
# api_key_env = "SEARXNG_API_KEY"

# A server of tools (Model Context Protocol): a program that is started, or an address. Its tools are called mcp__NAME__TOOL.
# [[mcp_servers]]
# name = "files"
# transport = "stdio"
# command = "npx"
# args = ["-y", "@modelcontextprotocol/server-filesystem", "."]
# env = {LOG_LEVEL = "warn"}
# cwd = "."
# startup_timeout_s = 10 # then it is left out
# tool_timeout_s = 60    # without an answer or progress; then a call is given up
# roots = false          # it keeps to the folders of its arguments, and is not told the one that is worked in
# disabled = false
# disabled_tools = ["move_file"]
# prompt = "Only for files outside the workspace."

# [[mcp_servers]]
# name = "tracker"
# transport = "http"
# url = "https://tracker.example/mcp"
# headers = {"X-Team" = "tools"}
# api_key_env = "TRACKER_API_KEY"

# [[mcp_servers]]
# name = "calendar"
# transport = "http"
# url = "https://calendar.example/mcp"
# auth = "oauth" # a login in a browser: fettle mcp login calendar
# scopes = ["events.read"]
# client_id = "fettle-at-home"
# client_secret_env = "CALENDAR_CLIENT_SECRET"

# Scheduled jobs (docs/guide/schedule.md): the command that tells you of their runs; a title and a text are added to it.
# [schedule]
# notify = ["/usr/local/bin/tell-me", "--quiet"]

# The interactive session (docs/guide/terminal.md).
# [terminal]
# surface = "auto"       # or inline, alternate (a screen of its own), lines; --surface is stronger
# theme = "auto"         # or dark, light, none
# vim = false            # true: the keys of vim in the input
# bell = true            # rings when a question waits, or when a turn has ended
# keys = {steer = ["ctrl+enter"], searchHistory = ["ctrl+r"]} # in place of the default ones
# status_command = "jq -r .title" # reads JSON about the session; its first line is shown in the status line
`;
