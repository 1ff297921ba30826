import * as z from 'zod/mini';
import {describe, expect, it} from 'vitest';
import {plainOperation} from '../../../src/tools/operation.ts';
import {FettleError} from '../../../src/base/errors.ts';
import type {Policy} from '../../../src/policy/decision.ts';
import type {SideEffect} from '../../../src/protocol/side-effect.ts';
import type {CommandSession} from '../../../src/tools/shells/command-session.ts';
import type {CommandSessions} from '../../../src/tools/shells/command-sessions.ts';
import type {ToolContext} from '../../../src/tools/context.ts';
import type {DispatcherOptions, DispatchResult} from '../../../src/tools/dispatch/dispatch.ts';
import {createDispatcher} from '../../../src/tools/dispatch/dispatcher.ts';
import {createResultCache} from '../../../src/tools/dispatch/result-cache.ts';
import {defineTool, type Tool} from '../../../src/tools/toolset.ts';
import {fakeOptions, fakeTool, toolCall} from '../support/fake-toolset.ts';

const never = new AbortController().signal;

type Run = (value: string, ctx: ToolContext) => Promise<string> | string;

interface Cached {
  readonly tool: Tool;
  /** How often it has run. */
  readonly runs: () => number;
}

/** A reader that names a key, and counts its runs: each gives another text. */
function cached({sideEffect = 'read', act, key = (value) => value, description = 'count'}: CachedOptions = {}): Cached {
  let count = 0;
  const tool = defineTool({
    name: 'count',
    description,
    input: z.object({value: z.string()}),
    toArgs: (input) => input,
    render: ({text}) => ({text, summary: 'counted'}),
    operation: plainOperation({
      id: 'test.count',
      permission: 'count',
      args: z.object({value: z.string()}),
      result: z.object({text: z.string()}),
      sideEffect,
      subjects: async ({value}) => [{kind: 'path', path: `/w/${value}`, relative: value, inside: true, write: false}],
      cacheKey: ({value}) => key(value),
      async run({value}, ctx) {
        count += 1;
        await act?.(value, ctx);
        return {text: `${value} ${count}`};
      },
    }),
  });
  return {tool, runs: () => count};
}

interface CachedOptions {
  readonly sideEffect?: SideEffect;
  readonly act?: Run;
  readonly key?: (value: string) => string | undefined;
  readonly description?: string;
}

const put = fakeTool('put', 'write', () => 'done');
const fails = fakeTool('put', 'write', () => {
  throw new FettleError({code: 'IO', message: 'half of it is written'});
});
const run = fakeTool('run', 'execute', () => 'done');
const ask = fakeTool('ask', 'interact', () => 'yes');
const fetched = fakeTool('fetch', 'network', () => 'page');
const look = fakeTool('look', 'read', () => 'seen');

/** What a model and a log see of some calls, one after the other. */
async function results(tools: readonly Tool[], calls: readonly [string, string][], options: Partial<DispatcherOptions> = {}) {
  const dispatcher = createDispatcher(fakeOptions(tools, options));
  const told: string[] = [];
  for (const [name, value] of calls) told.push(shown(await dispatcher.dispatch(toolCall(name, value), never)));
  return told;
}

function shown({text, outcome, fromCache}: DispatchResult): string {
  return `${outcome === 'success' ? text : outcome}${fromCache === true ? ' (cached)' : ''}`;
}

