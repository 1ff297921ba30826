import {AjvJsonSchemaValidator} from '@modelcontextprotocol/client/validators/ajv';
import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {compileSchema} from '../../src/base/json-schema/compile-schema.ts';
import type {Json, JsonObject} from '../../src/base/json.ts';

/** In Ajv a branch that fails still marks items as evaluated; by JSON Schema 2020-12, section 11.2, only one that fits does (see the table). */
const ajvMisjudges = (schema: JsonObject): boolean => {
  const text = JSON.stringify(schema);
  return text.includes('"unevaluatedItems"') && /"(?:anyOf|oneOf|if)"/v.test(text);
};

describe('compileSchema', () => {
  it('agrees with Ajv on schemas and values of any shape', async () => {
    const ajv = new AjvJsonSchemaValidator();
    await fc.assert(
      fc.asyncProperty(anySchema, anyValue, async (drawnSchema, drawnValue) => {
        const [schema, value] = JSON.parse(JSON.stringify([drawnSchema, drawnValue])) as [JsonObject, Json];
        fc.pre(!ajvMisjudges(schema));
        const expected = ajv.getValidator(schema)(value).valid;
        expect((await compileSchema(schema)).problems(value).length === 0).toBe(expected);
      }),
      {numRuns: 300},
    );
  });
});

const anyValue: fc.Arbitrary<Json> = fc.letrec<{value: Json}>((tie) => ({
  value: fc.oneof(
    {maxDepth: 3},
    fc.constantFrom<Json>(null, true, false, 0, 1, 2, 3.5, '', 'a', 'ab', 'b1'),
    fc.array(tie('value'), {maxLength: 3}),
    fc.dictionary(fc.constantFrom('a', 'b', 'ab'), tie('value'), {maxKeys: 3}),
  ),
})).value;

const anySchema: fc.Arbitrary<JsonObject> = fc.letrec<{schema: JsonObject; inner: Json}>((tie) => {
  const table = fc.dictionary(fc.constantFrom('a', 'b', 'ab'), tie('inner'), {maxKeys: 2});
  const some = fc.array(tie('inner'), {minLength: 1, maxLength: 3});
  const small = fc.integer({min: 0, max: 3});
  const inner = tie('inner');
  const keywords: Record<string, fc.Arbitrary<unknown>> = {
    type: fc.constantFrom('object', 'array', 'string', 'number', 'integer', 'null', 'boolean'),
    enum: fc.uniqueArray(anyValue, {minLength: 1, maxLength: 3, comparator: (a, b) => JSON.stringify(a) === JSON.stringify(b)}),
    const: anyValue,
    minimum: small,
    exclusiveMaximum: small,
    minLength: small,
    maxLength: small,
    pattern: fc.constantFrom('a', '^b', '\\d$'),
    minItems: small,
    maxItems: small,
    uniqueItems: fc.boolean(),
    minProperties: small,
    maxProperties: small,
    required: fc.subarray(['a', 'b', 'ab']),
    dependentRequired: fc.dictionary(fc.constantFrom('a', 'b'), fc.subarray(['a', 'ab']), {maxKeys: 2}),
    properties: table,
    patternProperties: fc.dictionary(fc.constantFrom('a', '^b'), inner, {maxKeys: 2}),
    additionalProperties: inner,
    propertyNames: inner,
    dependentSchemas: table,
    prefixItems: some,
    items: inner,
    contains: inner,
    unevaluatedItems: inner,
    unevaluatedProperties: inner,
    allOf: some,
    anyOf: some,
    oneOf: some,
    not: inner,
  };
  return {
    schema: fc
      .record(keywords, {requiredKeys: []})
      .chain((all) =>
        fc.subarray(Object.keys(all), {maxLength: 4}).map((kept) => Object.fromEntries(kept.map((key) => [key, all[key]])) as JsonObject),
      ),
    inner: fc.oneof({maxDepth: 3}, fc.boolean(), tie('schema')) as fc.Arbitrary<Json>,
  };
}).schema;
