import {describe, expect, it} from 'vitest';
import {createContextWindow, type ContextWindow} from '../../../src/context/compaction/context-window.ts';
import {createSessionMemory} from '../../../src/context/memory/session-memory.ts';
import type {ThreadEvent} from '../../../src/protocol/events.ts';
import type {Message} from '../../../src/protocol/messages.ts';
import {createHistory, type History} from '../../../src/sessions/history.ts';
import {done, stepProvider, text, type Step} from '../../agent/support.ts';

const signal = new AbortController().signal;
const SUMMARY = '## Done\n- looked at everything there is\n## Facts\n- it is big (0.ts:1)';
const SUMMARIES: readonly Step[] = Array.from({length: 20}, () => [done([text(SUMMARY)])]);

interface Rig {
  readonly keeper: ContextWindow;
  readonly history: History;
  readonly events: ThreadEvent[];
  readonly say: (words: string) => void;
  readonly read: (path: string, size: number) => void;
  readonly provider: ReturnType<typeof stepProvider>;
}

function rig(steps: readonly Step[], {size = 10_000, compactAt = 0.8}: {size?: number; compactAt?: number | undefined} = {}): Rig {
  const history = createHistory();
  const memory = createSessionMemory('thr_1');
  const events: ThreadEvent[] = [];
  const provider = stepProvider(steps);
  const emit = (event: ThreadEvent): void => {
    history.apply(event);
    memory.observe(event);
    keeper.observe(event);
    events.push(event);
  };
  const frame = {system: 's', tools: []};
  const window = {size, maxOutput: 1000};
  const keeper: ContextWindow = createContextWindow({
    threadId: 'thr_1',
    provider,
    history,
    memory,
    window,
    compactAt,
    frame,
    emit,
    onPaid: () => undefined,
  });
  let calls = 0;
  return {
    keeper,
    history,
    events,
    provider,
    say: (words) => emit({type: 'item.completed', turn_id: 't', item: {id: `u${words.length}`, type: 'user_message', text: words}}),
    read(path, characters) {
      calls += 1;
      const base = {request_id: `r${calls}`, tool_call_id: `c${calls}`, tool_name: 'read', status: 'completed'} as const;
      const args = JSON.stringify({path});
      emit({type: 'item.completed', turn_id: 't', item: {...base, id: `i${calls}`, type: 'tool_invocation', arguments: args}});
      const output = {...base, id: `i${calls}:output`, type: 'tool_output', call_id: `i${calls}`} as const;
      emit({type: 'item.completed', turn_id: 't', item: {...output, output: 'x'.repeat(characters), is_error: false}});
    },
  };
}

const boundaries = (events: readonly ThreadEvent[]): unknown[] =>
  events.flatMap((event) => (event.type === 'thread.compact_boundary' ? [[event.trigger, event.mode]] : []));
const first = (messages: readonly Message[]): string => (messages[0]?.role === 'user' ? messages[0].text : '');

