import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import type {ModelEvent, Provider} from '../../../src/models/provider.ts';
import {createScriptedReplay} from '../../../src/models/scripted/replay.ts';
import type {Message} from '../../../src/protocol/messages.ts';
import {scratch} from '../../support/scratch.ts';

const USAGE = {input_tokens: 40, cached_input_tokens: 8, cache_creation_tokens: 0, output_tokens: 9, reasoning_tokens: 3};

function completed(item: object) {
  return {type: 'item.completed', turn_id: 'turn_1', item};
}

function answered(request_id: string, stop_reason: string) {
  return {
    type: 'request.completed',
    turn_id: 'turn_1',
    request_id,
    model: 'anthropic/claude-sonnet-5',
    stop_reason,
    usage: USAGE,
    cost_usd: 0.0125,
    duration_ms: 1200,
    retries: 1,
  };
}

const THINKING = {format: 'anthropic', data: {type: 'thinking', thinking: 'Look first.', signature: 's'}};

function call(id: string, more: object = {}) {
  const item = {type: 'tool_invocation', tool_name: 'read', arguments: `{"path":"${id}"}`, status: 'completed', outcome: 'success'};
  return {id: `item_${id}`, request_id: 'req_1', tool_call_id: id, ...item, ...more};
}

function output(id: string, text = 'let a') {
  const item = {type: 'tool_output', tool_name: 'read', output: text, is_error: false, status: 'completed'};
  return completed({id: `item_${id}:output`, call_id: `item_${id}`, tool_call_id: id, ...item});
}

/** Two parallel calls whose results come in the other order; calls are logged as finished after the reply. */
const SESSION: readonly object[] = [
  {type: 'thread.started', schema_version: '1.0.0', thread_id: 't', cwd: '/', model: 'm', toolset: 'fettle', fettle_version: '0'},
  {type: 'turn.started', thread_id: 't', turn_id: 'turn_1'},
  completed({id: 'item_1', type: 'user_message', text: 'Fix it.'}),
  completed({id: 'item_0', type: 'agent_message', request_id: 'req_void', text: 'half a rep'}),
  completed({id: 'item_2', type: 'reasoning', request_id: 'req_1', text: 'Look first.', native: THINKING}),
  completed({id: 'item_3', type: 'agent_message', request_id: 'req_1', text: 'I read both.'}),
  {type: 'item.started', turn_id: 'turn_1', item: call('c1', {status: 'in_progress', outcome: undefined})},
  {type: 'item.started', turn_id: 'turn_1', item: call('c2', {status: 'in_progress', outcome: undefined})},
  answered('req_1', 'tool_calls'),
  completed(call('c2')),
  output('c2'),
  completed({id: 'item_x', type: 'command_execution', command: 'ls', aggregated_output: '', status: 'completed'}),
  completed(call('c1')),
  output('c1'),
  completed({id: 'item_4', type: 'user_message', text: 'Only b.'}),
  completed({id: 'item_5', type: 'agent_message', request_id: 'req_2', text: 'Done.'}),
  answered('req_2', 'end'),
  {type: 'plan.delta', thread_id: 't', turn_id: 'turn_1', item_id: 'i', delta: 'x'},
];

async function logOf(events: readonly object[], tail = ''): Promise<string> {
  const lines = events.map((event, seq) => JSON.stringify({v: 1, seq, ts: '2026-11-20T10:00:00.000Z', event}));
  return join(await scratch({'log.jsonl': `${lines.join('\n')}\n${tail}`}), 'log.jsonl');
}

async function ask(provider: Provider, messages: readonly Message[]): Promise<readonly ModelEvent[]> {
  return Array.fromAsync(provider.stream({system: '', messages, tools: []}, new AbortController().signal));
}

async function failureOf(provider: Provider, messages: readonly Message[]): Promise<unknown> {
  const last = (await ask(provider, messages)).at(-1);
  return last?.type === 'error' ? last.failure.message.replace(/^.*log\.jsonl: /, '') : last;
}

