import {describe, expect, it} from 'vitest';
import {FettleError} from '../../../src/base/errors.ts';
import type {DispatchListener, DispatchResult} from '../../../src/tools/dispatch/dispatch.ts';
import {createDispatcher} from '../../../src/tools/dispatch/dispatcher.ts';
import {fakeOptions, fakeTool, toolCall} from '../support/fake-toolset.ts';

const never = new AbortController().signal;
const look = fakeTool('look', 'read', (value) => `saw ${value}`);
const put = fakeTool('put', 'write', (value) => `put ${value}`);
const run = fakeTool('run', 'execute', (value) => `ran ${value}`);

/** Everything that is told to a host, in words. */
function recorder(): DispatchListener & {readonly collectNotes: string[]} {
  const collectNotes: string[] = [];
  return {
    collectNotes,
    onStart: ({toolName}) => void collectNotes.push(`start ${toolName}`),
    // What may be the beginning of a secret that another test made known comes a piece later.
    onOutput: ({text}) => {
      if (collectNotes.at(-1)?.startsWith('output ') === true) collectNotes.push(`${collectNotes.pop() ?? ''}${text}`);
      else collectNotes.push(`output ${text}`);
    },
    onPermissionRequested: ({toolName}) => void collectNotes.push(`asked ${toolName}`),
    onPermissionResolved: ({decision, decidedBy}) => void collectNotes.push(`${decision} by ${decidedBy}`),
    onResult: ({toolName, outcome}) => void collectNotes.push(`${toolName}: ${outcome}`),
  };
}

const seen = ({outcome, text, isError}: DispatchResult) => ({outcome, text, isError});

describe('one call', () => {
  it('goes through all stages to one result', async () => {
    const listener = recorder();
    const dispatcher = createDispatcher(fakeOptions([look], {listener}));
    const result = await dispatcher.dispatch({id: 'c1', name: 'Look', arguments: '{}{"value":"a"}'}, never);
    expect({...result, durationMs: 0}).toEqual({
      callId: 'c1',
      toolName: 'look',
      key: 'look\n{"value":"a"}',
      sideEffect: 'read',
      mayWait: false,
      outcome: 'success',
      text: 'saw a',
      summary: 'did look',
      structured: {text: 'saw a'},
      isError: false,
      changes: [],
      spoolPath: undefined,
      command: undefined,
      repairs: ['stray {} removed'],
      notes: [],
      durationMs: 0,
    });
    expect(listener.collectNotes).toEqual(['start look', 'output running a', 'look: success']);
  });

  it('whatever an operation throws is a result', async () => {
    const boom = fakeTool('boom', 'read', (value) => {
      if (value === 'string') throw 'just text' as unknown as Error;
      if (value === 'system') throw Object.assign(new Error('ENOSPC: no space left'), {code: 'ENOSPC'});
      throw new FettleError({code: 'NOT_FOUND', message: 'gone', hint: 'look elsewhere'});
    });
    const {dispatch} = createDispatcher(fakeOptions([boom]));
    expect(seen(await dispatch(toolCall('boom', 'string'), never))).toEqual({outcome: 'error', text: 'INTERNAL: just text', isError: true});
    expect(seen(await dispatch(toolCall('boom', 'system'), never))).toEqual({
      outcome: 'error',
      text: 'IO: ENOSPC: no space left\nThe disk is full; nothing was changed. Free some space and try again.',
      isError: true,
    });
    const known = await dispatch(toolCall('boom', 'known'), never);
    expect(seen(known)).toEqual({outcome: 'error', text: 'NOT_FOUND: gone\nlook elsewhere', isError: true});
    expect(known.structured).toEqual({code: 'NOT_FOUND', message: 'gone', hint: 'look elsewhere'});
  });

  it('an unknown tool and wrong arguments are invalid; nothing is run', async () => {
    const listener = recorder();
    const {dispatch} = createDispatcher(fakeOptions([look], {listener}));
    expect(seen(await dispatch({id: '1', name: 'loop', arguments: '{}'}, never))).toEqual({
      outcome: 'invalid',
      text: 'BAD_ARGS: There is no tool "loop".\nDid you mean look? Tools: look.',
      isError: true,
    });
    expect(seen(await dispatch({id: '2', name: 'look', arguments: '{"value":'}, never))).toEqual({
      outcome: 'invalid',
      text: 'BAD_ARGS: The arguments are not JSON: they end at character 9.\nThey were cut off: send the whole call again, with shorter arguments.',
      isError: true,
    });
    expect(listener.collectNotes).toEqual(['loop: invalid', 'look: invalid']);
  });

  it('an unknown parameter is told to the model', async () => {
    const {dispatch} = createDispatcher(fakeOptions([look]));
    const result = await dispatch({id: '1', name: 'look', arguments: '{"value":"a","speed":9}'}, never);
    expect(result.text).toBe('saw a\n[note: unknown parameter "speed" was ignored (known: value)]');
    expect(result.notes).toEqual(['unknown parameter "speed" was ignored (known: value)']);
  });

  it('an empty text is never sent, a lone surrogate neither', async () => {
    const {dispatch} = createDispatcher(fakeOptions([fakeTool('echo', 'read', (value) => value)]));
    expect((await dispatch(toolCall('echo', ''), never)).text).toBe('(no output)');
    expect((await dispatch({id: '1', name: 'echo', arguments: '{"value":"a\\udc80b"}'}, never)).text).toBe('a\uFFFDb');
  });

  it('secrets leave neither in texts, nor in structured values, nor in streamed output', async () => {
    const outputs: string[] = [];
    const listener: DispatchListener = {onOutput: ({text}) => void outputs.push(text)};
    const {dispatch} = createDispatcher(fakeOptions([look], {secrets: ['s3cr3t-key'], listener}));
    const result = await dispatch(toolCall('look', 's3cr3t-key'), never);
    expect({text: result.text, structured: result.structured, outputs}).toEqual({
      text: 'saw [redacted]',
      structured: {text: 'saw [redacted]'},
      outputs: ['running [redacted]'],
    });
  });
});

