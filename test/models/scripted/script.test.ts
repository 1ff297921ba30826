import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import type {ModelEvent, Provider} from '../../../src/models/provider.ts';
import {createScriptProvider} from '../../../src/models/scripted/script.ts';
import type {Message} from '../../../src/protocol/messages.ts';
import {scratch} from '../../support/scratch.ts';

async function scriptOf(script: unknown): Promise<string> {
  const folder = await scratch({'demo.json': typeof script === 'string' ? script : JSON.stringify(script)});
  return join(folder, 'demo.json');
}

async function ask(
  provider: Provider,
  messages: readonly Message[],
  signal = new AbortController().signal,
): Promise<readonly ModelEvent[]> {
  return Array.fromAsync(provider.stream({system: '', messages, tools: []}, signal));
}

const HELLO: Message = {role: 'user', text: 'Fix the tests.'};

function toolResult(text: string): readonly Message[] {
  return [
    HELLO,
    {role: 'assistant', parts: [{type: 'tool_call', id: 'script_1_1_1', name: 'read', arguments: '{}'}]},
    {role: 'tool', results: [{callId: 'script_1_1_1', name: 'read', text, isError: false}]},
  ];
}

describe('the provider script:FILE', () => {
  it('answers with the replies of the file, word by word, at no cost', async () => {
    const file = await scriptOf({
      replies: [
        {
          reasoning: 'Look first.',
          text: 'I read  it.\n',
          toolCalls: [{name: 'read', arguments: {path: 'a.ts'}}, {name: 'status'}, {name: 'broken', arguments: '{"x'}],
          usage: {input_tokens: 50, output_tokens: 7},
        },
        {text: 'Done.'},
      ],
    });
    const provider = await createScriptProvider(file);
    expect(provider.model).toBe(`script:${file}`);
    expect(await ask(provider, [HELLO])).toEqual([
      {type: 'reasoning', delta: 'Look '},
      {type: 'reasoning', delta: 'first.'},
      {type: 'text', delta: 'I '},
      {type: 'text', delta: 'read  '},
      {type: 'text', delta: 'it.\n'},
      {type: 'tool_call', index: 0, id: 'script_1_1_1', name: 'read'},
      {type: 'tool_arguments', index: 0, delta: '{"path":"a.ts"}'},
      {type: 'tool_call', index: 1, id: 'script_1_1_2', name: 'status'},
      {type: 'tool_arguments', index: 1, delta: '{}'},
      {type: 'tool_call', index: 2, id: 'script_1_1_3', name: 'broken'},
      {type: 'tool_arguments', index: 2, delta: '{"x'},
      {
        type: 'done',
        reply: {
          message: {
            role: 'assistant',
            parts: [
              {type: 'reasoning', text: 'Look first.'},
              {type: 'text', text: 'I read  it.\n'},
              {type: 'tool_call', id: 'script_1_1_1', name: 'read', arguments: '{"path":"a.ts"}'},
              {type: 'tool_call', id: 'script_1_1_2', name: 'status', arguments: '{}'},
              {type: 'tool_call', id: 'script_1_1_3', name: 'broken', arguments: '{"x'},
            ],
          },
          stopReason: 'tool_calls',
          usage: {input_tokens: 50, cached_input_tokens: 0, cache_creation_tokens: 0, output_tokens: 7, reasoning_tokens: 0},
          costUsd: 0,
          retries: 0,
        },
      },
    ]);
    expect((await ask(provider, toolResult('x'))).at(-1)).toMatchObject({
      type: 'done',
      reply: {stopReason: 'end', message: {parts: [{type: 'text', text: 'Done.'}]}},
    });
  });

  it('fails past its last reply, and says so', async () => {
    const file = await scriptOf({replies: []});
    expect(await ask(await createScriptProvider(file), [HELLO])).toEqual([
      {
        type: 'error',
        failure: {
          code: 'PROVIDER',
          message: `${file}: reply 1: the script has only 0; the conversation went on longer than it.`,
          hint: 'Fix the script, or record it again.',
          retries: 0,
        },
      },
    ]);
  });

  it('holds what it expects against the last tool result or user text, and names the mismatch', async () => {
    const file = await scriptOf({replies: [{text: 'Yes.', expect: 'exit code 0'}]});
    expect(await ask(await createScriptProvider(file), toolResult('exit code 1'))).toMatchObject([
      {
        type: 'error',
        failure: {
          code: 'PROVIDER',
          message: `${file}: reply 1: expected "exit code 0" in the last tool result or user text, got "exit code 1".`,
        },
      },
    ]);
    expect((await ask(await createScriptProvider(file), toolResult('tests: exit code 0'))).at(-1)).toMatchObject({type: 'done'});
    const steered: Message = {role: 'user', text: 'it was exit code 0'};
    expect((await ask(await createScriptProvider(file), [...toolResult('?'), steered])).at(-1)).toMatchObject({type: 'done'});
  });

  it('pauses before the first word, and an abort ends the pause', async () => {
    const provider = await createScriptProvider(await scriptOf({replies: [{text: 'Late.', delayMs: 3_600_000}]}));
    const controller = new AbortController();
    const answer = ask(provider, [HELLO], controller.signal);
    controller.abort();
    expect(await answer).toEqual([{type: 'error', failure: {code: 'CANCELLED', message: 'Cancelled.', retries: 0}}]);
  });

  it('stops between two words when it is cancelled', async () => {
    const provider = await createScriptProvider(await scriptOf({replies: [{text: 'one two three'}]}));
    const controller = new AbortController();
    const seen: ModelEvent[] = [];
    for await (const event of provider.stream({system: '', messages: [HELLO], tools: []}, controller.signal)) {
      seen.push(event);
      controller.abort();
    }
    expect(seen).toEqual([
      {type: 'text', delta: 'one '},
      {type: 'error', failure: {code: 'CANCELLED', message: 'Cancelled.', retries: 0}},
    ]);
  });
});

describe('a scenario file that is wrong', () => {
  it.each([
    ['{"replies": [', /^FILE: .*JSON/],
    [[], /^FILE: top level: expected object\.$/],
    [{}, /^FILE: replies: expected array\.$/],
    [{replies: [{text: 'a'}, {toolCalls: [{nam: 'read'}]}]}, /^FILE: replies\[1\]\.toolCalls\[0\]\.name: expected string\.$/],
    [{replies: [{txt: 'a'}]}, /^FILE: replies\[0\]: unknown key "txt"\.$/],
    [{replies: [{toolCalls: [{name: 'read', arguments: 3}]}]}, /^FILE: replies\[0\]\.toolCalls\[0\]\.arguments: wrong value\.$/],
    [{replies: [{usage: {input_tokens: '5'}}]}, /^FILE: replies\[0\]\.usage\.input_tokens: expected number\.$/],
  ])('%j is a CONFIG error with the file and the place', async (script, message) => {
    const file = await scriptOf(script);
    const error: Error = await createScriptProvider(file).then(
      () => new Error('no error'),
      (thrown) => thrown,
    );
    expect(error).toMatchObject({code: 'CONFIG', hint: 'A script is {"replies": [{"text": "…"}, …]}.'});
    expect(error.message.replace(file, 'FILE')).toMatch(message);
  });

  it('that does not exist is a CONFIG error', async () => {
    const file = join(await scratch(), 'none.json');
    await expect(createScriptProvider(file)).rejects.toMatchObject({
      code: 'CONFIG',
      message: expect.stringContaining(`The script ${file} cannot be read`),
    });
  });
});
