import {rgPath} from '@vscode/ripgrep';
import type {Peer} from './contender.ts';

/** Codex CLI (its `--help`, and the keys of its config.toml). */
export const codex: Peer = {
  name: 'Codex CLI',
  command: 'codex',
  variable: 'BENCH_CODEX',
  install: 'npm install -g @openai/codex',
  argv: () => ['exec', '--dangerously-bypass-approvals-and-sandbox', 'Do it.'],
  idleArgv: ['--version'],
  // Its commands run in a login shell, whose profile may set another PATH.
  env: () => ({BENCH_RG: rgPath}),
  files: ({model}) => ({
    '.codex/config.toml': `# A model with plain tools.
model = "gpt-5.5"
model_provider = "instant"
model_context_window = 1000000
check_for_update_on_startup = false
web_search = "disabled"

[model_providers.instant]
name = "instant"
base_url = "${model.baseUrl}"
wire_api = "responses"

[analytics]
enabled = false

[feedback]
enabled = false

[otel]
metrics_exporter = "none"

# They ask servers for what is new.
[features]
plugins = false
apps = false
`,
  }),
  tools: {
    read: ({path}) => shell(`cat ${path}`),
    edit: ({path, old_string, new_string}) => ({
      name: 'apply_patch',
      arguments: [
        '*** Begin Patch',
        `*** Update File: ${path}`,
        '@@',
        `-export const ${old_string}`,
        `+export const ${new_string}`,
        '*** End Patch',
        '',
      ].join('\n'),
    }),
    grep: ({pattern}) => shell(`"$BENCH_RG" -n '${pattern}'`),
    bash: ({command}) => shell(command ?? ''),
  },
  note: 'Codex CLI speaks Responses. It has no tools for reading and searching: it reads with `cat` and searches with `rg`, as commands.',
};

function shell(cmd: string): {name: string; arguments: {cmd: string}} {
  return {name: 'exec_command', arguments: {cmd}};
}