describe('permission', () => {
  const ask = {mode: 'ask', rules: [], fallback: 'ask'} as const;

  it('without a person what would be asked is denied, with the rule that would allow it', async () => {
    const listener = recorder();
    const {dispatch} = createDispatcher(fakeOptions([run], {policy: () => ask, approve: undefined, listener}));
    const result = await dispatch(toolCall('run', 'make all'), never);
    expect(result.outcome).toBe('denied');
    expect(result.text).toBe(
      'DENIED: Denied: make all: no rule allows it, and nobody is here to ask.\nA rule that would allow it: run:make all *',
    );
    expect(listener.collectNotes).toEqual(['start run', 'deny by headless', 'run: denied']);
  });

  it('a person answers; what they said reaches the model', async () => {
    const listener = recorder();
    const answers = [{decision: 'allow'}, {decision: 'deny', feedback: 'use pnpm'}, {decision: 'cancelled'}] as const;
    let next = 0;
    const approve = async () => answers[next++] ?? answers[0];
    const {dispatch} = createDispatcher(fakeOptions([run], {policy: () => ask, approve, listener}));
    expect((await dispatch(toolCall('run', 'a'), never)).text).toBe('ran a');
    expect(seen(await dispatch(toolCall('run', 'b'), never))).toEqual({
      outcome: 'denied',
      text: 'DENIED: The user refused this call. They said: use pnpm\nDo not send it again; find another way.',
      isError: true,
    });
    expect((await dispatch(toolCall('run', 'c'), never)).outcome).toBe('cancelled');
    expect(listener.collectNotes.filter((line) => / by |asked/.test(line))).toEqual([
      'asked run',
      'allow by person',
      'asked run',
      'deny by person',
      'asked run',
      'cancelled by person',
    ]);
  });

  it('one question at a time, and a rule that an answer added counts for the calls that wait', async () => {
    let rules: {text: string; effect: 'allow'; source: string}[] = [];
    let open = 0;
    const asked: string[] = [];
    const approve = async ({callId}: {callId: string}) => {
      open += 1;
      expect(open).toBe(1);
      asked.push(callId);
      await new Promise((resolve) => setImmediate(resolve));
      rules = [{text: 'put:*', effect: 'allow', source: 'session'}];
      open -= 1;
      return {decision: 'allow'} as const;
    };
    const {dispatchAll} = createDispatcher(fakeOptions([put], {policy: () => ({...ask, rules}), approve}));
    const results = await dispatchAll([{...toolCall('put', 'a'), id: 'first'}, toolCall('put', 'b'), toolCall('put', 'c')], never);
    expect(results.map(({outcome}) => outcome)).toEqual(['success', 'success', 'success']);
    expect(asked).toEqual(['first']);
  });

  it('a person who does not answer does not hold up a cancellation', async () => {
    const stop = new AbortController();
    const approve = () => new Promise<never>(() => stop.abort());
    const {dispatch} = createDispatcher(fakeOptions([run], {policy: () => ask, approve}));
    expect((await dispatch(toolCall('run', 'a'), stop.signal)).outcome).toBe('cancelled');
  });
});

