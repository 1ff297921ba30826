import {describe, expect, it} from 'vitest';
import type {JsonObject} from '../../src/base/json.ts';
import {hostile, served, written} from './support.ts';

const go = (more: object = {}): object => ({name: 'go', inputSchema: {type: 'object'}, ...more});
const doubling = (levels: number): JsonObject => ({
  type: 'object',
  properties: {a: {$ref: '#/$defs/d0'}},
  $defs: Object.fromEntries(
    Array.from({length: levels}, (_, level) => [
      `d${level}`,
      level === levels - 1 ? {type: 'string'} : {anyOf: Array.from({length: 4}, () => ({$ref: `#/$defs/d${level + 1}`}))},
    ]),
  ),
});

describe('the outputSchema of a tool (issue 6 › servers and pages of other people › schemas)', () => {
  it.each<[string, JsonObject, JsonObject, string]>([
    [
      '2.6 KB of anyOf and $ref',
      doubling(30),
      {a: 1},
      'cannot be compared with the outputSchema of the tool: Checking the value against its schema takes too much work.',
    ],
    [
      'a pattern of thousands of states',
      {type: 'object', additionalProperties: {pattern: '(.*)(.*)(.*)(.{1,500}){1,2}(.{1,500}){1,2}[^x]$'}},
      {a: 'x'.repeat(200_000)},
      'cannot be compared with the outputSchema of the tool: Checking the value against its schema takes too much work.',
    ],
    [
      'a schema that leads to itself',
      {type: 'object', $ref: '#'},
      {a: 1},
      'cannot be compared with the outputSchema of the tool: The value or its schema is nested too deep to be compared.',
    ],
    [
      'another type than is there',
      {type: 'object', properties: {a: {type: 'string'}}},
      {a: 1},
      'does not fit the outputSchema of the tool: a: must be string, not 1',
    ],
  ])('costs the call, and not the session: %s', async (_, outputSchema, structuredContent, why) => {
    const bad = await written({
      tools: [go({outputSchema}), go({name: 'other'})],
      results: {'tools/call': {content: [], structuredContent}},
    });
    const {call, notices} = await served([bad, hostile('kind', {name: 'good'})]);
    expect(notices).toEqual([]);
    expect(await call('mcp__bad__go')).toMatchObject({
      outcome: 'error',
      structured: {code: 'UNAVAILABLE', message: `MCP server bad: calling go: the call was carried out, but its structured result ${why}`},
    });
    expect([(await call('mcp__bad__other')).outcome, (await call('mcp__good__go')).outcome]).toEqual(['success', 'success']);
  });

  it('with uniqueItems over 150,000 items is not work', async () => {
    const structuredContent = {list: Array.from({length: 150_000}, (_, index) => ({index}))};
    const outputSchema = {type: 'object', properties: {list: {uniqueItems: true}}};
    const {call} = await served([await written({tools: [go({outputSchema})], results: {'tools/call': {content: [], structuredContent}}})]);
    expect(await call('mcp__bad__go')).toMatchObject({outcome: 'success'});
  });
});

describe('a tool that cannot be used costs itself, not its server', () => {
  const deep = JSON.parse(`${'{"not":'.repeat(500)}{}${'}'.repeat(500)}`) as JsonObject;
  it.each<[string, object, string]>([
    ['no object for arguments', {inputSchema: {type: 'string'}}, 'its arguments have no schema of an object'],
    ['no schema for arguments', {inputSchema: null}, 'its arguments have no schema of an object'],
    ['schemas without end', {inputSchema: {type: 'object', properties: {a: deep}}}, 'its schemas are nested too deep'],
    ['a list of properties', {inputSchema: {type: 'object', properties: 5}}, 'it is not described as the protocol says'],
    ['a description that is not text', {description: 5}, 'it is not described as the protocol says'],
    ['hints of the wrong form', {annotations: {readOnlyHint: 'yes'}}, 'it is not described as the protocol says'],
    ['an outputSchema that is none', {outputSchema: {type: 'object', properties: {a: {type: 'banana'}}}}, 'its outputSchema is not valid'],
    ['an outputSchema of another address', {outputSchema: {type: 'object', $ref: 'https://h.example/x'}}, 'its outputSchema is not valid'],
    ['an outputSchema of no object (MCP 2025-11-25)', {outputSchema: {type: 'array'}}, 'its outputSchema is not valid'],
    ['calls as tasks alone (MCP 2025-11-25 › tasks)', {execution: {taskSupport: 'required'}}, 'it can only be called as a task'],
  ])('%s', async (_, more, why) => {
    const {tools, notices} = await served([await written({tools: [go(more), go({name: 'fine', execution: {taskSupport: 'optional'}})]})]);
    expect([tools.map(({name}) => name), notices]).toEqual([
      ['mcp__bad__fine'],
      // Not its fault: nothing is said.
      why.endsWith('task') ? [] : [`MCP server bad: tools that cannot be used are left out: go (${why}).`],
    ]);
  });

  it.each([
    ['go\u0000', 'go\\u0000'],
    ['go\u202etxt', 'go\\u202etxt'],
    ['go\u{e0041}', 'go\\u{e0041}'],
    ['g\u200bo', 'g\\u200bo'],
    ['go\nnow', 'go\\u000anow'],
  ])('a name with what cannot be seen: %j', async (name, shown) => {
    const {tools, notices} = await served([await written({tools: [go({name}), go()]})]);
    expect([tools.map((tool) => tool.name), notices]).toEqual([
      ['mcp__bad__go'],
      [`MCP server bad: tools that cannot be used are left out: ${shown} (characters of its name cannot be seen).`],
    ]);
  });
});
