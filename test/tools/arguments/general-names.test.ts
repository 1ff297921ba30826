import {describe, expect, it} from 'vitest';
import * as z from 'zod/mini';
import type {JsonObject} from '../../../src/base/json.ts';
import {parseArguments} from '../../../src/tools/arguments/parse-arguments.ts';
import {generalNames} from '../../../src/tools/arguments/general-names.ts';
import type {Tool} from '../../../src/tools/toolset.ts';

describe('parameters of custom and MCP tools by their usual other names (issue 14 › 6; design › promise 8)', () => {
  it.each<[properties: string[], received: JsonObject, expected: JsonObject]>([
    [['path'], {file_path: 'a'}, {path: 'a'}],
    [['path'], {filename: 'a', n: 1}, {path: 'a', n: 1}],
    [['file_path'], {filePath: 'a'}, {file_path: 'a'}],
    [['filePath'], {file: 'a'}, {filePath: 'a'}],
    [['directory'], {path: 'a'}, {directory: 'a'}],
    [['command', 'cwd'], {cmd: 'ls', workdir: 'x'}, {command: 'ls', cwd: 'x'}],
    [['query'], {pattern: 'x'}, {query: 'x'}],
    [['pattern', 'path'], {query: 'x', dir: 'src'}, {pattern: 'x', path: 'src'}],
    [['uri'], {url: 'x'}, {uri: 'x'}],
    [['old_string', 'new_string'], {old_str: 'a', newText: 'b'}, {old_string: 'a', new_string: 'b'}],
    // The schema has the key, or two that may be meant, or the one that is meant is given, or two are given for it.
    [['file', 'path'], {file: 'a'}, {file: 'a'}],
    [['query', 'regex'], {pattern: 'x'}, {pattern: 'x'}],
    [['path', 'filename'], {file_path: 'a'}, {file_path: 'a'}],
    [['path'], {path: 'a', file: 'b'}, {path: 'a', file: 'b'}],
    [['path'], {file: 'a', filename: 'b'}, {file: 'a', filename: 'b'}],
    [['a_b', 'aB'], {ab: 1}, {ab: 1}],
    [['title'], {path: 'a'}, {path: 'a'}],
    [[], {file: 'a'}, {file: 'a'}],
  ])('%j: %j → %j', (properties, received, expected) => {
    expect(generalNames(properties, received).fields).toEqual(expected);
  });

  const tool = (over: Partial<Tool>): Tool => ({
    name: 't',
    description: '',
    input: z.looseObject({}),
    aliases: {},
    sideEffect: 'read',
    permission: 'mcp',
    prepare: () => ({
      args: {},
      resolve: async () => ({
        subjects: [],
        run: async function* () {
          return yield* [];
        } as never,
      }),
    }),
    ...over,
  });
  it('a tool of a server: renamed, then coerced', () => {
    const foreignSchema = {type: 'object', properties: {path: {type: 'string'}, limit: {type: 'integer'}}};
    expect(parseArguments(tool({foreignSchema}), '{"file_path":"a","max_results":"5"}')).toEqual({
      input: {path: 'a', limit: 5},
      repairs: ['file_path read as path', 'max_results read as limit', 'limit read as number'],
      warnings: [],
    });
  });
  it('a tool of a user', () => {
    expect(parseArguments(tool({input: z.object({command: z.string()})}), '{"cmd":"ls"}')).toEqual({
      input: {command: 'ls'},
      repairs: ['cmd read as command'],
      warnings: [],
    });
  });
});
