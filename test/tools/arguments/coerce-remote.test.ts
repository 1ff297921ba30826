import {describe, expect, it} from 'vitest';
import type {Json, JsonObject} from '../../../src/base/json.ts';
import {coerceForeign} from '../../../src/tools/arguments/coerce-remote.ts';

const FILTER = {type: 'object', properties: {limit: {type: 'integer'}}};
const ROOT = {$defs: {Filter: FILTER, Loop: {$ref: '#/$defs/Loop'}}};

describe('arguments of a tool of another program get the types of its schema (issue 6 › arguments are coerced)', () => {
  it.each<[JsonObject, Json, Json]>([
    [{type: 'number'}, '5', 5],
    [{type: 'integer'}, '5', 5],
    [{type: 'boolean'}, 'true', true],
    [{type: 'string'}, 5, '5'],
    [{type: 'object'}, '{"a":1}', {a: 1}],
    [{type: 'array'}, '[1]', [1]],
    [{type: 'array', items: {type: 'string'}}, 'a', ['a']],
    [{type: 'array', items: {type: 'number'}}, ['1', 2], [1, 2]],
    [FILTER, '{"limit":"3"}', {limit: 3}],
    [FILTER, {limit: '3', other: '3'}, {limit: 3, other: '3'}],
    [{$ref: '#/$defs/Filter'}, '{"limit":"3"}', {limit: 3}],
    [{type: ['number', 'null']}, '5', 5],
    [{anyOf: [{type: 'number'}, {type: 'null'}]}, '5', 5],
    [{anyOf: [{$ref: '#/$defs/Filter'}, {type: 'null'}]}, '{"limit":1}', {limit: 1}],
    // As they were given:
    [{type: 'number'}, 'five', 'five'],
    [{type: 'number'}, null, null],
    [{type: 'string'}, '{"a":1}', '{"a":1}'],
    [{anyOf: [{type: 'string'}, {type: 'number'}]}, '5', '5'],
    [{type: ['boolean', 'string']}, 1, 1],
    [{type: 'integer'}, 1e300, 1e300],
    [{}, '5', '5'],
    [{enum: [1, 2]}, '1', '1'],
    [{$ref: '#/$defs/Loop'}, '5', '5'],
    [{type: 'object'}, '{"a":', '{"a":'],
  ])('%j: %j → %j', (property, received, expected) => {
    const schema = {type: 'object', properties: {p: property}, ...ROOT};
    const isSame = JSON.stringify(received) === JSON.stringify(expected);
    const {input, repairs} = coerceForeign(schema, {p: received, unknown: '5'});
    expect([input, repairs.length]).toEqual([{p: expected, unknown: '5'}, isSame ? 0 : 1]);
  });
});
