import {join} from 'node:path';
import {rgPath} from '@vscode/ripgrep';
import type {PlannedCall} from '../wires/wire.ts';
import type {Contender, Tools} from './contender.ts';

const LAUNCHER = join(import.meta.dirname, '../../dist/bin/fettle.cjs');
const LOOP = join(import.meta.dirname, '../minimal-loop.mjs');

const as =
  (name: string) =>
  (given: Readonly<Record<string, string>>): PlannedCall => ({name, arguments: given});
const TOOLS: Tools = {read: as('read'), edit: as('edit'), grep: as('grep'), bash: as('bash')};

/** Fettle as it was built; node is its command. */
export const fettle: Contender = {
  name: 'Fettle',
  argv: () => [LAUNCHER, 'exec', '--model', 'instant/instant', '--mode', 'accept-edits', '--max-turns', '1000', 'Do it.'],
  idleArgv: [LAUNCHER, '--version'],
  env: ({home}) => ({FETTLE_HOME: home}),
  files: ({model}) => ({
    'config.toml': `[context]\nwindow_tokens = 1000000\n\n[[custom_providers]]\nname = "instant"\nformat = "openai-chat"\nbase_url = "${model.baseUrl}"\n`,
  }),
  tools: TOOLS,
  note: 'Fettle speaks Chat Completions. Its commands run without a sandbox, as those of the others.',
};

/** The yardstick; node is its command. */
export const bareLoop: Contender = {
  name: 'bare loop (Node)',
  argv: ({model}) => [LOOP, model.baseUrl, 'Do it.'],
  idleArgv: ['-e', '0'],
  version: process.versions.node,
  env: () => ({BENCH_RG: rgPath}),
  files: () => ({}),
  tools: TOOLS,
  note: 'The bare loop is the yardstick. For an edit it waits twice for the disk, as Fettle does: for what undo brings back, and for the new text.',
};
