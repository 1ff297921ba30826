import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import * as z from 'zod/mini';
import {toFettleError} from '../../../src/base/errors.ts';
import {parseArguments} from '../../../src/tools/arguments/parse-arguments.ts';
import {ownTool, resolveTool} from '../../../src/tools/dispatch/resolve-tool.ts';
import type {Tool, Toolset} from '../../../src/tools/toolset.ts';
import {fettle} from '../../../src/tools/toolsets/fettle/fettle.ts';
import {blade as bladeTools} from '../../../src/tools/toolsets/blade/blade.ts';
import {microcode} from '../../../src/tools/toolsets/microcode.ts';
import {vibe} from '../../../src/tools/toolsets/vibe.ts';

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

  it('coerces what has one reading only: one thing for a list of it, 1 and 0, numbers beyond all others (zblade tool calls: aliases, caps)', () => {
    const blade = (name: string, args: object) => parseArguments(tool(bladeTools, name), JSON.stringify(args)).input;
    expect(blade('read_many_files', {path: 'src/[id].ts'})).toEqual({paths: ['src/[id].ts']});
    expect(blade('read_many_files', {paths: '[id].ts', exclude: '["x"]'})).toEqual({paths: ['[id].ts'], exclude: ['x']});
    expect(blade('batch', {calls: {Tool: 'rg', args: {query: 'x'}}, fail_fast: 1, ordered: 0})).toEqual({
      calls: [{tool: 'rg', arguments: {query: 'x'}}],
      fail_fast: true,
      ordered: false,
    });
    expect(blade('run_command', {program: 'echo', args: [1, true]})).toEqual({program: 'echo', args: ['1', 'true']});
    expect(blade('symbol_search', {query: 'x', limit: 1e300})).toEqual({query: 'x', limit: Number.MAX_SAFE_INTEGER});
  });

  it('the objects of a list have the same spellings and types as everything else', () => {
    const received = {
      TargetFile: 'a.txt',
      ReplacementChunks: [
        {TargetContent: 'x', ReplacementContent: 'y', StartLine: '4'},
        {from: 'a', to: 'b', old_text: 'A', allowMultiple: 'true'},
      ],
    };
    expect(parseArguments(tool(bladeTools, 'apply_patch'), JSON.stringify(received)).input).toEqual({
      path: 'a.txt',
      patches: [
        {old_text: 'x', new_text: 'y', start_line: 4},
        {old_text: 'A', new_text: 'b'},
      ],
    });
  });

  it('an empty text where a search may start says nothing; where a path is needed it is wrong', () => {
    expect(parseArguments(grep, '{"pattern":"x","path":"","glob":""}')).toEqual({input: {pattern: 'x'}, repairs: [], warnings: []});
    expect(parseArguments(read, '{"path":""}').input).toEqual({path: ''});
  });

  it('names the field of an item that is wrong, and the limit of a text', () => {
    const message = (name: string, args: object) => failure(() => parseArguments(tool(bladeTools, name), JSON.stringify(args)))?.message;
    expect(message('apply_patch', {path: 'a', patches: [{old_text: 'x'}, {old_text: ['y'], new_text: ''}]})).toBe(
      'The arguments of apply_patch do not fit: patches[0].new_text is missing (string); patches[1].old_text must be string, not ["y"].',
    );
    expect(message('batch', {calls: []})).toBe('The arguments of batch do not fit: calls must be array of 1 or more, not [].');
    const long = failure(() => parseArguments(tool(vibe, 'write_file'), JSON.stringify({path: 'a', content: 'x'.repeat(64_001)})))?.message;
    expect(long).toMatch(/content must be string, at most 64000 bytes, not "x{39}…\.$/);
  });

  it.each<[z.ZodMiniType, string]>([
    [z.int().check(z.minimum(5), z.maximum(200)), 'integer from 5 to 200'],
    [z.number().check(z.maximum(9)), 'number ≤ 9'],
    [z.number().check(z.gt(0), z.lt(1)), 'number > 0 and < 1'],
    [z.array(z.string()).check(z.maxLength(4)), 'array of at most 4'],
    [z.array(z.string()).check(z.minLength(1), z.maxLength(4)), 'array of 1 to 4'],
    [z.string().check(z.maxLength(12)), 'string of at most 12 characters'],
    [z.string().check(z.minLength(3), z.maxLength(12)), 'string of 3 to 12 characters'],
  ])('names upper bounds, too: %#', (schema, expected) => {
    const bounded = {...read, input: z.object({n: schema})};
    expect(failure(() => parseArguments(bounded, '{}'))?.message).toBe(`The arguments of read do not fit: n is missing (${expected}).`);
  });

  it('what a model says about its call is not a parameter, and no mistake', () => {
    expect(parseArguments(read, '{"path":"a","explanation":"to see it"}')).toEqual({
      input: {path: 'a'},
      repairs: ['explanation only describes the call'],
      warnings: [],
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
      warnings: ['"file_path" was ignored: "path" is set too, with another value'],
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
