import {describe, expect, it} from 'vitest';
import {judgeBySchema} from '../../src/agent/answer-schema.ts';

const schema = {type: 'object', properties: {ok: {type: 'boolean'}, why: {type: 'string'}}, required: ['ok'], additionalProperties: false};

describe('judgeBySchema', () => {
  const judge = judgeBySchema(schema);

  it.each([['{"ok":true}'], [' {"ok": false, "why": "x"} ']])('accepts %s', (answer) => {
    expect(judge(answer)).toBeUndefined();
  });

  it('asks for JSON alone', () => {
    expect(judge('Sure! {"ok":true}')).toBe(
      'The final answer must be one JSON value and nothing else: no prose, no code fence. Answer again.',
    );
  });

  it('names what does not fit', () => {
    expect(judge('{"ok":"yes"}')).toMatch(/^The final answer does not fit the required JSON Schema\. Answer again\. ok: /);
  });

  it('refuses a schema that it does not understand', () => {
    expect(() => judgeBySchema({type: 'wrong'})).toThrow(/^The output schema is not understood/);
  });
});