describe('hooks and checkpoints', () => {
  it('a pre-tool hook rewrites the input, which is validated again, or denies', async () => {
    const hooks = [
      ({input}: {input: unknown}) => ((input as {value: string}).value === 'old' ? {input: {value: 'new'}} : undefined),
      ({input}: {input: unknown}) => ((input as {value: string}).value === 'bad' ? {deny: 'not today'} : undefined),
      ({input}: {input: unknown}) => ((input as {value: string}).value === 'wrong' ? {input: {other: 7}} : undefined),
      ({input}: {input: unknown}) => {
        if ((input as {value: string}).value === 'crash') throw new Error('no');
        return undefined;
      },
    ];
    const listener = recorder();
    const {dispatch} = createDispatcher(fakeOptions([look], {preHooks: hooks, listener}));
    expect((await dispatch(toolCall('look', 'old'), never)).text).toBe('saw new');
    listener.collectNotes.length = 0;
    expect(seen(await dispatch(toolCall('look', 'bad'), never))).toEqual({
      outcome: 'denied',
      text: 'DENIED: Denied by a hook: not today\nFind another way, or say what you need.',
      isError: true,
    });
    expect(listener.collectNotes).toEqual(['deny by hook', 'look: denied']);
    expect((await dispatch(toolCall('look', 'wrong'), never)).outcome).toBe('invalid');
    expect(seen(await dispatch(toolCall('look', 'crash'), never))).toEqual({
      outcome: 'denied',
      text: 'DENIED: Denied by a hook: it failed: no\nFind another way, or say what you need.',
      isError: true,
    });
  });

  it('a post-tool hook replaces the text of what ran; a broken one leaves a note', async () => {
    const postHooks = [
      ({toolName}: {toolName: string}, {text}: {text: string}) => ({text: `${toolName} said: ${text}`}),
      () => Promise.reject(new Error('hm')),
    ];
    const {dispatch} = createDispatcher(fakeOptions([look], {postHooks}));
    expect((await dispatch(toolCall('look', 'a'), never)).text).toBe('look said: saw a\n[note: a hook after this call failed: hm]');
    expect((await dispatch({id: '1', name: 'nothing', arguments: '{}'}, never)).text).toBe(
      'BAD_ARGS: There is no tool "nothing".\nTools: look.',
    );
  });

  it('what a file lost when it was written stands behind the result', async () => {
    const lossy = fakeTool('put', 'write', (value, ctx) => {
      ctx.files.note('/w/a', {mtimeMs: 1, size: 1, lost: ['user.origin', 'setuid']});
      return `put ${value}`;
    });
    const options = fakeOptions([lossy]);
    expect((await createDispatcher(options).dispatch(toolCall('put', 'a'), never)).text).toBe(
      'put a\n[note: /w/a could not keep: user.origin, setuid]',
    );
    expect(options.context.files.known('/w/a')).toEqual({mtimeMs: 1, size: 1});
  });

  it('a checkpoint comes before every mutation, and none without it', async () => {
    const kept: string[] = [];
    const tools = [look, put, run];
    const {dispatchAll} = createDispatcher(fakeOptions(tools, {checkpoint: async ({toolName}) => void kept.push(toolName)}));
    await dispatchAll([toolCall('look', 'a'), toolCall('put', 'a'), toolCall('run', 'a')], never);
    expect(kept).toEqual(['put', 'run']);

    const full = createDispatcher(fakeOptions(tools, {checkpoint: () => Promise.reject(new Error('disk full'))}));
    expect(seen(await full.dispatch(toolCall('put', 'a'), never))).toEqual({outcome: 'error', text: 'INTERNAL: disk full', isError: true});
  });
});

