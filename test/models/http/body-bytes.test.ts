import * as fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import type {JsonObject} from '../../../src/base/json.ts';
import {createBodyWriter} from '../../../src/models/http/body-bytes.ts';

const write = createBodyWriter();
const bodyText = (body: JsonObject): string => Buffer.concat(write(body)).toString();

describe('createBodyWriter', () => {
  it('gives the bytes of JSON.stringify, the first time and each time after', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const body = value as JsonObject;
        expect([bodyText(body), bodyText(body)]).toEqual([JSON.stringify(body), JSON.stringify(body)]);
      }),
    );
  });

  it('leaves out what is undefined, and puts null in its place in a list', () => {
    const body = {a: undefined, b: [{c: undefined, d: [undefined, {e: undefined}]}, undefined], 2: 'ü\ud800'} as unknown as JsonObject;
    expect(bodyText(body)).toBe(JSON.stringify(body));
  });

  it('writes a longer conversation as the earlier one and what is new', () => {
    const messages = [
      {role: 'user', content: 'first'},
      {role: 'assistant', parts: [{text: 'second'}]},
    ];
    const before = bodyText({model: 'm', messages});
    const parts = [...(messages[1]?.parts ?? []), {text: 'third'}];
    const body = {model: 'm', messages: [messages[0] ?? {}, {role: 'assistant', parts}, {role: 'user', content: 'fourth'}]};
    expect([before, bodyText(body)]).toEqual([JSON.stringify({model: 'm', messages}), JSON.stringify(body)]);
  });

  it('reads a message once, in however many requests it is sent', () => {
    let reads = 0;
    const message = {
      role: 'user',
      get content() {
        reads += 1;
        return 'said';
      },
    };
    for (let turn = 0; turn < 3; turn += 1) bodyText({messages: [message]});
    expect(reads).toBe(1);
  });

  it('never changes what it gave: a request may still be on its way when the next one is written', () => {
    const step = fc.record({keep: fc.nat({max: 6}), add: fc.array(fc.string({maxLength: 20}), {maxLength: 3})});
    fc.assert(
      fc.property(fc.array(step, {maxLength: 8}), (steps) => {
        const own = createBodyWriter();
        let messages: readonly JsonObject[] = [];
        const given = steps.map(({keep, add}) => {
          messages = [...messages.slice(0, keep), ...add.map((content) => ({role: 'user', content}))];
          const body = {model: 'm', messages: [...messages]};
          return {pieces: own(body), text: JSON.stringify(body)};
        });
        expect(given.map(({pieces}) => Buffer.concat(pieces).toString())).toEqual(given.map(({text}) => text));
      }),
    );
  });

  it('shares the bytes of the conversation so far with the request before', () => {
    const own = createBodyWriter();
    const messages = Array.from({length: 20}, (_, index) => ({role: 'user', content: `message ${index}`}));
    const [first, ...later] = [10, 11, 12, 13].map((count) => own({messages: messages.slice(0, count)})[0]?.buffer);
    // Room is made once, at the second request.
    expect([new Set(later).size, first === later[0]]).toEqual([1, false]);
  });
});
