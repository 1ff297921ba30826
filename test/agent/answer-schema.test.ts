import {describe, expect, it} from 'vitest';
import {judgeBySchema} from '../../src/agent/answer-schema.ts';
import type {Json} from '../../src/base/json.ts';

const schema = {type: 'object', properties: {ok: {type: 'boolean'}, why: {type: 'string'}}, required: ['ok'], additionalProperties: false};

describe('judgeBySchema', () => {
  const judged = async (answer: string, by: Json = schema) => (await judgeBySchema(by))(answer);

  it.each([['{"ok":true}'], [' {"ok": false, "why": "x"} ']])('accepts %s', async (answer) => {
    expect(await judged(answer)).toBeUndefined();
  });

  it('asks for JSON alone', async () => {
    expect(await judged('Sure! {"ok":true}')).toBe(
      'The final answer must be one JSON value and nothing else: no prose, no code fence. Answer again.',
    );
  });

  it('names what does not fit', async () => {
    expect(await judged('{"ok":"yes"}')).toBe(
      'The final answer does not fit the required JSON Schema. Answer again. ok: must be boolean, not "yes"',
    );
  });

  it('sends an answer back that is too much work to compare', async () => {
    expect(await judged('1', {$ref: '#'})).toBe(
      'The final answer does not fit the required JSON Schema. Answer again. The value or its schema is nested too deep to be compared.',
    );
  });

  it.each<[Json, string]>([
    [{type: 'wrong'}, 'It is not a JSON Schema: at "/type": it must be a type.'],
    [{pattern: '(?=a)b'}, 'the pattern "(?=a)b" needs look-around or back-references, or is too large.'],
    [{$ref: 'https://h.example/x'}, 'It is not a JSON Schema: at its root: $ref "https://h.example/x" leads nowhere in it.'],
  ])('refuses a schema that it does not understand: %j', async (wrong, why) => {
    await expect(judgeBySchema(wrong)).rejects.toMatchObject({code: 'USAGE', message: `The output schema is not understood: ${why}`});
  });
});