describe('vtcode architecture › "pub trait CacheableTool: cache_key, should_cache"', () => {
  it.each<[string, CachedOptions, readonly Tool[], readonly [string, string][], readonly string[]]>([
    [
      'hit',
      {},
      [],
      [
        ['count', 'a'],
        ['count', 'a'],
      ],
      ['a 1', 'a 1 (cached)'],
    ],
    [
      'miss',
      {},
      [],
      [
        ['count', 'a'],
        ['count', 'b'],
        ['count', 'a'],
      ],
      ['a 1', 'b 2', 'a 1 (cached)'],
    ],
    [
      'the key decides, not the arguments',
      {key: () => 'k'},
      [],
      [
        ['count', 'a'],
        ['count', 'b'],
      ],
      ['a 1', 'a 1 (cached)'],
    ],
    [
      'no key, no cache',
      {key: () => undefined},
      [],
      [
        ['count', 'a'],
        ['count', 'a'],
      ],
      ['a 1', 'a 2'],
    ],
    [
      'a read in between',
      {},
      [look],
      [
        ['count', 'a'],
        ['look', 'b'],
        ['count', 'a'],
      ],
      ['a 1', 'seen', 'a 1 (cached)'],
    ],
    [
      'a write',
      {},
      [put],
      [
        ['count', 'a'],
        ['put', 'b'],
        ['count', 'a'],
      ],
      ['a 1', 'done', 'a 2'],
    ],
    [
      'a write that failed',
      {},
      [fails],
      [
        ['count', 'a'],
        ['put', 'b'],
        ['count', 'a'],
      ],
      ['a 1', 'error', 'a 2'],
    ],
    [
      'a command',
      {},
      [run],
      [
        ['count', 'a'],
        ['run', 'true'],
        ['count', 'a'],
      ],
      ['a 1', 'done', 'a 2'],
    ],
    [
      'the network',
      {},
      [fetched],
      [
        ['count', 'a'],
        ['fetch', 'b'],
        ['count', 'a'],
      ],
      ['a 1', 'page', 'a 2'],
    ],
    [
      'a person who was asked',
      {},
      [ask],
      [
        ['count', 'a'],
        ['ask', 'b'],
        ['count', 'a'],
      ],
      ['a 1', 'yes', 'a 2'],
    ],
  ])('%s', async (_, options, others, calls, expected) => {
    expect(await results([cached(options).tool, ...others], calls)).toEqual(expected);
  });

  it.each<[string, Run]>([
    [
      'one that throws',
      (_, {callId}) => {
        throw new FettleError({code: 'IO', message: `no: ${callId}`});
      },
    ],
    [
      'one that asked for permission while it ran',
      async (_, ctx) => {
        await ctx.permit?.([]);
        return '';
      },
    ],
    [
      'one that asked a person',
      async (_, ctx) => {
        await ctx.askUser?.([], ctx.signal);
        return '';
      },
    ],
    [
      'one that called another tool',
      async (_, ctx) => {
        await ctx.nested?.run('look', {value: 'b'}, ctx.signal);
        return '';
      },
    ],
  ])('a result is not kept: %s', async (_, act) => {
    const {tool, runs} = cached({act});
    const context = {...fakeOptions([]).context, askUser: async () => ({}) as never};
    await results(
      [tool, look],
      [
        ['count', 'a'],
        ['count', 'a'],
      ],
      {context},
    );
    expect(runs()).toBe(2);
  });

  it('a reader that asks to write while it runs empties the cache', async () => {
    const reader = fakeTool('sly', 'read', async (_, ctx) => {
      await ctx.permit?.([{kind: 'path', path: '/w/x', relative: 'x', inside: true, write: true}]);
      return 'wrote';
    });
    const told = await results(
      [cached().tool, reader],
      [
        ['count', 'a'],
        ['sly', 'b'],
        ['count', 'a'],
      ],
    );
    expect(told).toEqual(['a 1', 'wrote', 'a 2']);
  });

  it('two of the same in one reply: the second is answered by the first', async () => {
    const {tool} = cached();
    const {dispatchAll} = createDispatcher(fakeOptions([tool]));
    expect((await dispatchAll([toolCall('count', 'a'), toolCall('count', 'a')], never)).map(shown)).toEqual(['a 1', 'a 1 (cached)']);
  });

  it('a command that goes on in the background: nothing is reused until it has ended, nor what was read meanwhile', async () => {
    const {tool} = cached();
    const state: {ended?: object} = {};
    const session = {id: 's1', ended: () => state.ended} as unknown as CommandSession;
    const context = {...fakeOptions([]).context, sessions: {list: () => [session]} as unknown as CommandSessions};
    const {dispatch} = createDispatcher(fakeOptions([tool], {context}));
    const told = [await dispatch(toolCall('count', 'a'), never), await dispatch(toolCall('count', 'a'), never)];
    state.ended = {exitCode: 0};
    told.push(await dispatch(toolCall('count', 'a'), never), await dispatch(toolCall('count', 'a'), never));
    expect(told.map(shown)).toEqual(['a 1', 'a 2', 'a 3', 'a 3 (cached)']);
  });

  it('of two definitions under one name, neither is answered by the other; dispatchers of one workspace share', async () => {
    const shared = {results: createResultCache()};
    const told = [
      await results([cached().tool], [['count', 'a']], shared),
      await results([cached({description: 'another'}).tool], [['count', 'a']], shared),
      await results([cached().tool], [['count', 'a']], shared),
      await results([cached().tool], [['count', 'a']], {...shared, context: {workspace: {root: '/copy'}} as DispatcherOptions['context']}),
    ];
    expect(told.flat()).toEqual(['a 1', 'a 1', 'a 1 (cached)', 'a 1']);
  });

  it('the log is told, and hooks behind the call see a result of the cache like any other', async () => {
    const said: string[] = [];
    const postHooks = [async (_: unknown, {text}: {text: string}) => void said.push(text)];
    const {dispatch} = createDispatcher(fakeOptions([cached().tool], {postHooks}));
    const [first, second] = [await dispatch(toolCall('count', 'a'), never), await dispatch(toolCall('count', 'a'), never)];
    expect(said).toEqual(['a 1', 'a 1']);
    expect({...second, callId: '', durationMs: 0}).toEqual({...first, callId: '', durationMs: 0, fromCache: true});
  });
});

