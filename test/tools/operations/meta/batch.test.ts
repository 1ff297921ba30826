import {readdir, readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {createDispatcher} from '../../../../src/tools/dispatch/dispatcher.ts';
import type {DispatchListener} from '../../../../src/tools/dispatch/dispatch.ts';
import {COMPOSITE_TOOLS} from '../../../../src/tools/toolsets/blade/blade-composite.ts';
import type {Tool} from '../../../../src/tools/toolset.ts';
import type {DispatcherOptions} from '../../../../src/tools/dispatch/dispatch.ts';
import {fakeOptions, fakeTool} from '../../support/fake-toolset.ts';
import {scratch} from '../../../support/scratch.ts';
import {openToolset} from '../../support/open-toolset.ts';

const never = new AbortController().signal;

interface Reported {
  readonly results: readonly {
    readonly index: number;
    readonly ok: boolean;
    readonly output?: string;
    readonly error?: string;
    readonly skipped?: true;
  }[];
  readonly meta: {readonly cancelled: boolean; readonly metrics: unknown};
}

async function runBatch(tools: readonly Tool[], args: object, options: Partial<DispatcherOptions> = {}, signal = never): Promise<Reported> {
  const dispatcher = createDispatcher({
    ...fakeOptions([...tools, ...COMPOSITE_TOOLS], options),
    toolset: {...fakeOptions([...tools, ...COMPOSITE_TOOLS]).toolset, outputBound: {maxBytes: 100_000, maxLines: 1000}},
  });
  const {structured} = await dispatcher.dispatch({id: 'b', name: 'batch', arguments: JSON.stringify(args)}, signal);
  return structured as Reported;
}

const calls = (tool: string, count: number): object[] =>
  Array.from({length: count}, (_, index) => ({tool, arguments: {value: String(index)}}));

/** A read that ends when `together` of them run at the same time: one after another they would never end. */
function meeting(together: number): {tool: Tool; most(): number} {
  let running = 0;
  let most = 0;
  let open = Promise.withResolvers<void>();
  const tool = fakeTool('meet', 'read', async (value) => {
    running += 1;
    most = Math.max(most, running);
    if (running === together) {
      open.resolve();
      open = Promise.withResolvers<void>();
      running = 0;
      return value;
    }
    await open.promise;
    return value;
  });
  return {tool, most: () => most};
}

describe('zblade tool calls › batch', () => {
  it('"concurrently": 16 slow reads run 16 at a time with max_parallel 16, 8 at a time by default', async () => {
    for (const [together, args] of [
      [16, {max_parallel: 16}],
      [8, {}],
      [16, {max_parallel: 99}],
    ] as const) {
      const {tool, most} = meeting(together);
      const {results} = await runBatch([tool], {calls: calls('meet', 16), ...args});
      expect([most(), results.map(({output}) => output)]).toEqual([together, Array.from({length: 16}, (_, index) => String(index))]);
    }
  });
  it('"Preserve input order. Defaults to true": else the order of their ends', async () => {
    const gate = Promise.withResolvers<void>();
    const tool = fakeTool('step', 'read', async (value) => {
      if (value === '0') await gate.promise;
      else gate.resolve();
      return value;
    });
    const order = async (ordered: boolean) => (await runBatch([tool], {calls: calls('step', 2), ordered})).results.map(({index}) => index);
    expect(await order(true)).toEqual([0, 1]);
    const late = Promise.withResolvers<void>();
    const other = fakeTool('step', 'read', async (value) => {
      if (value === '0') await late.promise;
      else setImmediate(late.resolve);
      return value;
    });
    expect((await runBatch([other], {calls: calls('step', 2), ordered: false})).results.map(({index}) => index)).toEqual([1, 0]);
  });
  it('"Optional total budget": what has not ended then is cancelled, what has is kept', async () => {
    const tool = fakeTool('maybe', 'read', (value) => (value === '1' ? new Promise(() => undefined) : value));
    const {results, meta} = await runBatch([tool], {calls: calls('maybe', 3), cancel_after_ms: 30, max_parallel: 3});
    expect(results.map(({ok, error}) => [ok, error])).toEqual([
      [true, undefined],
      [false, 'cancelled'],
      [true, undefined],
    ]);
    expect(meta.cancelled).toBe(true);
  });
  it('meta.metrics: "calls, failures, failure_rate, latency p50/p95 over the last 512 samples", of the thread', async () => {
    const tool = fakeTool('maybe', 'read', (value) => {
      if (value === '1') throw new Error('broken');
      return value;
    });
    const {context} = fakeOptions([]);
    const numbers = async (count: number): Promise<unknown> =>
      (await runBatch([tool], {calls: calls('maybe', count)}, {context})).meta.metrics;
    const latency = {p50: expect.any(Number), p95: expect.any(Number)};
    expect(await numbers(4)).toEqual({calls: 4, failures: 1, failure_rate: 0.25, latency_ms: latency});
    expect(await numbers(1)).toEqual({calls: 5, failures: 1, failure_rate: 0.2, latency_ms: latency});
    expect(await numbers(600)).toEqual({calls: 512, failures: 0, failure_rate: 0, latency_ms: latency});
  });
  it('"Stop queued work after first failure": calls that were not started are listed as skipped', async () => {
    const tool = fakeTool('maybe', 'read', (value) => {
      if (value === '1') throw new Error('broken');
      return value;
    });
    const {results} = await runBatch([tool], {calls: calls('maybe', 4), max_parallel: 1, fail_fast: true});
    expect(results.map(({ok, skipped, error}) => [ok, skipped, error])).toEqual([
      [true, undefined, undefined],
      [false, undefined, expect.stringContaining('broken')],
      [false, true, 'skipped: an earlier call failed'],
      [false, true, 'skipped: an earlier call failed'],
    ]);
  });
  it('"all-settled behavior": a call without a name fails for itself alone', async () => {
    const tools = await openToolset('blade', await scratch({'a.txt': 'a\n'}));
    const {results} = JSON.parse(await tools.text('batch', {calls: [{}, {tool: 'read_file', arguments: {path: 'a.txt'}}]})) as {
      results: {ok: boolean; error?: string}[];
    };
    expect(results.map(({ok, error}) => [ok, error])).toEqual([
      [false, 'the call names no tool: each has tool (or name) and arguments'],
      [true, undefined],
    ]);
  });

  it('"Only read-only tools are allowed", whatever their name: the side effect decides', async () => {
    const tools = (['write', 'execute', 'network', 'interact'] as const).map((effect) => fakeTool(effect, effect, () => 'done'));
    const {results} = await runBatch(tools, {calls: tools.map(({name}) => ({tool: name, arguments: {value: 'x'}}))});
    expect(results.map(({ok}) => ok)).toEqual([false, false, false, false]);
  });
  it('nested calls are judged, bounded and without secrets; hosts see one call', async () => {
    const heard: string[] = [];
    const listener: DispatchListener = {onStart: ({toolName}) => heard.push(toolName), onResult: ({toolName}) => heard.push(toolName)};
    const told = await runBatch(
      [fakeTool('read', 'read', (value) => `${value} hunter2hunter2 ${'x'.repeat(200_000)}`)],
      {
        calls: [
          {tool: 'read', arguments: {value: 'ok'}},
          {tool: 'read', arguments: {value: '.env'}},
          {tool: 'nothing'},
          {tool: 'read', arguments: '{"value": "text"}'},
        ],
      },
      {
        listener,
        secrets: ['hunter2hunter2'],
        policy: () => ({mode: 'ask', rules: [{text: 'read:*.env', effect: 'deny', source: 'test'}], fallback: 'allow'}),
      },
    );
    const [ok, denied, unknown, asText] = told.results;
    expect([ok?.ok, denied?.ok, unknown?.ok, asText?.ok]).toEqual([true, false, false, true]);
    expect(ok?.output).not.toContain('hunter2');
    expect(Buffer.byteLength(ok?.output ?? '')).toBeLessThan(110_000);
    expect(denied?.error).toContain('Denied');
    expect(unknown?.error).toContain('There is no tool "nothing"');
    expect(heard).toEqual(['batch', 'batch']);
  });
  it('a batch inside another tool call has no nested calls of its own', async () => {
    const seen: unknown[] = [];
    const spy = fakeTool('spy', 'read', (_value, ctx) => {
      seen.push(ctx.nested);
      return 'ok';
    });
    await runBatch([spy], {calls: calls('spy', 1)});
    expect(seen).toEqual([undefined]);
  });
  it('a cancelled turn cancels all of it', async () => {
    const stop = new AbortController();
    const tool = fakeTool('wait', 'read', () => {
      stop.abort();
      return new Promise<string>(() => undefined);
    });
    const told = await runBatch([tool], {calls: calls('wait', 2)}, {}, stop.signal);
    expect(told).toMatchObject({code: 'CANCELLED'});
  });
  it('works on real tools', async () => {
    const tools = await openToolset('blade', await scratch({'a.txt': 'one\n', '.env': 'KEY=1\n'}));
    const {structured} = await tools.call('batch', {
      calls: [
        {tool: 'rg', arguments: {pattern: 'one'}},
        {tool: 'get_file_info', arguments: {path: '../x'}},
      ],
    });
    expect((structured as Reported).results.map(({ok, output}) => [ok, output])).toEqual([
      [true, 'a.txt:1:one'],
      [false, undefined],
    ]);
  });

  it.each<[string, object]>([
    ['write', {path: 'b.txt', content: 'x'}],
    ['bash', {command: 'touch b.txt'}],
    ['edit', {path: 'a.txt', old_text: 'a', new_text: 'b'}],
    ['delete_file', {path: 'a.txt'}],
    ['batch', {calls: [{tool: 'write', arguments: {path: 'b.txt', content: 'x'}}]}],
  ])('design §4: meta tools have the effect of what they call: tool_search does not run %s in a batch', async (name, input) => {
    const root = await scratch({'a.txt': 'a'});
    const {call} = await openToolset('fettle', root);
    const {structured} = await call('batch', {
      calls: [
        {tool: 'tool_search', arguments: {name, arguments: input}},
        {tool: 'toolSearch', arguments: JSON.stringify({name, arguments: input})},
      ],
    });
    const {results} = structured as Reported;
    expect([
      results.map(({ok}) => ok),
      (await readdir(root)).filter((file) => !file.startsWith('.')),
      await readFile(join(root, 'a.txt'), 'utf8'),
    ]).toEqual([[false, false], ['a.txt'], 'a']);
  });
});