const FIRST: readonly Message[] = [{role: 'user', text: 'Fix it.'}];
const REPLY: Message = {
  role: 'assistant',
  parts: [
    {type: 'reasoning', text: 'Look first.', native: {format: 'anthropic', data: THINKING.data}},
    {type: 'text', text: 'I read both.'},
    {type: 'tool_call', id: 'c1', name: 'read', arguments: '{"path":"c1"}'},
    {type: 'tool_call', id: 'c2', name: 'read', arguments: '{"path":"c2"}'},
  ],
};

function result(callId: string, text = 'other text') {
  return {callId, name: 'read', text, isError: false};
}

const SECOND: readonly Message[] = [
  ...FIRST,
  REPLY,
  {role: 'tool', results: [result('c1'), result('c2')]},
  {role: 'user', text: 'Only b.'},
];

describe('the provider replay:FILE', () => {
  it('answers with the recorded replies: parts in the order in which they began, usage, stop reason and cost', async () => {
    const file = await logOf(SESSION);
    const provider = await createScriptedReplay(file);
    expect(provider.model).toBe(`replay:${file}`);
    expect(await ask(provider, FIRST)).toEqual([
      {type: 'reasoning', delta: 'Look '},
      {type: 'reasoning', delta: 'first.'},
      {type: 'text', delta: 'I '},
      {type: 'text', delta: 'read '},
      {type: 'text', delta: 'both.'},
      {type: 'tool_call', index: 0, id: 'c1', name: 'read'},
      {type: 'tool_arguments', index: 0, delta: '{"path":"c1"}'},
      {type: 'tool_call', index: 1, id: 'c2', name: 'read'},
      {type: 'tool_arguments', index: 1, delta: '{"path":"c2"}'},
      {type: 'done', reply: {message: REPLY, stopReason: 'tool_calls', usage: USAGE, costUsd: 0.0125, retries: 1}},
    ]);
    expect((await ask(provider, SECOND)).at(-1)).toMatchObject({
      type: 'done',
      reply: {message: {role: 'assistant', parts: [{type: 'text', text: 'Done.'}]}, stopReason: 'end'},
    });
    expect(await failureOf(provider, SECOND)).toBe('request 3 is not the recorded one: the recording ends after reply 2.');
  });

  it.each<[string, readonly Message[], string]>([
    [
      'another user text',
      [{role: 'user', text: 'Fix that.'}],
      'before reply 1, the recorded user text is "Fix it.", here it is "Fix that.".',
    ],
    [
      'one text more',
      [...FIRST, {role: 'user', text: 'Please.'}],
      'before reply 1, there is a user text that was not recorded: "Please.".',
    ],
    ['no text', [], 'before reply 1, the recorded user text is "Fix it.", here it is missing.'],
    ['a longer conversation', SECOND, 'the recording has 0 replies before it, this conversation has 1.'],
  ])('names the difference of the first request: %s', async (_, messages, message) => {
    const provider = await createScriptedReplay(await logOf(SESSION));
    expect(await failureOf(provider, messages)).toBe(`request 1 is not the recorded one: ${message}`);
  });

  it.each<[string, readonly Message[], string]>([
    [
      'a result less',
      [...FIRST, REPLY, {role: 'tool', results: [result('c1')]}, {role: 'user', text: 'Only b.'}],
      'before reply 2, the recording has results of read (c1), read (c2), this conversation of read (c1).',
    ],
    [
      'another call',
      [...FIRST, {role: 'assistant', parts: [{type: 'tool_call', id: 'c9', name: 'grep', arguments: '{}'}]}, ...SECOND.slice(2)],
      'before reply 2, the recorded reply called read (c1), read (c2), this one grep (c9).',
    ],
    ['no steering text', SECOND.slice(0, 3), 'before reply 2, the recorded user text is "Only b.", here it is missing.'],
  ])('names the difference of a later request: %s', async (_, messages, message) => {
    const provider = await createScriptedReplay(await logOf(SESSION));
    await ask(provider, FIRST);
    expect(await failureOf(provider, messages)).toBe(`request 2 is not the recorded one: ${message}`);
    expect((await ask(provider, SECOND)).at(-1)).toMatchObject({type: 'done'});
  });

  it('knows that an empty reply left no message in the conversation', async () => {
    const provider = await createScriptedReplay(
      await logOf([
        completed({id: 'item_1', type: 'user_message', text: 'Fix it.'}),
        answered('req_1', 'end'),
        completed({id: 'item_2', type: 'user_message', text: 'Well?'}),
        completed({id: 'item_3', type: 'agent_message', request_id: 'req_2', text: 'Done.'}),
        answered('req_2', 'end'),
      ]),
    );
    expect((await ask(provider, FIRST)).at(-1)).toMatchObject({type: 'done', reply: {message: {parts: []}}});
    expect((await ask(provider, [...FIRST, {role: 'user', text: 'Well?'}])).at(-1)).toMatchObject({type: 'done'});
  });

  it('compares only what came after a compaction', async () => {
    const file = await logOf([
      ...SESSION,
      {
        type: 'thread.compact_boundary',
        thread_id: 't',
        trigger: 'auto',
        mode: 'summary',
        original_message_count: 6,
        compacted_message_count: 1,
      },
      completed({id: 'item_6', type: 'user_message', text: 'Next.'}),
      completed(call('c3', {request_id: 'req_3'})),
      answered('req_3', 'tool_calls'),
      output('c3'),
      completed({id: 'item_7', type: 'agent_message', request_id: 'req_4', text: 'Over.'}),
      answered('req_4', 'end'),
    ]);
    const provider = await createScriptedReplay(file);
    await ask(provider, FIRST);
    await ask(provider, SECOND);
    const summary: readonly Message[] = [
      {role: 'user', text: 'Summary: it was fixed.'},
      {role: 'user', text: 'Next.'},
    ];
    expect((await ask(provider, summary)).at(-1)).toMatchObject({type: 'done'});
    const third: Message = {role: 'assistant', parts: [{type: 'tool_call', id: 'c3', name: 'read', arguments: '{}'}]};
    expect(await failureOf(provider, [...summary, third, {role: 'tool', results: []}])).toBe(
      'request 4 is not the recorded one: before reply 4, the recording has results of read (c3), this conversation of no tools.',
    );
    expect((await ask(provider, [...summary, third, {role: 'tool', results: [result('c3')]}])).at(-1)).toMatchObject({type: 'done'});
  });

  it('reads a log whose last line was cut off by a crash', async () => {
    const provider = await createScriptedReplay(await logOf(SESSION, '{"v":1,"seq":99,"ev'));
    expect((await ask(provider, FIRST)).at(-1)).toMatchObject({type: 'done'});
  });
});

