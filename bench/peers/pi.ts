import type {Peer} from './contender.ts';

/** pi (docs of the package: models-configuration, environment-variables, settings). */
export const pi: Peer = {
  name: 'pi',
  command: 'pi',
  variable: 'BENCH_PI',
  install: 'npm install -g @earendil-works/pi-coding-agent',
  // The search tool is one of those that are switched on by name.
  argv: () => ['--tools', '+grep', '--model', 'instant/instant', '--print', 'Do it.'],
  idleArgv: ['--version'],
  env: () => ({PI_OFFLINE: '1'}),
  files: ({model}) => ({
    '.pi/agent/models.json': JSON.stringify({
      providers: {
        instant: {
          baseUrl: model.baseUrl,
          api: 'openai-completions',
          apiKey: 'none',
          models: [{id: 'instant', contextWindow: 1_000_000}],
        },
      },
    }),
    '.pi/agent/settings.json': JSON.stringify({enableInstallTelemetry: false}),
  }),
  tools: {
    read: ({path}) => ({name: 'read', arguments: {path}}),
    edit: ({path, old_string, new_string}) => ({name: 'edit', arguments: {path, edits: [{oldText: old_string, newText: new_string}]}}),
    grep: ({pattern}) => ({name: 'grep', arguments: {pattern}}),
    bash: ({command}) => ({name: 'bash', arguments: {command}}),
  },
  note: 'pi speaks Chat Completions. Its `grep` is switched on with `--tools +grep`.',
};
