import {describe, expect, it} from 'vitest';
import * as mini from 'zod/mini';
import {FettleError} from '../../../src/base/errors.ts';
import type {Mode, Subject, Verdict} from '../../../src/policy/decision.ts';
import type {SideEffect} from '../../../src/protocol/side-effect.ts';
import {defineCustomTool, type CustomSubject, type CustomTool} from '../../../src/tools/custom/define-custom-tool.ts';
import {publishCustomTool, type PublishedTool} from '../../../src/tools/custom/publish-custom-tool.ts';
import {z} from '../../../src/tools/custom/schemas.ts';
import type {DispatcherOptions} from '../../../src/tools/dispatch/dispatch.ts';
import {createDispatcher} from '../../../src/tools/dispatch/dispatcher.ts';
import {scratch} from '../../support/scratch.ts';
import {fakeToolset} from '../support/fake-toolset.ts';
import {ALLOW_ALL, realContext} from '../support/open-toolset.ts';

const Nothing = z.object({});
const Text = z.object({text: z.string()});

interface Stage extends PublishedTool {
  /** `outcome: text` of a call. */
  call(args?: object, signal?: AbortSignal): Promise<string>;
  readonly output: string[];
}

function publish(definition: CustomTool, config: unknown = {}): PublishedTool {
  return publishCustomTool({name: 't', file: '/tools/t.ts', definition, prompt: undefined, notices: []}, config);
}

async function stage(definition: CustomTool, options: Partial<DispatcherOptions> & {config?: unknown} = {}): Promise<Stage> {
  const published = publish(definition, options.config);
  const root = await scratch();
  const output: string[] = [];
  const dispatcher = createDispatcher({
    toolset: fakeToolset([published.tool]),
    context: await realContext(root),
    policy: () => ALLOW_ALL,
    approve: async () => ({decision: 'allow'}),
    spoolDir: `${root}/.spool`,
    listener: {onOutput: ({stream, text}) => void output.push(`${stream} ${text}`)},
    ...options,
  });
  return {
    ...published,
    output,
    async call(args = {}, signal = new AbortController().signal) {
      const {outcome, text} = await dispatcher.dispatch({id: 'c', name: 't', arguments: JSON.stringify(args)}, signal);
      return `${outcome}: ${text}`;
    },
  };
}

describe('run (vibe tool system › Base Tool Class)', () => {
  it('a generator streams events, and its result is a line `field: value` for each field (reference: result schema = prompt format)', async () => {
    const tool = await stage(
      defineCustomTool({
        description: 'd',
        args: z.object({word: z.string()}),
        result: z.object({word: z.string(), letters: z.number(), list: z.array(z.string()), none: z.string().optional()}),
        sideEffect: 'pure',
        display: {status: 'Counting', call: ({word}) => word},
        async *run({word}) {
          yield 'half\n';
          yield {type: 'output', stream: 'stderr', text: 'careful'};
          return {word, letters: word.length, list: ['a', 'b']};
        },
      }),
    );
    expect(await tool.call({word: 'tree'})).toBe('success: word: tree\nletters: 4\nlist: ["a","b"]');
    expect(tool.output).toEqual(['progress Counting: tree\n', 'progress half\n', 'stderr careful']);
  });

  it('a plain async function is enough (vibe tool system › Basic Structure); render words the result for the model', async () => {
    const tool = await stage(
      defineCustomTool({
        description: 'd',
        args: z.object({input_text: z.string()}),
        result: z.object({output_text: z.string()}),
        config: z.object({custom_option: z.string().default('default')}),
        state: z.object({call_count: z.number().default(0)}),
        sideEffect: 'pure',
        async run({input_text: text}, {state, config, emit}) {
          state.call_count += 1;
          emit('working');
          return {output_text: `Processed: ${text} (${config.custom_option}, ${state.call_count})`};
        },
        render: ({output_text: text}, {input_text: input}) => `${input} → ${text}`,
      }),
      {config: {custom_option: 'x'}},
    );
    expect([await tool.call({input_text: 'a'}), await tool.call({input_text: 'a'})]).toEqual([
      'success: a → Processed: a (x, 1)',
      'success: a → Processed: a (x, 2)',
    ]);
    tool.reset();
    expect(await tool.call({input_text: 'a'})).toBe('success: a → Processed: a (x, 1)');
    expect(tool.output).toEqual(['progress working', 'progress working', 'progress working']);
  });

  it('state belongs to one thread: another publishing of the same file begins anew (vibe tool system › Getting Tool Instances)', async () => {
    const definition = defineCustomTool({
      description: 'd',
      args: Nothing,
      result: z.object({n: z.number()}),
      state: z.object({n: z.number().default(0)}),
      sideEffect: 'pure',
      run: async (_, {state}) => ({n: (state.n += 1)}),
    });
    const [one, other] = [await stage(definition), await stage(definition)];
    expect([await one.call(), await one.call(), await other.call()]).toEqual(['success: n: 1', 'success: n: 2', 'success: n: 1']);
  });
});

