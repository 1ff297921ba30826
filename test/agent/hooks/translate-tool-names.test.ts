import {describe, expect, it} from 'vitest';
import {readMatcher} from '../../../src/agent/hooks/matcher.ts';
import {translatedFor} from '../../../src/agent/hooks/translate-tool-names.ts';
import {hookCall} from '../../../src/tools/dispatch/admit-call.ts';
import {admitCall} from '../../../src/tools/dispatch/admit-call.ts';
import {loadToolsetByName} from '../../../src/tools/toolsets/load-toolset.ts';

async function spelled(matcher: string, foreign: boolean, [name, input]: [string, object], toolset = 'fettle'): Promise<unknown> {
  const admitted = await admitCall(await loadToolsetByName(toolset), {id: 'c', name, arguments: JSON.stringify(input)});
  if (!admitted.ok) throw admitted.error;
  return translatedFor({matcher: readMatcher(matcher) ?? (() => false), foreign}, hookCall(admitted));
}

const EDIT: [string, object] = ['edit', {path: 'a.ts', old_string: 'a', new_string: 'b'}];
const OURS = {tool_name: 'edit', tool_input: {path: 'a.ts', old_string: 'a', new_string: 'b'}};
const THEIRS = {tool_name: 'Edit', tool_input: {file_path: 'a.ts', old_string: 'a', new_string: 'b'}};

describe('spelledFor: a hook is told of a call in the names that it expects', () => {
  it.each([
    ['Edit|Write', true, THEIRS],
    ['Edit|Write', false, THEIRS],
    ['edit', true, OURS],
    ['edit', false, OURS],
    ['', true, THEIRS],
    ['', false, OURS],
    ['.*', true, THEIRS],
    ['Write', true, undefined],
    ['Ed', true, undefined],
    ['MultiEdit', true, {...THEIRS, tool_name: 'MultiEdit'}],
  ])('matcher %j, written as PreToolUse: %s', async (matcher, foreign, expected) => {
    expect(await spelled(matcher, foreign, EDIT)).toEqual(expected);
  });

  it.each([
    ['Bash', ['bash', {command: 'ls', timeout_ms: 5}], {command: 'ls', timeout: 5}],
    ['Read', ['read', {path: 'a', offset: 3}], {file_path: 'a', offset: 3}],
    ['Write', ['write', {path: 'a', content: 'x'}], {file_path: 'a', content: 'x'}],
    ['Grep', ['grep', {pattern: 'x', path: 'src'}], {pattern: 'x', path: 'src'}],
    ['Glob', ['glob', {pattern: '*'}], {pattern: '*'}],
  ] as [string, [string, object], object][])('%s', async (name, call, input) => {
    expect(await spelled(name, true, call)).toEqual({tool_name: name, tool_input: input});
  });

  it.each([
    ['vibe', ['read_file', {path: 'a'}], 'Read', 'file_path'],
    ['blade', ['write_file', {path: 'a', content: 'x'}], 'Write', 'file_path'],
    ['microcode', ['bash', {command: 'ls'}], 'Bash', 'command'],
  ] as [string, [string, object], string, string][])('in the toolset %s, by what the tool does', async (toolset, call, name, key) => {
    const found = (await spelled(name, true, call, toolset)) as {tool_name: string; tool_input: object};
    expect([found.tool_name, Object.keys(found.tool_input).includes(key)]).toEqual([name, true]);
  });
});
