import {describe, expect, it} from 'vitest';
import {compileSchema} from '../../../src/base/json-schema/compile-schema.ts';
import type {Json, JsonObject} from '../../../src/base/json.ts';

const problems = async (schema: Json, value: Json): Promise<readonly string[]> => (await compileSchema(schema)).problems(value);

/** Each schema with values that fit it, and values that do not (JSON Schema 2020-12; draft 7 where it says so). */
const TABLE: readonly {readonly schema: Json; readonly fits: readonly Json[]; readonly misfits: readonly Json[]}[] = [
  {schema: true, fits: [1, null], misfits: []},
  {schema: false, fits: [], misfits: [1, null]},
  {schema: {type: 'integer'}, fits: [1, 1.0, -3], misfits: [1.5, '1', null]},
  {schema: {type: ['string', 'null']}, fits: ['', null], misfits: [0, []]},
  {schema: {type: 'object'}, fits: [{}], misfits: [[], null]},
  {schema: {enum: [1, 'a', {b: [1]}, null]}, fits: [1, 'a', {b: [1]}, null], misfits: [2, {b: [2]}, false]},
  {schema: {enum: Array.from({length: 50}, (_, index) => ({index, x: 1}))}, fits: [{x: 1, index: 3}], misfits: [{index: 60, x: 1}]},
  {schema: {const: {a: 1, b: 2}}, fits: [{b: 2, a: 1}], misfits: [{a: 1}]},
  {schema: {const: 0}, fits: [0, -0], misfits: [false, '0']},
  {schema: {minimum: 1, exclusiveMaximum: 3}, fits: [1, 2.9, 'x'], misfits: [0.9, 3]},
  {schema: {multipleOf: 0.01}, fits: [0.07, 4.35, 1.1], misfits: [0.075]},
  {schema: {multipleOf: 3}, fits: [9, 0, -3], misfits: [10, 9.1]},
  {schema: {minLength: 2, maxLength: 2}, fits: ['ab', '💥💥'], misfits: ['a', '💥', 'abc']},
  {schema: {pattern: '^a+$'}, fits: ['aa', 3], misfits: ['ab', '']},
  {schema: {pattern: '\\d'}, fits: ['a1'], misfits: ['a']},
  {
    schema: {prefixItems: [{type: 'number'}, {type: 'number'}], items: {type: 'string'}},
    fits: [[1], [1, 2, 'x']],
    misfits: [
      [1, 'x'],
      [1, 2, 3],
    ],
  },
  {schema: {items: [{type: 'number'}], additionalItems: false}, fits: [[1], []], misfits: [['x'], [1, 2]]}, // draft 7
  {
    schema: {contains: {const: 1}, minContains: 2, maxContains: 3},
    fits: [
      [1, 1],
      [1, 0, 1, 1],
    ],
    misfits: [[1], [1, 1, 1, 1], []],
  },
  {schema: {contains: {const: 1}, minContains: 0}, fits: [[], [2]], misfits: []},
  {
    schema: {uniqueItems: true},
    fits: [[1, '1', [1], {a: 1}], []],
    misfits: [
      [
        {a: 1, b: 2},
        {b: 2, a: 1},
      ],
      [0, -0],
    ],
  },
  {schema: {minItems: 1, maxItems: 2}, fits: [[1]], misfits: [[], [1, 2, 3]]},
  {schema: {minProperties: 1, maxProperties: 2}, fits: [{a: 1}], misfits: [{}, {a: 1, b: 1, c: 1}]},
  {schema: {required: ['__proto__', 'toString']}, fits: [JSON.parse('{"__proto__":1,"toString":2}') as Json], misfits: [{}]},
  {
    schema: {properties: {a: {type: 'number'}}, patternProperties: {'^x': {type: 'string'}}, additionalProperties: false},
    fits: [{a: 1, x1: ''}],
    misfits: [{a: ''}, {x1: 1}, {b: 1}],
  },
  {schema: {propertyNames: {maxLength: 2}}, fits: [{ab: 1}], misfits: [{abc: 1}]},
  {schema: {dependentRequired: {a: ['b']}}, fits: [{b: 1}, {a: 1, b: 1}], misfits: [{a: 1}]},
  {schema: {dependentSchemas: {a: {required: ['b']}}}, fits: [{}, {a: 1, b: 1}], misfits: [{a: 1}]},
  {schema: {dependencies: {a: ['b'], c: {minProperties: 3}}}, fits: [{a: 1, b: 1}], misfits: [{a: 1}, {c: 1}]}, // draft 7
  {schema: {allOf: [{minimum: 1}, {maximum: 2}]}, fits: [1], misfits: [0, 3]},
  {schema: {anyOf: [{type: 'string'}, {minimum: 5}]}, fits: ['', 6], misfits: [4]},
  {schema: {oneOf: [{minimum: 1}, {maximum: 2}]}, fits: [0, 3], misfits: [1.5]},
  {schema: {not: {type: 'string'}}, fits: [1], misfits: ['']},
  {schema: JSON.parse('{"if":{"const":1},"then":{"minimum":2},"else":{"maximum":5}}') as Json, fits: [4], misfits: [1, 6]},
  {
    schema: {
      $defs: {tree: {type: 'object', properties: {next: {$ref: '#/$defs/tree'}}, additionalProperties: false}},
      $ref: '#/$defs/tree',
    },
    fits: [{next: {next: {}}}],
    misfits: [{next: {nix: 1}}],
  },
  {schema: {$id: 'https://h.example/s', $ref: 'https://h.example/s#/$defs/a~1b%25', $defs: {'a/b%': {const: 1}}}, fits: [1], misfits: [2]},
  {schema: {$ref: '#here', $defs: {x: {$anchor: 'here', type: 'null'}}}, fits: [null], misfits: [1]},
  {schema: {$ref: '#/components/x', components: {x: {$ref: '#/components/y'}, y: {type: 'null'}}}, fits: [null], misfits: [1]},
  {
    schema: {allOf: [{properties: {a: true}}], anyOf: [{required: ['b'], properties: {b: true}}, true], unevaluatedProperties: false},
    fits: [{a: 1}, {a: 1, b: 1}],
    misfits: [{c: 1}],
  },
  {schema: {unevaluatedItems: false, anyOf: [true, {items: {const: 9}}]}, fits: [[], [9]], misfits: [[1]]},
  {schema: {unevaluatedItems: false, oneOf: [true, {prefixItems: [{const: 9}]}]}, fits: [], misfits: [[1], [9]]},
  {schema: {prefixItems: [true], contains: {const: 9}, unevaluatedItems: false}, fits: [[1, 9]], misfits: [[1, 9, 2]]},
  {schema: {format: 'email', contentEncoding: 'base64', 'x-own': 5}, fits: ['no address'], misfits: []},
];