describe('schemas of a zod of the author (vibe tool system › Generic Type Parameters: four slots)', () => {
  it('zod/mini, in all four', async () => {
    const tool = await stage(
      defineCustomTool({
        description: 'd',
        args: mini.object({n: mini._default(mini.number(), 2)}),
        result: mini.object({n: mini.number()}),
        config: mini.object({factor: mini._default(mini.number(), 3)}),
        state: mini.object({sum: mini._default(mini.number(), 0)}),
        sideEffect: 'pure',
        run: async ({n}, {config, state}) => ({n: (state.sum += n * config.factor)}),
      }),
      {config: {factor: 3}},
    );
    expect([await tool.call(), await tool.call({n: '5'}), await tool.call({n: 'x'})]).toEqual([
      'success: n: 6',
      'success: n: 21',
      'invalid: BAD_ARGS: The arguments of t do not fit: n must be number, not "x".\nParameters: n?: number.',
    ]);
  });
});

describe('what an author can do wrong is a result, and the next call runs (reference: errors of a tool are data)', () => {
  const broken = (run: unknown, more: object = {}): CustomTool =>
    defineCustomTool({description: 'd', args: Nothing, result: Text, sideEffect: 'pure', run: run as never, ...more});
  const FILE = 'It is a tool of /tools/t.ts.';

  it.each<[string, unknown, string]>([
    ['no result', async () => undefined, `error: UNAVAILABLE: t: It returned no result.\n${FILE}`],
    ['a generator without one', async function* () { yield 'x'; }, `error: UNAVAILABLE: t: It returned no result.\n${FILE}`], // prettier-ignore
    [
      'a result that does not fit its schema',
      async () => ({text: 5}),
      `error: UNAVAILABLE: t: Its result does not fit its schema: text: Invalid input: expected string, received number.\n${FILE}`,
    ],
    [
      'results that are yielded',
      async function* () {
        yield {text: 'one'};
        yield {text: 'two'};
      },
      "error: UNAVAILABLE: t: It yielded something that is not progress.\nYield a string, or {type: 'output', stream: 'stdout' | 'stderr' | 'progress', text}; the result is returned, once.",
    ],
    [
      'an error after events',
      async function* () {
        yield 'so far so good';
        throw new Error('no luck');
      },
      `error: UNAVAILABLE: t: no luck\n${FILE}`,
    ],
    ['something thrown that is not an error', async () => { throw 'text'; }, `error: UNAVAILABLE: t: text\n${FILE}`], // prettier-ignore
    [
      'an error with a meaning',
      async () => { throw new FettleError({code: 'NOT_FOUND', message: 'no such word', hint: 'Look again.'}); }, // prettier-ignore
      'error: NOT_FOUND: t: no such word\nLook again.',
    ],
    ['a throw before anything', () => { throw new RangeError('early'); }, `error: UNAVAILABLE: t: early\n${FILE}`], // prettier-ignore
  ])('%s', async (_, run, text) => {
    const tool = await stage(broken(run));
    expect([await tool.call(), await tool.call()]).toEqual([text, text]);
  });

  it('never ends: given up after a silence, its signal ends, and what it says later is not heard', async () => {
    const {promise, resolve} = Promise.withResolvers<boolean>();
    const tool = await stage(
      broken(
        async (_: object, {signal, emit}: {signal: AbortSignal; emit: (text: string) => void}) => {
          await new Promise((done) => signal.addEventListener('abort', done));
          emit('late');
          resolve(signal.aborted);
          await new Promise(() => undefined);
        },
        {timeoutMs: 20},
      ),
    );
    expect(await tool.call()).toBe(
      'error: TIMEOUT: t: No progress for 20 ms; abandoned. It may still be running.\nTry it with less work, or another way.',
    );
    expect([await promise, tool.output]).toEqual([true, []]);
  });

  it('floods: the events end the call, their text is bounded', async () => {
    const endless = await stage(
      broken(async function* () {
        for (;;) yield '';
      }),
    );
    expect(await endless.call()).toBe('error: TOO_LARGE: t: It yielded more than 10000 events.');
    const loud = await stage(
      broken(async function* () {
        for (let i = 0; i < 20; i++) yield 'x'.repeat(99_999);
        return {text: 'done'};
      }),
    );
    expect(await loud.call()).toBe('success: text: done');
    expect(loud.output.join('').length).toBeLessThan(1_000_500);
    expect(loud.output.at(-1)).toContain('[further output is not shown]');
  });

  it('floods from a callback, or says nonsense there: the call ends, never the process', async () => {
    const later = (progress: unknown) =>
      broken(async (_: object, {emit}: {emit: (progress: unknown) => void}) => {
        setImmediate(() => {
          for (let i = 0; i < 20_000; i++) emit(progress);
        });
        await new Promise(() => undefined);
      });
    expect(await (await stage(later(''))).call()).toBe('error: TOO_LARGE: t: It yielded more than 10000 events.');
    expect(await (await stage(later(5))).call()).toMatch(/^error: UNAVAILABLE: t: It yielded something that is not progress/);
  });

  it('a result without end is shortened for the model and kept whole, as of every tool', async () => {
    const tool = await stage(broken(async () => ({text: 'line\n'.repeat(10_000)})));
    expect(await tool.call()).toMatch(/^success: text: line\n[\s\S]*bytes left out; the whole text is in /);
  });

  it('ignores its signal: a cancelled change is waited for only for a moment', async () => {
    const stop = new AbortController();
    const tool = await stage(
      broken(
        async () => {
          stop.abort();
          await new Promise(() => undefined);
        },
        {sideEffect: 'write'},
      ),
    );
    expect(await tool.call({}, stop.signal)).toBe('cancelled: CANCELLED: Cancelled; it did not end by itself.');
  });

  it('a generator is closed when it is given up: its finally runs', async () => {
    const {promise, resolve} = Promise.withResolvers<string>();
    const tool = await stage(
      broken(async function* () {
        try {
          yield 5;
        } finally {
          resolve('closed');
        }
      }),
    );
    await tool.call();
    expect(await promise).toBe('closed');
  });
});