describe('the calls of one reply', () => {
  it('reads run at the same time, results come in call order', async () => {
    let open = 0;
    let most = 0;
    const slow = fakeTool('slow', 'read', async (value) => {
      open += 1;
      most = Math.max(most, open);
      // The first one to start is the last one to end.
      for (let turn = 0; turn < 20 - Number(value); turn += 1) await Promise.resolve();
      open -= 1;
      return value;
    });
    const {dispatchAll} = createDispatcher(fakeOptions([slow]));
    const results = await dispatchAll(
      Array.from({length: 10}, (_, index) => toolCall('slow', String(index))),
      never,
    );
    expect(results.map(({text}) => text)).toEqual(['0', '1', '2', '3', '4', '5', '6', '7', '8', '9']);
    expect(most).toBe(8);
  });

  it('writes of one file and commands run one after the other, a read waits for the write before it', async () => {
    const events: string[] = [];
    const traced = (name: string, effect: 'read' | 'write' | 'execute') =>
      fakeTool(name, effect, async (value) => {
        events.push(`${name} ${value} begins`);
        await new Promise((resolve) => setImmediate(resolve));
        events.push(`${name} ${value} ends`);
        return 'ok';
      });
    const {dispatchAll} = createDispatcher(fakeOptions([traced('look', 'read'), traced('put', 'write'), traced('run', 'execute')]));
    await dispatchAll(
      [toolCall('put', 'a'), toolCall('put', 'a'), toolCall('look', 'a'), toolCall('run', 'x'), toolCall('run', 'y')],
      never,
    );
    const pairs = events.map((event) => event.replace(/ (begins|ends)$/, ''));
    expect(pairs.filter((_, index) => index % 2 === 0)).toEqual(pairs.filter((_, index) => index % 2 === 1));
    expect(events.filter((event) => event.endsWith('begins'))).toEqual([
      'put a begins',
      'put a begins',
      'look a begins',
      'run x begins',
      'run y begins',
    ]);
  });

  it('after a cancellation every call still has a result; a read that does not listen is left behind', async () => {
    const stop = new AbortController();
    const deaf = fakeTool('deaf', 'read', () => new Promise<string>(() => stop.abort()));
    const {dispatchAll} = createDispatcher(fakeOptions([deaf, put]));
    const results = await dispatchAll([toolCall('deaf', 'a'), toolCall('put', 'a'), toolCall('nothing', 'b')], stop.signal);
    expect(results.map(seen)).toEqual([
      {outcome: 'cancelled', text: 'CANCELLED: Cancelled.', isError: true},
      {outcome: 'cancelled', text: 'CANCELLED: Cancelled before it was run.', isError: true},
      {outcome: 'cancelled', text: 'CANCELLED: Cancelled before it was run.', isError: true},
    ]);
  });

  it('a write that has begun is waited for', async () => {
    const stop = new AbortController();
    const slow = fakeTool('slow', 'write', async () => {
      stop.abort();
      await new Promise((resolve) => setImmediate(resolve));
      return 'written';
    });
    const {dispatch} = createDispatcher(fakeOptions([slow]));
    expect(seen(await dispatch(toolCall('slow', 'a'), stop.signal))).toEqual({outcome: 'success', text: 'written', isError: false});
  });

  it('no calls, no results', async () => {
    expect(await createDispatcher(fakeOptions([look])).dispatchAll([], never)).toEqual([]);
  });
});

describe('the loop guard in the dispatcher', () => {
  it('notes the third identical call, does not run the fifth, also within one reply', async () => {
    let runs = 0;
    const count = fakeTool('count', 'read', () => {
      runs += 1;
      return 'same';
    });
    const {dispatchAll} = createDispatcher(fakeOptions([count]));
    const results = await dispatchAll(
      Array.from({length: 6}, () => toolCall('count', 'a')),
      never,
    );
    const note = (times: number) =>
      `\n[note: the same call gave the same result ${times} times in a row; the 5th is not run. Change something, or try another way.]`;
    const stopped = {
      outcome: 'loop',
      text: 'LOOP: Not run: the same call returned the same result 4 times in a row.\nChange something first, try another way, or say what blocks you.',
      isError: true,
    };
    expect(results.map(seen)).toEqual([
      {outcome: 'success', text: 'same', isError: false},
      {outcome: 'success', text: 'same', isError: false},
      {outcome: 'success', text: `same${note(3)}`, isError: false},
      {outcome: 'success', text: `same${note(4)}`, isError: false},
      stopped,
      stopped,
    ]);
    expect(runs).toBe(4);
  });

  it('arguments are compared as understood, results as they are; denied and invalid calls count', async () => {
    let runs = 0;
    const poll = fakeTool('poll', 'read', () => String((runs += 1)));
    const {dispatch} = createDispatcher(
      fakeOptions([look, poll, run], {policy: () => ({mode: 'ask', rules: [], fallback: 'ask'}), approve: undefined}),
    );
    const outcomes = async (...calls: [string, string][]) => {
      const found: string[] = [];
      for (const [name, args] of calls) found.push((await dispatch({id: 'x', name, arguments: args}, never)).outcome);
      return found;
    };
    const spelled = ['{"value":"a"}', '{"VALUE":"a"}', '{"value":"a",}', '{}{"value":"a"}', '"{\\"value\\":\\"a\\"}"'];
    expect(await outcomes(...spelled.map((text): [string, string] => ['look', text]))).toEqual([
      'success',
      'success',
      'success',
      'success',
      'loop',
    ]);
    expect(await outcomes(...Array.from({length: 7}, (): [string, string] => ['poll', '{"value":"a"}']))).toEqual(Array(7).fill('success'));
    expect(await outcomes(...Array.from({length: 5}, (): [string, string] => ['run', '{"value":"a"}']))).toEqual([
      ...Array(4).fill('denied'),
      'loop',
    ]);
    expect(await outcomes(...Array.from({length: 5}, (): [string, string] => ['run', '{']))).toEqual([...Array(4).fill('invalid'), 'loop']);
  });
});
