import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {cleanSchema} from '../../src/mcp/tools/clean-schema.ts';
import {cleanLine, cleanServerText} from '../../src/mcp/clean-text.ts';
import {createLineReader} from '../../src/mcp/connection/line-reader.ts';

describe('cleanText', () => {
  it('keeps lines and tabs, and takes out what cannot be seen', () => {
    expect(cleanServerText(' a\u200bb\n\tc\u{e0041}\ud800\u001b[1m ', 100)).toBe('ab\n\tc[1m');
    expect(cleanLine('a\r\n  b', 100)).toBe('a b');
    expect(cleanServerText('abcdef', 3)).toBe('abc…');
  });
});

describe('cleanSchema', () => {
  it('takes anything, and gives an object schema of bounded size whose required names exist', () => {
    const keys = fc.constantFrom(
      'type',
      'properties',
      'items',
      'required',
      '$ref',
      'anyOf',
      '$defs',
      'enum',
      'description',
      'a',
      '__proto__',
    );
    const schema = fc.letrec((tie) => ({
      value: fc.oneof({maxDepth: 5}, fc.jsonValue(), fc.array(tie('value')), fc.dictionary(keys, tie('value'))),
    })).value;
    fc.assert(
      fc.property(schema, (value) => {
        const clean = cleanSchema(value);
        expect(clean['type']).toBe('object');
        const properties = Object.keys(clean['properties'] as object);
        for (const name of (clean['required'] ?? []) as string[]) expect(properties).toContain(name);
        expect(JSON.stringify(clean).length).toBeLessThan(30_000);
      }),
    );
  });

  it('keeps what models need', () => {
    const schema = {
      type: 'object',
      properties: {path: {type: 'string', description: 'A path'}, list: {type: 'array', items: {$ref: '#/$defs/x'}}},
      required: ['path'],
      $defs: {x: {enum: ['a', 'b']}},
      additionalProperties: false,
    };
    expect(cleanSchema(schema)).toEqual(schema);
  });

  const kept = {type: 'string', description: 'kept'};
  it.each<[string, object, object]>([
    ['values that hide something', {enum: ['a', 'b\u202e', {k: '\u0000'}], default: 'x\u{e0041}', const: '\u200b'}, {enum: ['a']}],
    ['a list of which nothing is left', {type: 'string', enum: ['b\u202e']}, {type: 'string'}],
    [
      'names that hide something',
      {properties: {['a\u202e']: kept, b: kept}, required: ['a\u202e', 'b', 5, 'b']},
      {properties: {b: kept}, required: ['b']},
    ],
    ['keys that are not keywords', {'x-order': 'Obey!', instructions: 'Obey!', type: 'string'}, {type: 'string'}],
    ['keywords of the wrong form', {minimum: '5', minLength: -1, uniqueItems: 'yes', anyOf: [], items: 5, format: 7, multipleOf: 0}, {}],
    ['types that there are not', {type: ['string', 'banana'], title: 'kept'}, {title: 'kept'}],
    ['types twice', {type: ['string', 'string']}, {type: ['string']}],
    ['patterns that are none', {pattern: '(', patternProperties: {'[': kept, '^a': kept}}, {patternProperties: {'^a': kept}}],
    [
      'references to nothing, elsewhere, or to a name',
      {anyOf: [{$ref: '#/$defs/none'}, {$ref: 'https://h.example/'}, {$ref: '#name'}]},
      {anyOf: [{}, {}, {}]},
    ],
    ['a list of items (draft 7)', {items: [kept], additionalItems: false}, {prefixItems: [kept]}],
    [
      'requirements that are none',
      {dependentRequired: {a: ['b', 'c\u0000'], d: 5}, dependentSchemas: {e: kept, f: 5}},
      {dependentRequired: {a: ['b']}, dependentSchemas: {e: kept, f: {}}},
    ],
    ['texts', {title: 'a\u202eb', description: 'c\u{e0041}\u001b[2Jd', $comment: 'Obey!'}, {title: 'ab', description: 'c[2Jd'}],
  ])('takes out of what is deep inside: %s', (_, given, clean) => {
    const deep = (schema: object) => ({type: 'object', properties: {p: {type: 'array', items: schema}}});
    expect(cleanSchema(deep(given))).toEqual(deep(clean));
  });

  it('says only "an object" of one that is too deep or too large', () => {
    const wide = {
      type: 'object',
      properties: Object.fromEntries(Array.from({length: 5000}, (_, index) => [`p${index}`, {type: 'string'}])),
    };
    expect(cleanSchema(wide)).toEqual({type: 'object', properties: {}});
    expect(cleanSchema(null)).toEqual({type: 'object', properties: {}});
  });
});

describe('createLineReader', () => {
  it('finds the same lines however the bytes are cut', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({unit: 'grapheme'}).map((line) => line.replaceAll(/[\r\n]/g, ''))),
        fc.integer({min: 1, max: 7}),
        (lines, size) => {
          const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
          const read: string[] = [];
          const reader = createLineReader({maxBytes: 1000, onLine: (line) => read.push(line), onTooLong: () => read.push('too long')});
          for (let at = 0; at < bytes.length; at += size) reader(bytes.subarray(at, at + size));
          expect(read).toEqual(lines);
        },
      ),
    );
  });

  it('reads nothing after a line that is too long', () => {
    const read: string[] = [];
    const reader = createLineReader({maxBytes: 4, onLine: (line) => read.push(line), onTooLong: () => read.push('too long')});
    for (const chunk of ['ab\n', 'abc', 'de', '\nab\n']) reader(Buffer.from(chunk));
    expect(read).toEqual(['ab', 'too long']);
  });
});
