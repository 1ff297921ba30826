import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {createGeminiDecoder} from '../../../src/models/gemini/gemini-decoder.ts';
import {decode, decodeBytes, joined} from '../../testing/decoding.ts';

const USAGE = {
  promptTokenCount: 900,
  candidatesTokenCount: 30,
  totalTokenCount: 1130,
  cachedContentTokenCount: 600,
  thoughtsTokenCount: 200,
};

function chunk(parts: readonly object[], more: object = {}) {
  return {
    candidates: [{content: {parts, role: 'model'}, index: 0, ...more}],
    usageMetadata: USAGE,
    modelVersion: 'gemini-3-pro',
    responseId: 'rQx1',
  };
}

function events(chunks: readonly object[]) {
  return chunks.map((data) => ({event: undefined, data: JSON.stringify(data)}));
}

const ENDED = {
  ok: true,
  stopReason: 'end',
  usage: {input_tokens: 900, cached_input_tokens: 600, cache_creation_tokens: 0, output_tokens: 230, reasoning_tokens: 200},
};

const CALLING = [
  chunk([{text: '**Plan**\n', thought: true}]),
  chunk([{text: 'read both', thought: true}]),
  chunk([{text: 'I look '}]),
  chunk([{text: 'at both – 👀'}]),
  chunk([{functionCall: {name: 'read', args: {path: 'a.ts', limit: 5}}, thoughtSignature: 'CskBAb=='}]),
  chunk([{functionCall: {id: 'fc-77', name: 'read', args: {path: 'b.ts'}}}, {functionCall: {name: 'status'}}]),
  chunk([{text: ''}], {finishReason: 'STOP'}),
];

describe('a stream of Gemini', () => {
  it('becomes thoughts, text and parallel calls; the signature stays on its part, ids are made where none came', () => {
    expect(decode(createGeminiDecoder(), events(CALLING))).toEqual({
      shown: [
        {type: 'reasoning', delta: '**Plan**\n'},
        {type: 'reasoning', delta: 'read both'},
        {type: 'text', delta: 'I look '},
        {type: 'text', delta: 'at both – 👀'},
        {type: 'tool_call', index: 0, id: 'gem_rQx1_0', name: 'read'},
        {type: 'tool_arguments', index: 0, delta: '{"path":"a.ts","limit":5}'},
        {type: 'tool_call', index: 1, id: 'fc-77', name: 'read'},
        {type: 'tool_arguments', index: 1, delta: '{"path":"b.ts"}'},
        {type: 'tool_call', index: 2, id: 'gem_rQx1_2', name: 'status'},
        {type: 'tool_arguments', index: 2, delta: '{}'},
      ],
      end: {
        ...ENDED,
        stopReason: 'tool_calls',
        message: {
          role: 'assistant',
          parts: [
            {type: 'reasoning', text: '**Plan**\nread both', native: {format: 'gemini', data: {thought: true}}},
            {type: 'text', text: 'I look at both – 👀'},
            {
              type: 'tool_call',
              id: 'gem_rQx1_0',
              name: 'read',
              arguments: '{"path":"a.ts","limit":5}',
              native: {format: 'gemini', data: {thoughtSignature: 'CskBAb==', fettle_signed_name: 'read'}},
            },
            {type: 'tool_call', id: 'fc-77', name: 'read', arguments: '{"path":"b.ts"}'},
            {type: 'tool_call', id: 'gem_rQx1_2', name: 'status', arguments: '{}'},
          ],
        },
      },
    });
  });

  it.each([
    ['an empty text part', {text: '', thoughtSignature: 'EpcC'}],
    ['a part without text', {thoughtSignature: 'EpcC'}],
  ])('keeps the signature at the end of a text on a part of its own: %s', (_, part) => {
    expect(
      decode(createGeminiDecoder(), events([chunk([{text: '4'}]), chunk([{text: '2'}]), chunk([part], {finishReason: 'STOP'})])).end,
    ).toEqual({
      ...ENDED,
      message: {
        role: 'assistant',
        parts: [
          {type: 'text', text: '42'},
          {type: 'text', text: '', native: {format: 'gemini', data: {thoughtSignature: 'EpcC'}}},
        ],
      },
    });
  });

  it('never merges a part with a signature with its neighbours', () => {
    const chunks = [
      chunk([{text: 'a', thoughtSignature: 's1'}]),
      chunk([{text: 'b', thoughtSignature: 's2'}]),
      chunk([{text: 'c'}], {finishReason: 'STOP'}),
    ];
    expect(decode(createGeminiDecoder(), events(chunks)).end).toMatchObject({
      message: {
        parts: [
          {type: 'text', text: 'a', native: {format: 'gemini', data: {thoughtSignature: 's1'}}},
          {type: 'text', text: 'b', native: {format: 'gemini', data: {thoughtSignature: 's2'}}},
          {type: 'text', text: 'c', native: undefined},
        ],
      },
    });
  });

  it('is the same wherever its bytes are cut, with CR LF as Google sends it', () => {
    const bytes = new TextEncoder().encode(CALLING.map((data) => `data: ${JSON.stringify(data)}\r\n\r\n`).join(''));
    const whole = decode(createGeminiDecoder(), events(CALLING));
    fc.assert(
      fc.property(fc.array(fc.nat(), {maxLength: 40}), (cuts) => {
        expect(decodeBytes(createGeminiDecoder(), bytes, cuts)).toEqual(whole);
      }),
    );
  });

  it('gives the same reply however its text and thoughts are cut into chunks and parts', () => {
    const pieces = fc.array(fc.array(fc.string(), {maxLength: 3}), {minLength: 1, maxLength: 6});
    fc.assert(
      fc.property(pieces, pieces, (thoughts, texts) => {
        const {shown, end} = decode(
          createGeminiDecoder(),
          events([
            ...thoughts.map((parts) => chunk(parts.map((text) => ({text, thought: true})))),
            ...texts.map((parts) => chunk(parts.map((text) => ({text})))),
            chunk([], {finishReason: 'STOP'}),
          ]),
        );
        const parts = end.ok ? end.message.parts : [];
        const textOf = (type: string): string => parts.map((part) => (part.type === type && 'text' in part ? part.text : '')).join('');
        expect([textOf('reasoning'), textOf('text')]).toEqual([thoughts.flat().join(''), texts.flat().join('')]);
        expect([joined(shown, 'reasoning'), joined(shown, 'text')]).toEqual([thoughts.flat().join(''), texts.flat().join('')]);
        expect(parts.filter((part) => part.type === 'text').length).toBeLessThanOrEqual(1);
      }),
    );
  });

  it('makes an id also where the stream has no response id', () => {
    const {responseId: _, ...anonymous} = chunk([{functionCall: {name: 'read', args: {}}}], {finishReason: 'STOP'});
    expect(decode(createGeminiDecoder(), events([anonymous])).end).toMatchObject({
      message: {parts: [{type: 'tool_call', id: expect.stringMatching(/^gem_[a-z0-9]+$/)}]},
    });
  });

  it.each([
    ['STOP', 'end'],
    ['MAX_TOKENS', 'max_tokens'],
    ['SAFETY', 'refusal'],
    ['RECITATION', 'refusal'],
    ['PROHIBITED_CONTENT', 'refusal'],
    ['SPII', 'refusal'],
    ['BLOCKLIST', 'refusal'],
    ['OTHER', 'other'],
    ['SOMETHING_NEW', 'other'],
  ])('reads the finish reason %s as %s', (finishReason, stopReason) => {
    expect(decode(createGeminiDecoder(), events([chunk([{text: 'Hm'}], {finishReason})])).end).toEqual({
      ...ENDED,
      stopReason,
      message: {role: 'assistant', parts: [{type: 'text', text: 'Hm'}]},
    });
  });

  it('reads a blocked prompt as a refusal that says so', () => {
    const blocked = {promptFeedback: {blockReason: 'PROHIBITED_CONTENT'}, usageMetadata: {promptTokenCount: 9, totalTokenCount: 9}};
    expect(decode(createGeminiDecoder(), events([blocked]))).toEqual({
      shown: [{type: 'text', delta: 'The prompt was blocked: PROHIBITED_CONTENT.'}],
      end: {
        ok: true,
        message: {role: 'assistant', parts: [{type: 'text', text: 'The prompt was blocked: PROHIBITED_CONTENT.'}]},
        stopReason: 'refusal',
        usage: {input_tokens: 9, cached_input_tokens: 0, cache_creation_tokens: 0, output_tokens: 0, reasoning_tokens: 0},
      },
    });
  });
});

