/** The file that `fettle init` writes: every key, commented out, with its default or an example. */
export function configTemplate(): string {
  return TEMPLATE;
}

const TEMPLATE = `# Settings of Fettle. A line without its leading "# " takes effect; keys that are missing have the value shown here.
# Stronger than this file: FETTLE_* variables, then flags. \`fettle config check\` finds mistakes, \`fettle config show\` prints what is in force.

# The model, as provider/model. There is no default. Examples:
#   ollama/qwen3-coder   openai/gpt-6.2-sol   anthropic/claude-sonnet-5-5   gemini/gemini-3.8-flash   mistral/mistral-medium-3-5
# model = "ollama/qwen3-coder"

# The names and habits under which tools are published.
# toolset = "fettle"

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
# max_tokens = 5000000   # input and output together, cached input included
# max_cost_usd = 10      # not enforced for a model without a known price
# max_time_s = 3600      # seconds of wall clock

# Rules are tool:pattern. deny is stronger than ask, ask is stronger than allow, and no mode overrides a deny.
# [permissions]
# allow = ["bash:npm test", "bash:git status *"]
# ask = ["bash:git push *"]
# deny = ["bash:sudo *"]

# Patience with a provider.
# [provider_limits]
# first_byte_s = 60      # then the request is cut and sent again
# between_events_s = 90  # then the request is cut and sent again
# stall_notice_s = 10    # then the silence is shown
# retries = 4

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
`;
