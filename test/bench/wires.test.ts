import {describe, expect, it} from 'vitest';
import {chatCompletions} from '../../bench/wires/chat-completions.ts';
import {gemini} from '../../bench/wires/gemini.ts';
import {responses} from '../../bench/wires/responses.ts';
import {createGeminiDecoder} from '../../src/models/gemini/gemini-decoder.ts';
import {createChatDecoder} from '../../src/models/openai/openai-chat-decoder.ts';
import {createResponsesDecoder} from '../../src/models/openai/openai-responses-decoder.ts';
import {decodeBytes} from '../testing/decoding.ts';

const WIRES = [
  {name: 'Chat Completions', wire: chatCompletions, decoder: () => createChatDecoder(() => 'made'), id: 'call_7'},
  {name: 'Responses', wire: responses, decoder: createResponsesDecoder, id: 'call_7'},
  {name: 'Gemini', wire: gemini, decoder: createGeminiDecoder, id: expect.any(String)},
];
const CALL = {name: 'edit', arguments: {path: 'a.ts', edits: [{oldText: '"1"', newText: '2\n'}]}};

describe.each(WIRES)('the instant model in $name', ({wire, decoder, id}) => {
  const decoded = (answer: string) => decodeBytes(decoder(), Buffer.from(answer), []);

  it('asks for a call that a decoder of the format understands', () => {
    const {shown, end} = decoded(wire.answer(CALL, 7));
    const sent = shown.flatMap((event) => (event.type === 'tool_arguments' ? [event.delta] : []));
    expect(shown.filter(({type}) => type === 'tool_call')).toEqual([{type: 'tool_call', index: 0, id, name: 'edit'}]);
    expect(JSON.parse(sent.join(''))).toEqual(CALL.arguments);
    expect(end).toMatchObject({ok: true, stopReason: 'tool_calls', usage: {input_tokens: 100, output_tokens: 10}});
  });

  it('ends with a text', () => {
    const {shown, end} = decoded(wire.answer(undefined, 8));
    expect(shown).toEqual([{type: 'text', delta: 'Done.'}]);
    expect(end).toMatchObject({ok: true, stopReason: 'end'});
  });
});

describe('the instant model in Responses', () => {
  it('sends a text as the input of a tool that takes free text', () => {
    const answer = responses.answer({name: 'apply_patch', arguments: '*** Begin Patch\n'}, 3);
    const item = {
      id: 'item_3',
      status: 'completed',
      type: 'custom_tool_call',
      call_id: 'call_3',
      name: 'apply_patch',
      input: '*** Begin Patch\n',
    };
    expect(answer).toContain(`data: ${JSON.stringify({type: 'response.output_item.done', output_index: 0, item})}\n\n`);
  });
});
