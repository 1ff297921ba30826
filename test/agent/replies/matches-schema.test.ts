import {describe, expect, it} from 'vitest';
import {fitsSchema} from '../../../src/agent/replies/matches-schema.ts';
import type {Json} from '../../../src/base/json.ts';

const object = (properties: Record<string, Json>, required: string[] = []): Json => ({type: 'object', properties, required});

describe('fitsSchema', () => {
  it.each<[string, Json, Json, boolean]>([
    ['a text', 'a', {type: 'string'}, true],
    ['a number for a text', 1, {type: 'string'}, false],
    ['one of several types', null, {type: ['string', 'null']}, true],
    ['a whole number', 1.5, {type: 'integer'}, false],
    ['an option', 'b', {enum: ['a', 'b']}, true],
    ['no option', 'c', {enum: ['a', 'b']}, false],
    ['a constant', 'c', {const: 'd'}, false],
    ['a number below its bound', 0, {type: 'integer', minimum: 1}, false],
    ['a text that is too long', 'abc', {type: 'string', maxLength: 2}, false],
    ['too few items', [], {type: 'array', minItems: 1}, false],
    ['a wrong item', ['a', 1], {type: 'array', items: {type: 'string'}}, false],
    ['fields', {a: 'x', b: 1}, object({a: {type: 'string'}, b: {type: 'integer'}}, ['a']), true],
    ['a field that is missing', {b: 1}, object({a: {type: 'string'}, b: {}}, ['a']), false],
    ['a field that is not declared', {c: 1}, object({a: {type: 'string'}}), false],
    ['a field that is not declared, where others may be', {c: 1}, {type: 'object', properties: {}, additionalProperties: true}, true],
    ['others of a type', {c: 'x'}, {type: 'object', properties: {}, additionalProperties: {type: 'integer'}}, false],
    ['a name that every object has', {constructor: 1}, object({}), false],
    ['one of several schemas', 1, {anyOf: [{type: 'string'}, {type: 'integer'}]}, true],
    ['none of several schemas', true, {oneOf: [{type: 'string'}, {type: 'integer'}]}, false],
    ['inside of a list of objects', [{a: 1}], {type: 'array', items: object({a: {type: 'string'}})}, false],
    ['false allows nothing', 1, false, false],
  ])('%s', (_name, value, schema, fits) => {
    expect(fitsSchema(value, schema)).toBe(fits);
  });

  it('ends, and says no, where a foreign schema takes too much work', () => {
    const nested = (depth: number): Json => (depth === 0 ? {type: 'string'} : {anyOf: [nested(depth - 1), nested(depth - 1)]});
    expect(fitsSchema(1, nested(16))).toBe(false);
  });
});