describe('compileSchema', () => {
  it.each(TABLE)('judges by $schema', async ({schema, fits, misfits}) => {
    const compiled = await compileSchema(schema);
    for (const value of fits) expect([value, compiled.problems(value)]).toEqual([value, []]);
    for (const value of misfits) expect([value, compiled.problems(value).length > 0]).toEqual([value, true]);
  });

  it('names each place, at most eight, with nothing hidden', async () => {
    const schema = {type: 'object', properties: {list: {items: {type: 'number'}}, n: {enum: ['a']}}, required: ['n', 'm']};
    expect(await problems(schema, {list: ['x\u202e', 1], n: 'b'})).toEqual([
      'list.0: must be number, not "x\\u202e"',
      'n: must be one of "a"',
      '(root): "m" is missing',
    ]);
    expect(
      await problems(
        {items: {type: 'number'}},
        Array.from({length: 20}, () => 'x'),
      ),
    ).toHaveLength(8);
  });

  it.each<[string, Json, string]>([
    ['a type that there is not', {type: 'wrong'}, 'at "/type": it must be a type'],
    [
      'a keyword of the wrong form, deep inside',
      {properties: {a: {items: {minimum: '5'}}}},
      'at "/properties/a/items/minimum": it must be a number',
    ],
    ['names that are none', {required: [1]}, 'at "/required": it must be a list of names'],
    ['a reference to nothing', {properties: {a: {$ref: '#/$defs/gone'}}}, 'at "/properties/a": $ref "#/$defs/gone" leads nowhere in it'],
    ['a reference to elsewhere', {$ref: 'https://h.example/x.json'}, 'at its root: $ref "https://h.example/x.json" leads nowhere in it'],
    ['no schema at all', 5, 'at its root: it must be an object or a boolean'],
  ])('refuses %s', async (_, schema, why) => {
    await expect(compileSchema(schema)).rejects.toMatchObject({code: 'BAD_ARGS', message: `It is not a JSON Schema: ${why}.`});
  });

  it('says which patterns are not checked', async () => {
    const schema = {items: {pattern: '(?=a)b'}, propertyNames: {pattern: '(a)\\1'}, pattern: 'x{900}y{900}z{900}'};
    expect((await compileSchema(schema)).unchecked).toEqual(expect.arrayContaining(['(?=a)b', '(a)\\1', 'x{900}y{900}z{900}']));
  });
});