describe('a conversation that comes near the window', () => {
  it('is left alone below the limit: the request is the history, object for object', async () => {
    const {keeper, history, say, read, events} = rig([]);
    say('go');
    read('a.ts', 5000);
    const before = history.messages();
    const request = await keeper.request(signal);
    expect(request.messages.map((message, at) => message === before[at])).toEqual([true, true, true]);
    expect(boundaries(events)).toEqual([]);
  });

  it('first loses repeated reads, and needs no summary where that is enough', async () => {
    const {keeper, say, read, events, provider} = rig([]);
    say('go');
    for (let at = 0; at < 6; at += 1) read('a.ts', 5000);
    const {messages} = await keeper.request(signal);
    expect(boundaries(events)).toEqual([['auto', 'trim']]);
    expect([provider.requests.length, messages.length]).toEqual([0, 13]);
  });

  it('is summarised by the model else; words of the person and facts stay, the newest replies as they are', async () => {
    const {keeper, say, read, events, history, provider} = rig(SUMMARIES);
    say('Mend the parser. Never touch b.ts!');
    for (let at = 0; at < 8; at += 1) read(`${at}.ts`, 5000);
    say('and be quick');
    const {messages} = await keeper.request(signal);
    expect(boundaries(events)).toEqual([['auto', 'local']]);
    expect(provider.requests.map(({messages: [only]}) => (only?.role === 'user' ? only.text.length < 20_000 : false))).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect(first(messages)).toContain('- (item 1) Mend the parser. Never touch b.ts!');
    expect(first(messages)).toContain('- it is big (0.ts:1)');
    expect(first(messages)).toContain('### Done\n- looked at everything there is');
    expect(messages.at(-1)).toEqual({role: 'user', text: 'and be quick'});
    expect(messages.slice(1).map(({role}) => role)).toEqual(['assistant', 'tool', 'user']);
    expect(history.messages()).toEqual(messages);
  });

  it.each<[string, Step]>([
    ['fails', [{type: 'error', failure: {code: 'PROVIDER', message: 'down', retries: 0}}]],
    ['says nothing', [done([text('')])]],
    ['ends without a word', []],
  ])('goes on with the memory alone where the summary %s: the session is never lost', async (_, step) => {
    const {keeper, say, read, events} = rig([step, step, step, step]);
    say('Mend the parser.');
    for (let at = 0; at < 8; at += 1) read(`${at}.ts`, 5000);
    const {messages} = await keeper.request(signal);
    expect(boundaries(events)).toEqual([['auto', 'mechanical']]);
    expect(events.filter(({type}) => type === 'error')).toHaveLength(1);
    expect(first(messages)).toContain('Mend the parser.');
  });

  it('one result larger than the window is shortened, not asked about again and again', async () => {
    const {keeper, say, read, events} = rig([]);
    say('go');
    read('a.ts', 200_000);
    await keeper.request(signal);
    await keeper.request(signal);
    expect(boundaries(events)).toEqual([['auto', 'mechanical']]);
  });

  it('counts by what the provider reports, where that is more than the estimate', async () => {
    const {keeper, say, read, events} = rig(SUMMARIES);
    say('go');
    for (let at = 0; at < 4; at += 1) read(`${at}.ts`, 3000);
    await keeper.request(signal);
    const usage = {input_tokens: 9000, cached_input_tokens: 0, cache_creation_tokens: 0, output_tokens: 10, reasoning_tokens: 0};
    keeper.observe({
      type: 'request.completed',
      turn_id: 't',
      request_id: 'r',
      model: 'm',
      stop_reason: 'end',
      usage,
      cost_usd: null,
      duration_ms: 1,
      retries: 0,
    });
    await keeper.request(signal);
    expect(boundaries(events)).toEqual([['auto', 'local']]);
  });
});

describe('a request that the provider refused as too long', () => {
  it('is made shorter each time, until it would not get shorter', async () => {
    const {keeper, say, read, events} = rig(SUMMARIES, {size: 1_000_000});
    say('go');
    for (let at = 0; at < 8; at += 1) read(`${at}.ts`, 9000);
    const rounds: boolean[] = [];
    for (let at = 0; at < 4; at += 1) rounds.push(await keeper.makeRoom(signal));
    expect(rounds).toEqual([true, true, false, false]);
    expect(boundaries(events).length).toBeLessThanOrEqual(4);
  });
});

describe('compaction by hand', () => {
  it('summarises at any size, with the wish of the person; nothing to drop is said', async () => {
    const {keeper, say, read, provider, events} = rig(SUMMARIES, {compactAt: undefined});
    expect(await keeper.compact({trigger: 'manual'}, signal)).toEqual({mode: 'none', before: 2, after: 2});
    say('go');
    read('a.ts', 900);
    read('b.ts', 900);
    say('more');
    read('c.ts', 900);
    await keeper.compact({trigger: 'manual', instructions: 'the port', target: 900}, signal);
    expect(boundaries(events)).toEqual([['manual', 'local']]);
    expect(provider.requests[0]?.messages).toHaveLength(1);
  });
});

describe('a compaction that is cancelled', () => {
  it('changes nothing, and says nothing of a failure', async () => {
    const abort = new AbortController();
    const cut: Step = () => {
      abort.abort();
      return [{type: 'error', failure: {code: 'CANCELLED', message: 'Cancelled.', retries: 0}}];
    };
    const {keeper, say, read, events, history} = rig([cut]);
    say('go');
    for (let at = 0; at < 8; at += 1) read(`${at}.ts`, 5000);
    const before = history.messages();
    expect((await keeper.compact({trigger: 'manual'}, abort.signal)).mode).toBe('none');
    expect([history.messages(), events.filter(({type}) => type !== 'item.completed')]).toEqual([before, []]);
  });
});

describe('resuming', () => {
  it('the log gives the same conversation and memory again', async () => {
    const {keeper, say, read, events, history} = rig(SUMMARIES);
    say('Mend it.');
    for (let at = 0; at < 8; at += 1) read(`${at}.ts`, 5000);
    await keeper.request(signal);
    read('z.ts', 10);
    const again = createHistory();
    const memory = createSessionMemory('thr_1');
    for (const event of JSON.parse(JSON.stringify(events)) as ThreadEvent[]) {
      again.apply(event);
      memory.observe(event);
    }
    expect(again.messages()).toEqual(JSON.parse(JSON.stringify(history.messages())));
    expect(memory.envelope()).toMatchObject({objective: 'Mend it.', grounded_facts: [{fact: 'it is big', source: '0.ts:1'}]});
    expect(memory.envelope().dropped_items).toBeGreaterThan(10);
  });
});
