import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {toFettleError} from '../../src/base/errors.ts';
import {parseArguments} from '../../src/tools/arguments.ts';
import {ownTool, resolveTool} from '../../src/tools/resolve-tool.ts';
import type {Tool, Toolset} from '../../src/tools/toolset.ts';
import {fettle} from '../../src/tools/toolsets/fettle.ts';
import {microcode} from '../../src/tools/toolsets/microcode.ts';

const edit = tool(fettle, 'edit');
const read = tool(fettle, 'read');
const grep = tool(fettle, 'grep');

describe('arguments of a tool', () => {
  it('understands the spellings of other agents, and reports them as repairs', () => {
    const text = JSON.stringify({filePath: 'a.ts', old_str: 'x', 'new-str': 'y', replaceAll: 'true'});
    expect(parseArguments(edit, text)).toEqual({
      input: {path: 'a.ts', old_string: 'x', new_string: 'y', replace_all: true},
      repairs: [
        'filePath read as path',
        'old_str read as old_string',
        'new-str read as new_string',
        'replaceAll read as replace_all',
        'replace_all read as boolean',
      ],
      warnings: [],
    });
    expect(parseArguments(tool(fettle, 'bash'), '{"cmd":"ls"}').input).toEqual({command: 'ls'});
    expect(parseArguments(tool(microcode, 'grep'), '{"query":"x","dir":"src"}').input).toEqual({pattern: 'x', path: 'src'});
    expect(parseArguments(grep, '{"pattern":"x","-i":true,"-C":3}').input).toEqual({pattern: 'x', ignore_case: true, context: 3});
  });

  it('coerces declared types, drops null, keeps what has no reading', () => {
    expect(parseArguments(read, '{"path":"a","offset":"5","limit":null}')).toEqual({
      input: {path: 'a', offset: 5},
      repairs: ['offset read as integer'],
      warnings: [],
    });
    expect(parseArguments(edit, '{"path":"a","old_string":5,"new_string":true}').input).toEqual({
      path: 'a',
      old_string: '5',
      new_string: 'true',
    });
  });

  it('drops unknown parameters and tells the model', () => {
    expect(parseArguments(read, '{"path":"a","encoding":"utf-8","__proto__":{"x":1}}')).toEqual({
      input: {path: 'a'},
      repairs: [],
      warnings: [
        'unknown parameter "encoding" was ignored (known: path, offset, limit)',
        'unknown parameter "__proto__" was ignored (known: path, offset, limit)',
      ],
    });
  });

  it('a parameter under its own name wins; another value beside it is told', () => {
    expect(parseArguments(read, '{"file_path":"b","path":"a","file":"a"}')).toEqual({
      input: {path: 'a'},
      repairs: [],
      warnings: ['"file_path" was ignored: "path" is given too, with another value'],
    });
  });

  it('lists every field that is missing or wrong, with what is expected', () => {
    expect(failure(() => parseArguments(edit, '{"path":["a"],"replace_all":"maybe","old_string":"x"}'))).toMatchInlineSnapshot(`
      {
        "code": "BAD_ARGS",
        "hint": "Parameters: path: string, old_string: string, new_string: string, replace_all?: boolean.",
        "message": "The arguments of edit do not fit: path must be string, not ["a"]; new_string is missing (string); replace_all must be boolean, not "maybe".",
      }
    `);
    expect(failure(() => parseArguments(read, '{"path":"a","limit":0}'))?.message).toBe(
      'The arguments of read do not fit: limit must be integer ≥ 1, not 0.',
    );
    expect(failure(() => parseArguments(read, '["a"]'))?.message).toBe('The arguments of read must be a JSON object.');
  });

  it('whatever comes in, the input fits the schema or BAD_ARGS is thrown', () => {
    const names = fc.constantFrom('path', 'file_path', 'offset', 'limit', 'constructor', '__proto__', 'toString');
    fc.assert(
      fc.property(fc.array(fc.tuple(names, fc.jsonValue())), (entries) => {
        const text = `{${entries.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join(',')}}`;
        const failed = failure(() => {
          const {input} = parseArguments(read, text);
          expect(read.input.safeParse(input).success).toBe(true);
          expect(Object.keys(input as object).every((key) => ['path', 'offset', 'limit'].includes(key))).toBe(true);
        });
        expect(failed?.code ?? 'BAD_ARGS').toBe('BAD_ARGS');
      }),
    );
  });
});

describe('names of tools', () => {
  it.each([
    ['read', 'read'],
    ['Read', 'read'],
    ['read_file', 'read'],
    ['readFile', 'read'],
    ['functions.bash', 'bash'],
    ['run_terminal_cmd', 'bash'],
    ['str_replace', 'edit'],
    ['list_dir', 'ls'],
    ['grep_search', 'grep'],
    ['find_files', 'glob'],
    ['create_file', 'write'],
  ])('%s is %s', (asked, meant) => {
    expect(ownTool(fettle, asked)?.name).toBe(meant);
    expect(ownTool(microcode, asked)?.name).toBe(meant);
  });

  it('an unknown name gets the nearest and all that there are', async () => {
    expect(await resolveTool(fettle, 'reda').catch(details)).toEqual({
      code: 'BAD_ARGS',
      message: 'There is no tool "reda".',
      hint: expect.stringMatching(/^Did you mean read\? Tools: read, /),
    });
    expect(await resolveTool(fettle, 'send_an_email').catch(details)).toHaveProperty('hint', expect.stringMatching(/^Tools: read, /));
    expect(await resolveTool(fettle, 'constructor').catch(details)).toHaveProperty('code', 'BAD_ARGS');
  });
});

function tool(toolset: Toolset, name: string): Tool {
  const found = ownTool(toolset, name);
  if (found === undefined) throw new Error(name);
  return found;
}

function details(error: unknown): {code: string; message: string; hint: string | undefined} {
  const {code, message, hint} = toFettleError(error);
  return {code, message, hint};
}

function failure(run: () => unknown): {code: string; message: string; hint: string | undefined} | undefined {
  try {
    run();
    return undefined;
  } catch (error) {
    return details(error);
  }
}