describe('a kept result spares no decision', () => {
  const policy = (verdict: 'allow' | 'deny'): Policy => {
    return {mode: 'full-auto', rules: verdict === 'allow' ? [] : [{text: 'count', effect: 'deny', source: 'session'}], fallback: 'allow'};
  };

  it('a rule that denies', async () => {
    let now = policy('allow');
    const {dispatch} = createDispatcher(fakeOptions([cached().tool], {policy: () => now}));
    const first = await dispatch(toolCall('count', 'a'), never);
    now = policy('deny');
    expect([first, await dispatch(toolCall('count', 'a'), never)].map(shown)).toEqual(['a 1', 'denied']);
  });

  it('other rules are another key: they decide what a tool may show', async () => {
    let now = policy('allow');
    const {dispatch} = createDispatcher(fakeOptions([cached().tool], {policy: () => now}));
    const first = await dispatch(toolCall('count', 'a'), never);
    now = {...now, rules: [{text: 'look', effect: 'deny', source: 'session'}]};
    expect([first, await dispatch(toolCall('count', 'a'), never)].map(shown)).toEqual(['a 1', 'a 2']);
  });

  it('a person is asked each time', async () => {
    const answers = ['allow', 'deny'] as const;
    let asked = 0;
    const approve = async () => ({decision: answers[asked++] ?? 'deny'});
    const asks = {
      policy: (): Policy => ({mode: 'ask', rules: [{text: 'count', effect: 'ask', source: 'session'}], fallback: 'ask'}),
      approve,
    };
    expect(
      await results(
        [cached().tool],
        [
          ['count', 'a'],
          ['count', 'a'],
        ],
        asks,
      ),
    ).toEqual(['a 1', 'denied']);
  });

  it('a hook before the call', async () => {
    let calls = 0;
    const preHooks = [async () => (++calls === 1 ? undefined : {deny: 'not twice'})];
    expect(
      await results(
        [cached().tool],
        [
          ['count', 'a'],
          ['count', 'a'],
        ],
        {preHooks},
      ),
    ).toEqual(['a 1', 'denied']);
  });

  it('the guard against loops', async () => {
    const calls = Array.from({length: 5}, (): [string, string] => ['count', 'a']);
    const told = await results([cached().tool], calls);
    expect(told.map((text) => text.split('\n')[0])).toEqual(['a 1', 'a 1 (cached)', 'a 1', 'a 1', 'loop']);
  });
});

describe('cancelled', () => {
  it('before a hit: it is cancelled', async () => {
    const stop = new AbortController();
    const {dispatch} = createDispatcher(fakeOptions([cached().tool]));
    const first = await dispatch(toolCall('count', 'a'), never);
    stop.abort();
    expect([first, await dispatch(toolCall('count', 'a'), stop.signal)].map(shown)).toEqual(['a 1', 'cancelled']);
  });

  it('while a person was asked about a hit: it is cancelled', async () => {
    const stop = new AbortController();
    let asked = 0;
    const approve = async () => {
      if (++asked === 2) stop.abort();
      return {decision: 'allow'} as const;
    };
    const policy = (): Policy => ({mode: 'ask', rules: [{text: 'count', effect: 'ask', source: 'session'}], fallback: 'ask'});
    const {dispatch} = createDispatcher(fakeOptions([cached().tool], {policy, approve}));
    const first = await dispatch(toolCall('count', 'a'), never);
    expect([first, await dispatch(toolCall('count', 'a'), stop.signal)].map(shown)).toEqual(['a 1', 'cancelled']);
  });

  it('a run that was left behind leaves no result', async () => {
    const stop = new AbortController();
    const {tool, runs} = cached({
      act: () => {
        stop.abort();
        return '';
      },
    });
    const {dispatch} = createDispatcher(fakeOptions([tool]));
    const first = await dispatch(toolCall('count', 'a'), stop.signal);
    await new Promise(setImmediate);
    expect([shown(first), shown(await dispatch(toolCall('count', 'a'), never)), runs()]).toEqual(['cancelled', 'a 2', 2]);
  });
});

describe('a tool that changes something', () => {
  it.each<SideEffect>(['write', 'execute', 'network', 'interact'])('%s: refused when it is defined', (sideEffect) => {
    expect(() => cached({sideEffect})).toThrow(
      new FettleError({
        code: 'CONFIG',
        message: `count: cacheKey is for tools that change nothing, and the side effect is ${sideEffect}`,
        hint: 'Leave `cacheKey` out, or declare the side effect `read` or `pure` if the tool changes nothing.',
      }),
    );
  });

  it('one that was put together by hand is run each time', async () => {
    const byHand: Tool = {...put, prepare: (input) => ({...put.prepare(input), cacheKey: () => 'k'})};
    expect(
      await results(
        [byHand],
        [
          ['put', 'a'],
          ['put', 'a'],
        ],
      ),
    ).toEqual(['done', 'done']);
  });
});
