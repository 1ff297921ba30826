import * as fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import type {JsonObject} from '../../../src/base/json.ts';
import {bodyBytes} from '../../../src/models/http/body-bytes.ts';

const bodyText = (body: JsonObject): string => bodyBytes(body).toString();

describe('bodyBytes', () => {
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
});