describe('a file that is not a recording', () => {
  it.each<[string, string, string]>([
    ['text', 'hello\nworld\n', ':1: not a line of an event log, version 1.'],
    ['another version', '{"v":2,"seq":0,"event":{}}\n\n', ':1: not a line of an event log, version 1.'],
    [
      'a wrong item',
      '{"v":1,"event":{"type":"item.completed","item":{"type":"reasoning","id":"i"}}}\n',
      ':1: the reasoning item does not fit the schema.',
    ],
    ['a wrong reply', '{"v":1,"event":{"type":"request.completed"}}\n', ':1: the request.completed event does not fit the schema.'],
    ['no reply', '{"v":1,"event":{"type":"turn.started"}}\n', ': no reply is recorded here.'],
  ])('%s is a CONFIG error', async (_, text, message) => {
    const file = join(await scratch({'log.jsonl': text}), 'log.jsonl');
    await expect(createScriptedReplay(file)).rejects.toMatchObject({code: 'CONFIG', message: `${file}${message}`});
  });

  it('is a CONFIG error also where it does not exist', async () => {
    const file = join(await scratch(), 'log.jsonl');
    await expect(createScriptedReplay(file)).rejects.toMatchObject({
      code: 'CONFIG',
      message: expect.stringContaining(`The recording ${file} cannot be read`),
    });
  });
});
