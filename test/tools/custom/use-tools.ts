import {join} from 'node:path';
import {createDispatcher} from '../../../src/tools/dispatch/dispatcher.ts';
import {loadSettings} from '../../../src/sdk/settings/load-settings.ts';
import {openTools} from '../../../src/sdk/tools/open-tools.ts';
import type {ToolsOptions} from '../../../src/sdk/tools/opened-tools.ts';
import {toolSchemas} from '../../../src/tools/arguments/schema.ts';
import type {ToolStreamEvent} from '../../../src/tools/stream-event.ts';

/**
 * A process of its own, since the test runner resolves modules in its own way: `use-tools.ts ROOT REQUEST` works in ROOT/work with
 * FETTLE_HOME at ROOT/home, makes the calls of the request one after the other, and prints what came of it as JSON.
 */
const [root = '', request = '{}'] = process.argv.slice(2);
const {
  calls = [],
  toolOptions,
  flags,
} = JSON.parse(request) as {
  calls?: [string, object][];
  toolOptions?: ToolsOptions['toolOptions'];
  flags?: object;
};
const home = join(root, 'home');
const session = await loadSettings({
  cwd: join(root, 'work'),
  env: {FETTLE_HOME: home, PATH: process.env['PATH']},
  home,
  ...(flags && {flags}),
});
const tools = await openTools({session, spoolDir: join(root, 'spool'), toolOptions});
const output: Pick<Extract<ToolStreamEvent, {type: 'output'}>, 'stream' | 'text'>[] = [];
const dispatcher = createDispatcher({
  ...tools.dispatcher,
  approve: async () => ({decision: 'allow'}),
  listener: {onOutput: ({stream, text}) => void output.push({stream, text})},
});
const results = [];
for (const [name, args] of calls) {
  if (name === 'reset') tools.custom.reset();
  else {
    const [result] = await dispatcher.dispatchAll([{id: 'c', name, arguments: JSON.stringify(args)}], new AbortController().signal);
    results.push({outcome: result?.outcome, text: result?.text, summary: result?.summary, changes: result?.changes});
  }
}
const own = toolSchemas(tools.toolset).filter(({name}) => tools.custom.files.has(name));
const report = {
  names: tools.toolset.tools.map(({name}) => name),
  files: Object.fromEntries(tools.custom.files),
  schemas: own,
  notices: tools.notices,
  results,
  output,
};
process.stdout.write(JSON.stringify(report).replaceAll(root, '<root>'));
