import {describe, expect, it} from 'vitest';
import * as z from 'zod/mini';
import {plainSchema} from '../../../src/tools/arguments/plain-schema.ts';
import {inputSchema, toolSchemas} from '../../../src/tools/arguments/schema.ts';
import {loadToolsetByName, TOOLSET_NAMES} from '../../../src/tools/toolsets/load-toolset.ts';

/** Returns what Zod makes of the same input, with the parts that no model needs taken out in the same way. */
function asZodSays(schema: z.core.$ZodType): string {
  const copy = z.toJSONSchema(schema, {io: 'input'});
  return JSON.stringify(toolSchemas({tools: [{name: '', description: '', foreignSchema: copy} as never]})[0]?.parameters);
}

describe('the schema of an ordinary input', () => {
  it.each(TOOLSET_NAMES)('%s: every tool has the same bytes as the conversion of Zod', async (name) => {
    const {tools, deferred} = await loadToolsetByName(name);
    const all = [...tools, ...((await deferred?.()) ?? [])].filter(({foreignSchema}) => foreignSchema === undefined);
    expect(all.map((tool) => JSON.stringify(inputSchema(tool)))).toEqual(all.map(({input}) => asZodSays(input)));
  });
  it('every advertised tool of the default toolset is ordinary, so that no start loads the conversion of Zod', async () => {
    const {tools} = await loadToolsetByName('fettle');
    expect(tools.filter(({input}) => plainSchema(input) === undefined).map(({name}) => name)).toEqual([]);
  });
  it.each([
    ['a pattern', z.string().check(z.regex(/a/))],
    ['a length', z.string().check(z.maxLength(3))],
    ['a bound that leaves its value out', z.number().check(z.positive())],
    ['two bounds of one side', z.number().check(z.minimum(1), z.minimum(2))],
    ['a multiple', z.number().check(z.multipleOf(2))],
    ['another whole number', z.int32()],
    ['a bounded list', z.array(z.string()).check(z.maxLength(3))],
    ['a union', z.union([z.string(), z.number()])],
    ['a choice of numbers', z.enum({a: 1, b: 2})],
    ['a title', z.string().check(z.meta({title: 'A title'}))],
    ['a part of a part', z.object({a: z.array(z.object({b: z.nullable(z.string())}))})],
    ['a strict object', z.strictObject({a: z.string()})],
    ['a default', z._default(z.string(), 'a')],
  ])('leaves %s to Zod', (_, schema) => {
    expect(plainSchema(schema)).toBeUndefined();
  });
  it('keeps descriptions, bounds, and what is required', () => {
    const schema = z.looseObject({
      a: z.optional(z.int().check(z.minimum(1), z.maximum(5), z.describe('a number'))),
      b: z.optional(z.array(z.enum(['x', 'y']))).check(z.describe('a list')),
      c: z.object({d: z.boolean(), e: z.unknown()}),
    });
    expect(JSON.stringify(plainSchema(schema))).toBe(
      '{"type":"object","properties":{"a":{"type":"integer","minimum":1,"maximum":5,"description":"a number"},' +
        '"b":{"type":"array","items":{"type":"string","enum":["x","y"]},"description":"a list"},' +
        '"c":{"type":"object","properties":{"d":{"type":"boolean"},"e":{}},"required":["d","e"]}},' +
        '"required":["c"],"additionalProperties":{}}',
    );
  });
});
