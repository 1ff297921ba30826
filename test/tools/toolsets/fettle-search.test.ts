import {describe, expect, it} from 'vitest';
import {scratch} from '../../support/scratch.ts';
import {openToolset} from '../support/open-toolset.ts';

describe('tool_search', () => {
  it('finds tools by words, with all that a call needs', async () => {
    const tools = await openToolset('fettle', await scratch());
    const text = await tools.text('tool_search', {query: 'rename a file'});
    expect(text.split('\n').slice(0, 2)).toEqual([
      'move_file: Move or rename a file.',
      '{"type":"object","properties":{"source":{"type":"string","description":"Source path"},"destination":{"type":"string","description":"Destination path"}},"required":["source","destination"]}',
    ]);
    expect(text.split('\n').at(-1)).toBe('Call them by name.');
  });
  it.each([
    ['apply several replacements at once', 'apply_patch'],
    ['run a server in the background', 'start_command'],
    ['select:command_session', 'command_session'],
    ['delete', 'delete_file'],
    ['copy', 'copy_file'],
    ['read many files', 'read_many_files'],
    ['make a directory', 'create_directory'],
    ['get the selection', 'get_selection'],
    ['SEARCH/REPLACE blocks', 'search_replace'],
    ['find the largest files', 'list_files'],
    ['run several calls in one batch', 'batch'],
  ])('%s: %s comes first', async (query, name) => {
    const tools = await openToolset('fettle', await scratch());
    expect((await tools.text('tool_search', {query})).split(':')[0]).toBe(name);
  });
  it('shows at most five, and where nothing fits the names of all', async () => {
    const tools = await openToolset('fettle', await scratch());
    const many = await tools.call('tool_search', {query: 'file'});
    expect(many.summary).toBe('5 tools');
    expect(await tools.text('tool_search', {query: 'zeppelin'})).toMatch(
      /^Nothing fits "zeppelin"\. There are: start_command, command_session, /,
    );
  });
  it('carries out a call for those that can call listed tools only: judged and named as the tool itself', async () => {
    const tools = await openToolset('fettle', await scratch({'a.txt': 'x'}));
    const result = await tools.call('tool_search', {name: 'copy_file', arguments: {source: 'a.txt', destination: 'b.txt'}});
    expect({name: result.toolName, sideEffect: result.sideEffect, text: result.text}).toEqual({
      name: 'copy_file',
      sideEffect: 'write',
      text: 'Copied a.txt to b.txt',
    });
    expect(await tools.text('tool_search', {name: 'copy_file'})).toMatch(/^copy_file: /);
  });
});