describe('design §4: "optional cache key"', () => {
  const counting = (cacheKey: CustomTool['cacheKey']): CustomTool => {
    let runs = 0;
    const fields = {description: 'd', args: z.object({word: z.string().default('a')}), result: Text, sideEffect: 'read'} as const;
    return defineCustomTool({...fields, config: z.object({depth: z.number()}), cacheKey, run: async () => ({text: `run ${++runs}`})});
  };

  it('gets arguments with their defaults, the options, and the workspace', async () => {
    const given: unknown[] = [];
    const tool = await stage(
      counting((args, {config, workspace}) => {
        given.push([args, config, typeof workspace.root]);
        return 'k';
      }),
      {config: {depth: 2}},
    );
    expect([await tool.call(), await tool.call({word: 'b'})]).toEqual(['success: text: run 1', 'success: text: run 1']);
    expect(given).toEqual([
      [{word: 'a'}, {depth: 2}, 'string'],
      [{word: 'b'}, {depth: 2}, 'string'],
    ]);
  });

  it.each<[string, CustomTool['cacheKey'], string]>([
    [
      'throws',
      () => {
        throw new Error('no luck');
      },
      'error: UNAVAILABLE: t: no luck\nIt is a tool of /tools/t.ts.',
    ],
    [
      'gives something else',
      (async () => 'k') as unknown as CustomTool['cacheKey'],
      'error: UNAVAILABLE: t: Its cacheKey returned neither a string nor undefined.\nIt is a tool of /tools/t.ts.',
    ],
  ])('one that %s is an error that names the tool', async (_, cacheKey, expected) => {
    const tool = await stage(counting(cacheKey));
    expect(await tool.call()).toBe(expected);
  });
});

