import {describe, expect, it} from 'vitest';
import {totalTokens} from '../../../src/context/compaction/estimate-tokens.ts';
import {fitMessages} from '../../../src/context/compaction/fit-messages.ts';
import {shortenArguments} from '../../../src/context/compaction/shorten-arguments.ts';
import type {Message, ToolCallPart} from '../../../src/protocol/messages.ts';
import {called, user} from './messages.ts';

const call = (args: string, native?: ToolCallPart['native']): ToolCallPart => ({
  type: 'tool_call',
  id: 'c',
  name: 'write',
  arguments: args,
  native,
});

describe('issue 7, part 1 › long arguments are shortened like results', () => {
  it('20 MB in one argument do not fill any request again; the path stays, and it is still JSON', () => {
    const messages: readonly Message[] = called(
      'write',
      {path: 'a.txt', content: 'x'.repeat(20_000_000)},
      {text: 'Created a.txt.', item: 3},
    );
    const fitted = fitMessages([user('go'), ...messages], 2000);
    expect(totalTokens(fitted)).toBeLessThan(2000);
    const [, reply] = fitted;
    const part = reply?.role === 'assistant' ? reply.parts[0] : undefined;
    const args = JSON.parse(part?.type === 'tool_call' ? part.arguments : '') as Record<string, string>;
    expect([args['path'], /^x+\[… \d+ characters left out …\]x+$/.test(args['content'] ?? '')]).toEqual(['a.txt', true]);
  });

  it('what is not JSON, or long only together, is named by its length', () => {
    expect(shortenArguments(call(`{"a": ${'1'.repeat(900)}`), 500).arguments).toBe('{"left_out":"906 characters of arguments"}');
    const many = JSON.stringify(Object.fromEntries(Array.from({length: 200}, (_, at) => [`k${at}`, 'v'])));
    expect(shortenArguments(call(many), 500).arguments).toBe(`{"left_out":"${many.length} characters of arguments"}`);
  });

  it('what the provider wants back says the same, or is left out where a signature was for the whole', () => {
    const args = JSON.stringify({content: 'y'.repeat(2000)});
    const item = {type: 'function_call', arguments: args, id: 'fc_1'};
    const short = shortenArguments(call(args, {format: 'openai-responses', data: item}), 500);
    expect(short.native).toEqual({format: 'openai-responses', data: {...item, arguments: short.arguments}});
    expect(shortenArguments(call(args, {format: 'gemini', data: {thoughtSignature: 's'}}), 500).native).toBeUndefined();
  });

  it('a message of the person that fills the window alone keeps its ends', () => {
    const [message] = fitMessages([user(`first ${'z'.repeat(600_000)} last`)], 1000);
    expect(
      message?.role === 'user' && [message.text.startsWith('first z'), message.text.endsWith('z last'), message.text.length < 3000],
    ).toEqual([true, true, true]);
  });
});