describe('a stream of Gemini that failed', () => {
  it.each([
    ['MALFORMED_FUNCTION_CALL', {finishMessage: 'Malformed function call: read(path='}, 'Malformed function call: read(path='],
    ['UNEXPECTED_TOOL_CALL', {}, 'UNEXPECTED_TOOL_CALL'],
  ])('with %s is worth another try', (finishReason, more, said) => {
    expect(decode(createGeminiDecoder(), events([chunk([{text: 'x'}]), {candidates: [{finishReason, ...more}]}])).end).toEqual({
      ok: false,
      message: `The model failed to write a reply: ${said}.`,
      retryable: true,
    });
  });

  it.each([
    [503, 'UNAVAILABLE', true],
    [429, 'RESOURCE_EXHAUSTED', true],
    [400, 'INVALID_ARGUMENT', false],
  ])('with an error %s in the stream', (code, status, retryable) => {
    expect(decode(createGeminiDecoder(), events([chunk([{text: 'x'}]), {error: {code, status, message: 'No.'}}])).end).toEqual({
      ok: false,
      message: `${status}: No.`,
      retryable,
    });
  });

  it('broke off when there is no finish reason, at whichever chunk', () => {
    for (let count = 0; count < CALLING.length - 1; count += 1) {
      expect(decode(createGeminiDecoder(), events(CALLING.slice(0, count))).end).toEqual({
        ok: false,
        message: 'The stream broke off before the reply was complete.',
        retryable: true,
      });
    }
  });

  it('is broken by an event that is not JSON', () => {
    expect(decode(createGeminiDecoder(), [{event: undefined, data: '{"candidates": ['}, ...events([CALLING.at(-1) ?? {}])]).end).toEqual({
      ok: false,
      message: 'The server sent an event that is not JSON.',
      retryable: true,
    });
  });
});