describe('several calls at once', () => {
  const slow = (state: boolean) => {
    const seen: string[] = [];
    const definition = defineCustomTool({
      description: 'd',
      args: z.object({n: z.number()}),
      result: z.object({n: z.number()}),
      ...(state ? {state: z.object({})} : {}),
      sideEffect: 'pure',
      async run({n}) {
        seen.push(`begin ${n}`);
        await new Promise(setImmediate);
        seen.push(`end ${n}`);
        return {n};
      },
    });
    return {seen, definition};
  };
  const two = [1, 2].map((n) => ({id: `c${n}`, name: 't', arguments: JSON.stringify({n})}));

  it.each([
    [true, ['begin 1', 'end 1', 'begin 2', 'end 2']],
    [false, ['begin 1', 'begin 2', 'end 1', 'end 2']],
  ])('with state (%s) they wait for each other, reads without it do not', async (state, order) => {
    const {seen, definition} = slow(state);
    const {tool} = publish(definition);
    const root = await scratch();
    const dispatcher = createDispatcher({
      toolset: fakeToolset([tool]),
      context: await realContext(root),
      policy: () => ALLOW_ALL,
      spoolDir: root,
    });
    const results = await dispatcher.dispatchAll(two, new AbortController().signal);
    expect([results.map(({text}) => text), seen]).toEqual([['n: 1', 'n: 2'], order]);
  });
});

describe('permission', () => {
  const writer = defineCustomTool({
    description: 'd',
    args: z.object({path: z.string()}),
    result: Text,
    sideEffect: 'write',
    permissionSubjects: ({path}) => [{path, write: true}, {command: `touch ${path}`}],
    run: async () => ({text: 'ran'}),
  });

  it('is decided on real paths and commands, whatever the tool says (reference: the string is not the file)', async () => {
    const root = await scratch({'inside/a': ''});
    const context = await realContext(root);
    const {tool} = publish(writer);
    const prepared = tool.prepare({path: './inside/../inside/a'});
    const {subjects} = await prepared.resolve({...context, callId: 'c', signal: new AbortController().signal, spoolDir: root});
    expect(subjects).toEqual<Subject[]>([
      {kind: 'path', path: `${root}/inside/a`, relative: 'inside/a', inside: true, write: true, requested: './inside/../inside/a'},
      {kind: 'command', command: 'touch ./inside/../inside/a', cwd: root, workspace: root},
    ]);
  });

  it('without subjects the rules decide on the tool; nobody there means no', async () => {
    const plain = defineCustomTool({
      description: 'd',
      args: Nothing,
      result: Text,
      sideEffect: 'network',
      run: async () => ({text: 'ran'}),
    });
    const policy = (effect: 'allow' | 'deny') => () => ({mode: 'ask', rules: [{text: 't', effect, source: 'x'}], fallback: 'ask'}) as const;
    const nobody = {approve: undefined, policy: () => ({mode: 'ask', rules: [], fallback: 'ask'}) as const};
    expect(await (await stage(plain, nobody)).call()).toMatch(/^denied: DENIED: .*nobody is here to ask/);
    expect(await (await stage(plain, {...nobody, policy: policy('allow')})).call()).toBe('success: text: ran');
    expect(await (await stage(plain, {policy: policy('deny')})).call()).toMatch(/^denied: DENIED/);
  });

  it('may be asked for while it runs', async () => {
    const asked: string[] = [];
    const late = defineCustomTool({
      description: 'd',
      args: Nothing,
      result: Text,
      sideEffect: 'pure',
      async run(_, {permit}) {
        await permit({path: 'a.txt', write: true});
        return {text: 'permitted'};
      },
    });
    const tool = await stage(late, {
      policy: () => ({mode: 'ask', rules: [], fallback: 'ask'}),
      async approve({subjects}) {
        asked.push(...subjects.map((subject) => subject.kind));
        return {decision: 'allow'};
      },
    });
    expect([await tool.call(), asked]).toEqual(['success: text: permitted', ['path']]);
    const refused = await stage(late, {policy: () => ({mode: 'plan', rules: [], fallback: 'ask'})});
    expect(await refused.call()).toMatch(/^error: DENIED: /);
  });
});