/** What aborts, freezes or fills the process where the work is not counted. */
describe('a hostile schema is judged or given up within bounds', () => {
  const nested = (levels: number): JsonObject =>
    Array.from({length: levels}).reduce<JsonObject>((inner) => ({anyOf: [inner, inner]}), {type: 'null'});
  const doubling = Object.fromEntries(
    Array.from({length: 40}, (_, level) => [`d${level}`, {anyOf: [{$ref: `#/$defs/d${level + 1}`}, {$ref: `#/$defs/d${level + 1}`}]}]),
  );
  const long = 'x'.repeat(500_000);
  const many = Array.from({length: 150_000}, (_, index) => ({index, text: `t${index}`}));
  it.each<[string, () => Json, () => Json, 'too much' | 'misfit' | 'fits']>([
    ['anyOf by $ref, doubling at each level', () => ({$ref: '#/$defs/d0', $defs: {...doubling, d40: false}}), () => 1, 'too much'],
    [
      'allOf by $ref, doubling',
      () => JSON.parse(JSON.stringify({$ref: '#/$defs/d0', $defs: {...doubling, d40: true}}).replaceAll('anyOf', 'allOf')) as Json,
      () => 1,
      'too much',
    ],
    ['a $ref that leads to itself', () => ({$ref: '#'}), () => 1, 'too much'],
    [
      'two that lead to each other',
      () => ({$defs: {a: {$ref: '#/$defs/b'}, b: {$ref: '#/$defs/a'}}, $ref: '#/$defs/a'}),
      () => 1,
      'too much',
    ],
    ['uniqueItems over 150,000 objects', () => ({uniqueItems: true}), () => many, 'fits'],
    ['uniqueItems, and one appears twice', () => ({uniqueItems: true}), () => [...many, {text: 't0', index: 0}], 'misfit'],
    ['a pattern that backtracks without end', () => ({pattern: '^(x+x+)+y$'}), () => long, 'misfit'],
    ['a pattern of many states', () => ({pattern: '(.*)(.*)(.*)(.*)(.*)(.{1,200}){1,4}[^x]'}), () => long, 'too much'],
    [
      'many patterns for many names',
      () => ({patternProperties: Object.fromEntries(Array.from({length: 200}, (_, index) => [`a{0,9}b${index}`, false]))}),
      () => Object.fromEntries(many.map(({text}) => [text.repeat(9), 1])),
      'too much',
    ],
    [
      'a list of 100,000 options for each of 100,000 items',
      () => ({items: {enum: many.map(({text}) => text)}}),
      () => many.map(({text}) => text),
      'fits',
    ],
    [
      'contains beside items, at each level',
      () => JSON.parse(`${'{"contains":'.repeat(30)}false${',"items":true}'.repeat(30)}`) as Json,
      () => JSON.parse(`${'['.repeat(30)}1${']'.repeat(30)}`) as Json,
      'misfit',
    ],
    [
      'maxProperties, ten thousand times',
      () => ({allOf: Array.from({length: 10_000}, () => ({maxProperties: 1e9}))}),
      () => Object.fromEntries(many.map(({text}) => [text, 1])),
      'too much',
    ],
    [
      'unevaluatedProperties behind many allOf',
      () => ({allOf: Array.from({length: 5000}, () => ({additionalProperties: true})), unevaluatedProperties: false}),
      () => Object.fromEntries(many.slice(0, 10_000).map(({text}) => [text, 1])),
      'too much',
    ],
    [
      'a value that is nested 100,000 times',
      () => ({$ref: '#/$defs/l', $defs: {l: {items: {$ref: '#/$defs/l'}}}}),
      () => JSON.parse('['.repeat(100_000) + ']'.repeat(100_000)) as Json,
      'too much',
    ],
  ])('%s', async (_, schema, value, expected) => {
    const compiled = await compileSchema(schema());
    const outcome = (() => {
      try {
        return compiled.problems(value()).length > 0 ? 'misfit' : 'fits';
      } catch (thrown) {
        expect(thrown).toMatchObject({code: 'TOO_LARGE'});
        return 'too much';
      }
    })();
    expect(outcome).toBe(expected);
  });

  it.each<[string, () => Json]>([
    ['doubled by copies', () => JSON.parse(JSON.stringify(nested(15))) as Json],
    ['nested 100,000 times', () => JSON.parse('{"not":'.repeat(100_000) + '{}' + '}'.repeat(100_000)) as Json],
    ['a constant that is nested 100,000 times', () => ({const: JSON.parse('['.repeat(100_000) + ']'.repeat(100_000)) as Json})],
    [
      'a hundred thousand properties',
      () => ({properties: Object.fromEntries(Array.from({length: 100_000}, (_, index) => [`p${index}`, true]))}),
    ],
  ])('is refused before any value: %s', async (_, schema) => {
    await expect(compileSchema(schema())).rejects.toMatchObject({code: 'TOO_LARGE'});
  });
});
