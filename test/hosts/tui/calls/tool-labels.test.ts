import {describe, expect, it} from 'vitest';
import {TOOL_KINDS} from '../../../../src/hosts/tui/calls/tool-kinds.ts';
import {toolWords} from '../../../../src/hosts/tui/calls/tool-labels.ts';
import {TOOLSET_NAMES, loadToolsetByName} from '../../../../src/tools/toolsets/load-toolset.ts';

const ROOT = '/home/me/app';
const summary = (tool: string, input: unknown) => {
  const {verb, subject} = toolWords({tool, arguments: typeof input === 'string' ? input : JSON.stringify(input)}, ROOT);
  return `${verb} ${subject}`.trim();
};

describe('toolWords', () => {
  it('knows every tool of every toolset', async () => {
    const toolsets = await Promise.all(TOOLSET_NAMES.map(loadToolsetByName));
    const tools = await Promise.all(toolsets.map(async ({tools: own, deferred}) => [...own, ...((await deferred?.()) ?? [])]));
    expect(tools.flat().flatMap(({name}) => (TOOL_KINDS.has(name) ? [] : [name]))).toEqual([]);
  });

  const cases: readonly (readonly [tool: string, input: unknown, summary: string])[] = [
    ['read', {path: '/home/me/app/src/a.ts'}, 'Read src/a.ts'],
    ['read', {path: 'a.ts', offset: 10, limit: 5}, 'Read a.ts:10-14'],
    ['read_file_range', {path: 'a.ts', start_line: 3, end_line: 9}, 'Read a.ts:3-9'],
    ['read_many_files', {paths: ['a', 'b', 'c', 'd']}, 'Read a, b and 2 more'],
    ['ls', {}, 'List .'],
    ['list_files', {path: '/home/me/app'}, 'List .'],
    ['grep', {pattern: 'TODO', path: '/home/me/app/src', glob: '*.ts'}, 'Search TODO in src (*.ts)'],
    ['codebase_search', {query: 'login', file_pattern: '*.py'}, 'Search login (*.py)'],
    ['glob', {pattern: '**/*.md'}, 'Find **/*.md'],
    ['bash', {command: 'cd /home/me/app && npm test'}, 'Run npm test'],
    ['bash', {command: 'cat <<X\none\nX'}, 'Run cat <<X … +2 lines'],
    ['run_command', {program: 'git', args: ['log', '-1']}, 'Run git log -1'],
    ['exec_session', {action: 'write', session_id: 's1', input: 'y\n'}, String.raw`Type into s1: "y\n"`],
    ['command_session', {session: 's1'}, 'Watch s1'],
    ['search_replace', {file_path: 'a.py', content: ''}, 'Edit a.py'],
    ['apply_patch', {patch: '*** Begin Patch\n*** Update File: a.ts\n*** Add File: b.ts\n+x\n*** End Patch'}, 'Edit a.ts, b.ts'],
    ['move_file', {source: '/home/me/app/a', destination: '/home/me/app/b'}, 'Move a → b'],
    ['symbols', {action: 'outline', path: 'a.ts'}, 'Outline a.ts'],
    ['edit_symbol', {action: 'rename', symbol: 'a', new_name: 'b'}, 'Rename a → b'],
    ['ask_user', {questions: [{question: 'Which one?'}]}, 'Ask Which one?'],
    ['task', {task: 'look around', agent: 'explore'}, 'Delegate explore: look around'],
    ['wait_agent', {targets: ['a1', 'a2']}, 'Wait for a1, a2'],
    ['todo', {todos: []}, 'Tasks'],
    [
      'batch',
      {
        calls: [
          {tool: 'read', arguments: {path: 'a'}},
          {name: 'grep', args: {pattern: 'x'}},
        ],
      },
      'Batch read a · search x',
    ],
    ['tool_search', {query: 'web'}, 'Find tools web'],
    ['tool_search', {name: 'web_fetch', arguments: {url: 'https://a.b'}}, 'Fetch https://a.b'],
    ['mcp__tracker__create_issue', {title: 'It fails', body: 'x'}, 'Create issue (tracker) It fails'],
    ['mcp__tracker__list', {}, 'List (tracker)'],
    ['my_tool', {command: 'x'}, 'My tool x'],
  ];
  it.each(cases)('tells %s %j', (tool, input, expected) => expect(summary(tool, input)).toBe(expected));

  const odd: readonly (readonly [tool: string, input: string, summary: string])[] = [
    ['bash', '', 'Run'],
    ['bash', '{"command": "rm', 'Run'],
    ['read', '[1]', 'Read'],
    ['read', '{"path": {"a": 1}}', 'Read'],
    ['batch', '{"calls": [1, {"tool": ""}, null]}', 'Batch'],
    ['bash', JSON.stringify({command: 'echo \u001b[2J\u001b]0;x\u0007\u202eabc'}), String.raw`Run echo \u202eabc`],
    ['x\u001b[2Jy\nz', '{}', 'Xy z'],
  ];
  it.each(odd)('survives %s %s', (tool, input, expected) => expect(summary(tool, input)).toBe(expected));

  it('bounds calls within calls', () => {
    let input: unknown = {path: 'a'};
    for (let depth = 0; depth < 50; depth++) input = {calls: [{tool: 'batch', arguments: input}]};
    expect(summary('batch', input).length).toBeLessThan(100);
  });
});