describe("design §4: a custom tool's declared commands and paths are judged by the same rules as ours", () => {
  const declared = (subject: CustomSubject, sideEffect: SideEffect): CustomTool =>
    defineCustomTool({
      description: 'd',
      args: Nothing,
      result: Text,
      sideEffect,
      permissionSubjects: () => [subject],
      run: async () => ({text: 'ran'}),
    });
  const permitted = (subject: CustomSubject, sideEffect: SideEffect): CustomTool =>
    defineCustomTool({
      description: 'd',
      args: Nothing,
      result: Text,
      sideEffect,
      async run(_, {permit}) {
        await permit(subject);
        return {text: 'ran'};
      },
    });

  it.each<[CustomSubject, SideEffect, Mode, [Verdict, string] | undefined, string]>([
    [{command: 'rm -rf build'}, 'execute', 'full-auto', ['deny', 'bash:rm *'], 'rm -rf build is denied by bash:rm * (user)'],
    [{command: 'true && sudo rm x'}, 'execute', 'full-auto', ['deny', 'Bash:sudo *'], 'sudo rm x is denied by Bash:sudo * (user)'],
    [{command: 'rm x'}, 'read', 'full-auto', ['deny', 'shell'], 'rm x is denied by shell (user)'],
    [{command: 'rm x'}, 'pure', 'full-auto', ['ask', 'bash:rm *'], 'rm x is asked by bash:rm * (user), and nobody is here to ask'],
    [{command: 'cat .env'}, 'execute', 'full-auto', ['deny', 'read:.env'], '.env is denied by read:.env (user)'],
    [{command: 'rm x'}, 'execute', 'plan', undefined, 'rm x: mode plan'],
    [{command: 'npm test'}, 'execute', 'ask', ['allow', 'bash:npm test'], 'npm test: no rule allows it, and nobody is here to ask'],
    [{path: '.env'}, 'read', 'full-auto', ['deny', 'Read:.env'], '.env is denied by Read:.env (user)'],
    [{path: 'src/a', write: true}, 'write', 'full-auto', ['deny', 'edit:src/*'], 'src/a is denied by edit:src/* (user)'],
    [{path: 'src/a', write: true}, 'read', 'full-auto', ['deny', 'Write:src/*'], 'src/a is denied by Write:src/* (user)'],
    [{path: 'src/a', write: true}, 'read', 'plan', undefined, 'src/a: mode plan'],
    [
      {path: '.git/hooks/pre-commit', write: true},
      'read',
      'full-auto',
      undefined,
      '.git/hooks/pre-commit: .git is loaded by another program, and nobody is here to ask',
    ],
  ])('%j of a tool that says %s, in %s under %j', async (subject, sideEffect, mode, rule, reason) => {
    const rules = rule === undefined ? [] : [{effect: rule[0], text: rule[1], source: 'user'}];
    for (const form of [declared, permitted]) {
      const tool = await stage(form(subject, sideEffect), {policy: () => ({mode, rules, fallback: 'ask'}), approve: undefined});
      const [first = ''] = (await tool.call()).split('\n');
      // Outside of full-auto a tool that runs something is refused before it can ask.
      const isEarly = form === permitted && sideEffect === 'execute' && mode !== 'full-auto';
      const expected = isEarly ? reason.replace(/^[^:]+/, 't') : reason;
      expect(first.replace(/^.*DENIED: /, '')).toBe(`Denied: ${expected}.`);
    }
  });
});
