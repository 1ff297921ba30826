import {describe, expect, it} from 'vitest';
import {readHooks, type Hook} from '../../../src/agent/hooks/read-hooks.ts';
import type {Json} from '../../../src/base/json.ts';

const read = (value: Json | undefined, from: Hook['from'] = 'user') => {
  const {hooks, problems, notices} = readHooks(value, from);
  return {hooks: hooks.map(({matcher, ...hook}) => ({...hook, fits: NAMES.filter(matcher)})), problems, notices};
};
const BAD_URL = '.url: must be an address of http or https, without a password in it';
const NAMES = ['Bash', 'BashOutput', 'Edit', 'bash', 'mcp__memory__get', ''];

describe('readHooks', () => {
  it('reads what people have for Claude Code: groups with a matcher and several commands, seconds (code.claude.com › hooks)', () => {
    const settings = {
      permissions: {allow: ['Bash(ls)']},
      hooks: {
        PreToolUse: [
          {matcher: 'Bash', hooks: [{type: 'command', command: 'a', timeout: 5}]},
          {
            matcher: 'Edit|mcp__.*',
            hooks: [
              {type: 'command', command: 'b'},
              {type: 'command', command: 'c'},
            ],
          },
          {matcher: '*', hooks: [{type: 'command', command: 'd'}]},
        ],
        Stop: [{hooks: [{type: 'command', command: 'e'}]}],
      },
    };
    const common = {from: 'project', foreign: true, timeoutMs: undefined};
    const pre = {...common, event: 'pre_tool_use'};
    expect(read(settings, 'project')).toEqual({
      hooks: [
        {...pre, command: 'a', timeoutMs: 5000, fits: ['Bash']},
        {...pre, command: 'b', fits: ['Edit', 'mcp__memory__get']},
        {...pre, command: 'c', fits: ['Edit', 'mcp__memory__get']},
        {...pre, command: 'd', fits: NAMES},
        {...common, event: 'stop', command: 'e', fits: NAMES},
      ],
      problems: [],
      notices: [],
    });
  });

  it('reads the short form, and events in either spelling', () => {
    const pre = {event: 'pre_tool_use', from: 'user', command: 'x'};
    expect(read({pre_tool_use: [{matcher: 'bash', command: 'x', timeout_s: 0.5}], PreToolUse: [{command: 'x'}]})).toEqual({
      hooks: [
        {...pre, foreign: false, timeoutMs: 500, fits: ['bash']},
        {...pre, foreign: true, timeoutMs: undefined, fits: NAMES},
      ],
      problems: [],
      notices: [],
    });
  });

  it('says what others run and Fettle does not', () => {
    const hooks = {
      PostToolBatch: [{hooks: [{type: 'command', command: 'x'}]}],
      PreToolUse: [
        {
          hooks: [
            {type: 'prompt', prompt: 'ok?'},
            {type: 'command', command: 'x', if: 'Bash(git *)', async: true},
          ],
        },
      ],
    };
    expect(read({hooks}).notices).toEqual([
      'PostToolBatch: not run: there is no such event here',
      'PreToolUse[0].hooks[0]: not run: hooks of type "prompt" are not understood here; nothing is guarded by it',
      'PreToolUse[0].hooks[1].if: not understood: the hook runs for everything that its matcher fits',
      'PreToolUse[0].hooks[1].async: not understood: the hook is waited for',
    ]);
  });

  it('reads a server that is a hook (code.claude.com › HTTP hooks)', () => {
    const server = {type: 'http', url: 'http://127.0.0.1:9/x', headers: {Authorization: 'Bearer $T'}, allowedEnvVars: ['T'], timeout: 2};
    expect(read({hooks: {Stop: [{hooks: [server]}]}})).toEqual({
      hooks: [
        {
          event: 'stop',
          command: 'http://127.0.0.1:9/x',
          http: {url: 'http://127.0.0.1:9/x', headers: {Authorization: 'Bearer $T'}, variables: ['T']},
          timeoutMs: 2000,
          foreign: true,
          from: 'user',
          fits: NAMES,
        },
      ],
      problems: [],
      notices: [],
    });
  });

  it.each([
    [undefined, 'the hooks must be a table: event → list'],
    [[], 'the hooks must be a table: event → list'],
    [{pre_tool_use: 'x'}, 'pre_tool_use: must be a list'],
    [{pre_tool_use: ['x']}, 'pre_tool_use[0]: must be a table with a command'],
    [{pre_tool_use: [{matcher: 'x'}]}, 'pre_tool_use[0].command: must be text'],
    [{pre_tool_use: [{matcher: '(', command: 'x'}]}, 'pre_tool_use[0].matcher: is neither a name nor a regular expression'],
    [{pre_tool_use: [{matcher: 7, command: 'x'}]}, 'pre_tool_use[0].matcher: is neither a name nor a regular expression'],
    [{pre_tool_use: [{command: 'x', timeout: 0}]}, 'pre_tool_use[0].timeout: must be a number of seconds, above 0 and at most 86400'],
    [{stop: [{type: 'http'}]}, `stop[0]${BAD_URL}`],
    [{stop: [{type: 'http', url: 'file:///etc/passwd'}]}, `stop[0]${BAD_URL}`],
    [{stop: [{type: 'http', url: 'http://u:p@127.0.0.1/'}]}, `stop[0]${BAD_URL}`],
    [{stop: [{type: 'http', url: 'http://127.0.0.1/', headers: {a: 'b\r\nc: d'}}]}, 'stop[0].headers: must be a table of texts'],
    [{stop: [{type: 'http', url: 'http://127.0.0.1/', allowedEnvVars: 'HOME'}]}, 'stop[0].allowedEnvVars: must be a list of names'],
    [{PreToolUse: [{hooks: 'x'}]}, 'PreToolUse[0].hooks: must be a list'],
    [{PreToolUse: [{hooks: ['x']}]}, 'PreToolUse[0].hooks[0]: must be a table with a command'],
  ])('a mistake is a problem, never a guard that is left out: %j', (value, problem) => {
    expect(read(value as Json | undefined)).toEqual({hooks: [], problems: [problem], notices: []});
  });
});
