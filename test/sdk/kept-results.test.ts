import {execFile} from 'node:child_process';
import {readdir, readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {describe, expect, it, onTestFinished} from 'vitest';
import {isJsonObject, parseJson} from '../../src/base/json.ts';
import {exportAtif} from '../../src/sessions/export/atif.ts';
import type {LoggedEvent} from '../../src/sessions/log-line.ts';
import {startModelServer} from '../../src/testing/index.ts';
import {check} from '../checks/atif-check.mjs';
import {scratch} from '../support/scratch.ts';
import type {ThreadOrder} from './thread-with-options.ts';

const TOOL = `import {defineCustomTool, z} from 'fettle/tools';
let runs = 0;
export const tool = defineCustomTool({
  description: 'Counts its runs.', args: z.object({}), result: z.object({runs: z.number()}), sideEffect: 'pure',
  cacheKey: () => 'k',
  async run() { return {runs: ++runs}; },
});
`;

async function logOf(home: string): Promise<LoggedEvent[]> {
  const files = await readdir(home, {recursive: true});
  const [file = ''] = files.filter((name) => /sessions\b.*\.jsonl$/.test(name));
  const lines = (await readFile(join(home, file), 'utf8')).trimEnd().split('\n').map(parseJson).filter(isJsonObject);
  return lines as unknown as LoggedEvent[];
}

describe('results that are kept, in a thread', () => {
  it('until a person says something; the log and the trajectory tell which calls were not run', async () => {
    const calls = ['look', 'look'].map(() => ({name: 'count', arguments: {}}));
    const server = await startModelServer([
      {toolCalls: calls},
      {text: 'One.'},
      {toolCalls: [{name: 'count', arguments: {}}]},
      {text: 'Two.'},
    ]);
    onTestFinished(() => server.close());
    const [cwd, home] = await Promise.all([scratch(), scratch({'tools/count.ts': TOOL})]);
    const order: ThreadOrder = {cwd, home, url: `${server.url}/v1`, prompt: 'count', again: 'again', toolOptions: {}};
    await promisify(execFile)(process.execPath, [join(import.meta.dirname, 'thread-with-options.ts'), JSON.stringify(order)]);
    const events = await logOf(home);
    const items = events.flatMap(({event}) => (event.type === 'item.completed' ? [event.item] : []));
    const fromCache = items.flatMap((item) => (item.type === 'tool_invocation' ? [item.from_cache ?? false] : []));
    const outputs = items.flatMap((item) => (item.type === 'tool_output' ? [item.output] : []));
    expect([fromCache, outputs]).toEqual([
      [false, true, false],
      ['runs: 1', 'runs: 1', 'runs: 2'],
    ]);
    const trajectory = JSON.parse(exportAtif(events)) as {steps: {observation?: {results: {extra: {from_cache?: boolean}}[]}}[]};
    const results = trajectory.steps.flatMap(({observation}) => observation?.results ?? []);
    expect([check(trajectory), results.map(({extra}) => extra.from_cache)]).toEqual([[], [undefined, true, undefined]]);
  });
});
