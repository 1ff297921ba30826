import {describe, expect, it} from 'vitest';
import {toFettleError} from '../../../src/base/errors.ts';
import {keepParsable} from '../../../src/text/data/data-file.ts';

const keep = async (path: string, before: string, after: string, reformat = false) => {
  try {
    return await keepParsable({path, before, after, reformat});
  } catch (error) {
    const {code, message} = toFettleError(error);
    return {code, message};
  }
};

describe('vibe tool system › Search Replace Tool: "YAML/JSON support with reformatting"', () => {
  it.each([
    ['a.json', '{"a": 1}', '{\n  "a": 1,\n  "b" 2\n}', 'colon expected in line 3, column 7'],
    ['a.json', '{"a": 1}', '{"a": 1}}', 'end of file expected in line 1, column 9'],
    ['a.json', '{"a": 1}', '{"a": 1,}', 'property name expected in line 1, column 9'],
    ['a.json', '{"a": 1}', '{"a": 1} // no', 'invalid comment token in line 1, column 10'],
    ['a.json', '{"a": 1}', '', 'value expected in line 1, column 1'],
    ['a.yaml', 'a: 1\n', 'a: [1\nb: 2\n', 'in line 2, column 1'],
    ['a.yml', 'a: 1\n', 'a: 1\n b: 2\n', 'in line'],
    ['a.yml', 'a: 1\n', 'a: 1\na: 2\n', 'Map keys must be unique in line 2, column 1'],
  ])('%s: %j → %j is refused with the place', async (path, before, after, place) => {
    expect(await keep(path, before, after)).toEqual({
      code: 'BAD_ARGS',
      message: expect.stringMatching(
        new RegExp(`^After this edit ${path} could no longer be parsed: .*${place}.*\\. Nothing was changed\\.$`),
      ),
    });
  });

  it.each([
    ['other files', 'a.txt', '{}', '{'],
    ['what was broken already', 'a.json', '{', '{"a"'],
    ['what was empty', 'a.json', '', '{'],
    ['comments where there were some', 'a.json', '{} // x', '{"a": 1} // x'],
    ['comments in files of which that is known', 'tsconfig.json', '{}', '{} // x\n'],
    ['trailing commas there', '.vscode/settings.json', '{}', '{"a": 1,}'],
    ['templates of YAML, which are not YAML', 'a.yaml', '{{- if .x }}\na: 1\n', '{{- if .y }}\na: 1\n'],
    ['several documents', 'a.yaml', 'a: 1\n', 'a: 1\n---\nb: 2\n'],
  ])('passes through: %s', async (_, path, before, after) => {
    expect(await keep(path, before, after)).toEqual({text: after, warnings: []});
  });

  it.each([
    ['two spaces', 'a.json', '{\n  "a": 1\n}\n', '{\n"a": 1.50, "b": [1,\n2] }\n', '{\n  "a": 1.50,\n  "b": [\n    1,\n    2\n  ]\n}\n'],
    ['tabs and CRLF', 'a.json', '{\r\n\t"a": 1\r\n}', '{\r\n"a": 1}', '{\r\n\t"a": 1\r\n}'],
    [
      'comments stay',
      'a.jsonc',
      '{\n    // one\n    "a": 1\n}\n',
      '{\n// one\n"a": 1, /* two */ "b": 2\n}\n',
      '{\n    // one\n    "a": 1, /* two */\n    "b": 2\n}\n',
    ],
    [
      'short lists stay in one line where the file has such',
      'a.json',
      '{\n  "a": [1, 2]\n}',
      '{\n  "a": [1, 2],\n      "b": [3]\n}',
      '{\n  "a": [1, 2],\n  "b": [3]\n}',
    ],
    [
      'members of a line get their own, beside short lists',
      'a.json',
      '{\n  "a": [1, 2],\n  "b": {}\n}\n',
      '{\n  "a": [1, 2],\n"b":    {}, "c":1,   "d": [3, 4]\n}\n',
      '{\n  "a": [1, 2],\n  "b": {},\n  "c": 1,\n  "d": [3, 4]\n}\n',
    ],
    [
      'lists of several lines beside short ones',
      'a.json',
      '{\n\t"a": {"x": 1}\n}\n',
      '{"a": {"x": 1}, "b": [1,\n2, {"y": 2}]}\n',
      '{\n\t"a": {"x": 1},\n\t"b": [\n\t\t1,\n\t\t2,\n\t\t{"y": 2}\n\t]\n}\n',
    ],
    ['a file that was empty', 'a.json', '', '{"a":1}', '{\n  "a": 1\n}'],
    ['one line stays one line', 'a.json', '{"a":1}', '{"a":1,"b":2}', '{"a":1,"b":2}'],
    ['YAML', 'a.yaml', 'a:\n    b: 1\n', '# top\na:\n  b: 1 # one\n  c: "x"\n', '# top\na:\n    b: 1 # one\n    c: "x"\n'],
    ['YAML lists as the file has them', 'a.yaml', 'a:\n- 1\n', 'a:\n  - 1\n  - 2\n', 'a:\n- 1\n- 2\n'],
    ['YAML with CRLF', 'a.yaml', 'a:\r\n  - 1\r\n', 'a:\r\n- 1\r\n- 2\r\n', 'a:\r\n  - 1\r\n  - 2\r\n'],
    ['YAML documents', 'a.yaml', 'a: 1\n', 'a:   1\n---\nb:   2\n', 'a: 1\n---\nb: 2\n'],
  ])('reformats in the style of the file: %s', async (_, path, before, after, text) => {
    expect(await keep(path, before, after, true)).toEqual({text, warnings: []});
  });

  it('says what is not reformatted', async () => {
    expect(await keep('a.txt', 'a', 'b', true)).toEqual({text: 'b', warnings: ['Not reformatted: only JSON and YAML files are.']});
    expect(await keep('a.json', '{', '{"a"', true)).toEqual({text: '{"a"', warnings: [expect.stringContaining('cannot be parsed')]});
  });
});
