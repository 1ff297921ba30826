import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {toFettleError} from '../../../src/base/errors.ts';
import {readLenientJson} from '../../../src/tools/arguments/lenient-json.ts';

describe('arguments as JSON text', () => {
  it('correct JSON is read as it is, nothing is reported', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const text = JSON.stringify(value);
        expect(readLenientJson(text)).toEqual({value: JSON.parse(text), repairs: []});
      }),
    );
  });

  it.each([
    ['stray leading {} (zblade tool calls › argument parsing)', '{}{"path":"a"}', {path: 'a'}, ['stray {} removed']],
    ['stray leading {} with a blank', '{} {"path":"a"}', {path: 'a'}, ['stray {} removed']],
    ['null is an empty object (zblade tool calls › argument parsing)', 'null', {}, ['null read as {}']],
    ['nothing at all', '', {}, []],
    ['only blanks', ' \n', {}, []],
    ['JSON inside a string', '"{\\"path\\":\\"a\\"}"', {path: 'a'}, ['JSON inside a string']],
    ['a code fence', '```json\n{"path":"a"}\n```', {path: 'a'}, ['code fence removed']],
    ['a trailing comma', '{"path":"a","list":[1,2,],}', {path: 'a', list: [1, 2]}, ['trailing comma']],
    ['a raw line break in a string', '{"content":"a\nb\tc"}', {content: 'a\nb\tc'}, ['raw control characters in a string']],
    ['Python literals', '{"all":True,"x":None}', {all: true, x: null}, ['True is not JSON', 'None is not JSON']],
    [
      'several at once',
      '```\n{} {"a":"x\ny",}\n```',
      {a: 'x\ny'},
      ['code fence removed', 'stray {} removed', 'raw control characters in a string', 'trailing comma'],
    ],
  ])('mends %s', (_, text, value, repairs) => {
    expect(readLenientJson(text)).toEqual({value, repairs});
  });

  it.each([
    ['{"path":"src/ma', 'they end at character 15, inside the string that begins at character 9.'],
    ['{"path":"a"', 'they end at character 11.'],
    ['{"path":', 'they end at character 8.'],
    ['{path:"a"}', 'a quoted name is expected at character 2.'],
    ['{"path" "a"}', '":" is expected at character 9.'],
    ['{"path":"a" "b"}', '"," or "}" is expected at character 13.'],
    ['{"path":"a"} and more', 'more text after its end at character 14.'],
    ['read the file', 'unexpected "r" at character 1.'],
    ['{"pattern":"\\d"}', 'a wrong escape in the string at character 12.'],
    ['```json\n{"a":}\n```', 'unexpected "}" at character 14.'],
  ])('names the position of what it cannot read: %s', (text, message) => {
    expect(failure(text)).toEqual({code: 'BAD_ARGS', message: `The arguments are not JSON: ${message}`});
  });

  it('never guesses what was cut off: a beginning of JSON is not JSON', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue(), {minKeys: 1}), fc.nat(), (value, at) => {
        const text = JSON.stringify(value);
        const part = text.slice(0, 1 + (at % (text.length - 1)));
        expect(failure(part)?.code).toBe('BAD_ARGS');
      }),
    );
  });

  it('reads what a model may do to JSON as the same value, and any text without a crash', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue(), {minKeys: 1}), (value) => {
        const text = JSON.stringify(value);
        for (const spoiled of [`{}${text}`, `{} ${text}`, JSON.stringify(text), `\`\`\`json\n${text}\n\`\`\``, text.replace(/\}$/, ',}')]) {
          expect(readLenientJson(spoiled).value).toEqual(JSON.parse(text));
        }
      }),
    );
    fc.assert(fc.property(fc.string({unit: 'binary'}), (text) => void failure(text)));
    expect(failure('['.repeat(100_000))?.code).toBe('BAD_ARGS');
    expect(failure(`{"a":${'['.repeat(100_000)}`)?.code).toBe('BAD_ARGS');
  });
});

function failure(text: string): {code: string; message: string} | undefined {
  try {
    readLenientJson(text);
    return undefined;
  } catch (error) {
    const {code, message} = toFettleError(error);
    return {code, message};
  }
}
