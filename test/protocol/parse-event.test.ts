import * as fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import type {FettleError} from '../../src/base/errors.ts';
import {KNOWN_EVENTS} from '../../src/protocol/events.ts';
import {KNOWN_ITEMS} from '../../src/protocol/items.ts';
import {parseEvent} from '../../src/protocol/parse-event.ts';
import {EVENT_EXAMPLES, ITEM_EXAMPLES} from './examples.ts';

function typesOf(schemas: readonly {readonly shape: {readonly type: {readonly def: {readonly values: readonly string[]}}}}[]): string[] {
  return schemas.flatMap(({shape}) => shape.type.def.values);
}

function failure(line: string): Pick<FettleError, 'code' | 'message'> {
  try {
    parseEvent(line);
  } catch (error) {
    const {code, message} = error as FettleError;
    return {code, message};
  }
  throw new Error('nothing was thrown');
}

describe('known events', () => {
  it.each(Object.entries(EVENT_EXAMPLES))('%s: the example is read and written again unchanged', (_type, event) => {
    const line = JSON.stringify(event);
    expect(parseEvent(line)).toEqual({known: true, event});
  });

  it.each(Object.entries(ITEM_EXAMPLES))('item %s: the example is read and written again unchanged', (_type, item) => {
    const line = JSON.stringify({type: 'item.completed', turn_id: 'trn_1', item});
    expect(parseEvent(line).known).toBe(true);
    expect(JSON.parse(JSON.stringify(parseEvent(line).event))).toEqual(JSON.parse(line));
  });

  it('has an example of every type', () => {
    expect(Object.keys(EVENT_EXAMPLES).sort()).toEqual(typesOf(KNOWN_EVENTS).sort());
    expect(Object.keys(ITEM_EXAMPLES).sort()).toEqual(typesOf(KNOWN_ITEMS).sort());
  });
});

const key = fc.string({minLength: 1}).filter((name) => name !== '__proto__');
const unknownFields = fc.dictionary(
  key.map((name) => `x_${name}`),
  fc.jsonValue({maxDepth: 3}),
);

describe('what this version does not know', () => {
  it('unknown fields of known events and items survive (vtcode architecture › additive evolution)', () => {
    const examples = fc.constantFrom(...Object.values(EVENT_EXAMPLES));
    fc.assert(
      fc.property(examples, unknownFields, (event, extra) => {
        const grown = {...event, ...extra, ...('item' in event ? {item: {...event.item, ...extra}} : {})};
        const line = JSON.stringify(grown);
        const parsed = parseEvent(line);
        expect(parsed.known).toBe(true);
        expect(JSON.parse(JSON.stringify(parsed.event))).toEqual(JSON.parse(line));
      }),
    );
  });

  it('unknown event types survive', () => {
    const types = fc.string({minLength: 1}).filter((type) => !(type in EVENT_EXAMPLES));
    fc.assert(
      fc.property(types, unknownFields, (type, fields) => {
        const line = JSON.stringify({type, ...fields});
        expect(JSON.stringify(parseEvent(line).event)).toBe(line);
        expect(parseEvent(line).known).toBe(false);
      }),
    );
  });

  it('unknown item types survive', () => {
    const types = fc.string({minLength: 1}).filter((type) => !(type in ITEM_EXAMPLES));
    fc.assert(
      fc.property(types, unknownFields, (type, fields) => {
        const line = JSON.stringify({type: 'item.completed', item: {...fields, id: 'itm_1', type}});
        expect(JSON.stringify(parseEvent(line).event)).toBe(line);
        expect(parseEvent(line).known).toBe(false);
      }),
    );
  });
});

describe('what is not an event', () => {
  it.each(['', 'null', '3', '[]', '{', '{"type":3}', '{"kind":"turn.started"}', '"turn.started"'])('%j is refused', (line) => {
    expect(failure(line)).toEqual({code: 'BAD_ARGS', message: 'Not an event: a JSON object with a string `type` is needed.'});
  });

  it('names the type and the place of the first wrong field', () => {
    expect(failure('{"type":"turn.started","thread_id":"t"}')).toEqual({
      code: 'BAD_ARGS',
      message: 'Event turn.started does not fit the schema at turn_id: invalid_type.',
    });
    expect(failure('{"type":"item.completed","item":{"id":"i","type":"reasoning","text":7}}')).toEqual({
      code: 'BAD_ARGS',
      message: 'Event item.completed does not fit the schema at item.text: invalid_type.',
    });
  });

  it('never throws anything else', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (line) => {
        try {
          parseEvent(line);
        } catch (error) {
          expect((error as FettleError).code).toBe('BAD_ARGS');
        }
      }),
    );
  });
});
