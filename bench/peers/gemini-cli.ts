import type {Peer} from './contender.ts';

/** Gemini CLI (docs of the package: reference/configuration). */
export const geminiCli: Peer = {
  name: 'Gemini CLI',
  command: 'gemini',
  variable: 'BENCH_GEMINI',
  install: 'npm install -g @google/gemini-cli',
  argv: () => ['--approval-mode', 'yolo', '--skip-trust', '--model', 'gemini-2.5-pro', '--prompt', 'Do it.'],
  idleArgv: ['--version'],
  env: ({model}) => ({GEMINI_API_KEY: 'none', GOOGLE_GEMINI_BASE_URL: model.origin}),
  files: () => ({
    '.gemini/settings.json': JSON.stringify({
      general: {enableAutoUpdate: false, enableAutoUpdateNotification: false},
      privacy: {usageStatisticsEnabled: false},
      telemetry: {enabled: false},
      security: {auth: {selectedType: 'gemini-api-key'}},
    }),
  }),
  tools: {
    read: ({path}) => ({name: 'read_file', arguments: {file_path: path}}),
    edit: ({path, old_string, new_string}) => ({
      name: 'replace',
      arguments: {file_path: path, instruction: 'Count on.', old_string, new_string},
    }),
    grep: ({pattern}) => ({name: 'grep_search', arguments: {pattern}}),
    bash: ({command}) => ({name: 'run_shell_command', arguments: {command}}),
  },
  note: 'Gemini CLI speaks the Gemini API. It uses ripgrep only where that is in a folder of the system, else `git grep`.',
};
