import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {isReadOnly} from '../../../src/protocol/side-effect.ts';
import {restrictToolset} from '../../../src/tools/toolsets/restrict-toolset.ts';
import {selectTools} from '../../../src/tools/toolsets/select-tools.ts';
import {TOOLSET_NAMES, loadToolsetByName} from '../../../src/tools/toolsets/load-toolset.ts';
import {scratch} from '../../support/scratch.ts';
import {openToolset} from '../support/open-toolset.ts';

const BLOCK = '<<<<<<< SEARCH\ntwo\n=======\n2\n>>>>>>> REPLACE';
const FILES = {'a.txt': 'one\ntwo\n', 'src/b.ts': 'two\n'};

/** What a call came to in a toolset: the tool that was run, and what the model saw. */
async function called(toolset: string, name: string, args: object, root?: string): Promise<{tool: string; outcome: string; text: string}> {
  const folder = root ?? (await scratch(FILES));
  const {toolName, outcome, text} = await (await openToolset(toolset, folder)).call(name, args);
  return {tool: toolName, outcome, text: text.replaceAll(folder, '<root>')};
}

describe('names that belong to another agent', () => {
  const READ = '1\tone\n2\ttwo';
  it.each<[agent: string, name: string, args: object, tool: string, text: string]>([
    ['Claude Code', 'Read', {file_path: 'a.txt'}, 'read', READ],
    ['Claude Code', 'Edit', {file_path: 'a.txt', old_string: 'two', new_string: '2'}, 'edit', 'Edited a.txt: 1 replacement.'],
    ['Claude Code', 'Bash', {command: 'echo hi', description: 'Say hi'}, 'bash', 'hi'],
    ['Claude Code', 'Grep', {pattern: 'two', path: 'src'}, 'grep', 'src/b.ts\n1: two'],
    ['Claude Code', 'Glob', {pattern: '**/*.ts'}, 'glob', 'src/b.ts'],
    ['Claude Code', 'LS', {path: 'src'}, 'ls', 'b.ts'],
    ['Claude Code', 'Write', {file_path: 'n.txt', content: 'x'}, 'write', 'Created n.txt (1 byte).'],
    ['Claude Code', 'TodoWrite', {todos: [{content: 'look', status: 'in_progress', activeForm: 'Looking'}]}, 'todo', '[>] look'],
    [
      'Claude Code',
      'MultiEdit',
      {file_path: 'a.txt', edits: [{old_string: 'one', new_string: '1'}]},
      'apply_patch',
      'Applied 1 patch(es) atomically to a.txt',
    ],
    ['Codex', 'shell', {command: ['bash', '-lc', 'echo hi | tr h H'], timeout_ms: 1000}, 'bash', 'Hi'],
    ['Codex', 'shell_command', {command: 'pwd', workdir: 'src', login: true}, 'bash', '<root>/src'],
    ['Codex', 'container.exec', {cmd: ['bash', '-lc', 'echo hi']}, 'bash', 'hi'],
    ['Codex', 'local_shell_call', {action: {type: 'exec', command: ['echo', 'hi']}}, 'bash', 'hi'],
    ['Codex', 'bash', {command: ['echo', 'a  b']}, 'bash', 'a  b'],
    [
      'Codex',
      'shell',
      {command: ['bash', '-lc', "apply_patch <<'EOF'\n*** Begin Patch\n*** Delete File: a.txt\n*** End Patch\nEOF\n"]},
      'apply_patch',
      'Applied 1 patch(es) atomically to a.txt',
    ],
    [
      'Claude Code',
      'MultiEdit',
      {filePath: 'a.txt', edits: [{oldString: 'one', newString: '1'}]},
      'apply_patch',
      'Applied 1 patch(es) atomically to a.txt',
    ],
    ['Claude Code', 'NotebookRead', {notebook_path: 'a.txt'}, 'read', READ],
    [
      'Gemini CLI',
      'replace',
      {file_path: 'a.txt', instruction: 'all', old_string: 'o', new_string: '0', expected_replacements: 2},
      'edit',
      'Edited a.txt: 2 replacements.',
    ],
    [
      'Gemini CLI',
      'replace',
      {file_path: 'a.txt', old_string: 'o', new_string: '0', allow_multiple: true},
      'edit',
      'Edited a.txt: 2 replacements.',
    ],
    ['Cursor', 'file_search', {query: 'b', explanation: 'find it'}, 'glob', 'src/b.ts'],
    ['Cursor', 'glob_file_search', {glob_pattern: '*.ts', target_directory: 'src'}, 'glob', 'src/b.ts'],
    ['Cursor', 'list_dir', {relative_workspace_path: 'src'}, 'ls', 'b.ts'],
    ['Cursor', 'grep', {pattern: 'two', path: '', glob: ''}, 'grep', 'a.txt\n2: two\n\nsrc/b.ts\n1: two'],
    ['Cursor', 'search_replace', {file_path: 'a.txt', old_string: 'two', new_string: '2'}, 'edit', 'Edited a.txt: 1 replacement.'],
    [
      'Cursor',
      'read_many_files',
      {paths: 'a.txt', include_line_numbers: 0},
      'read_many_files',
      expect.stringContaining('one\\ntwo') as string,
    ],
    [
      'Cline',
      'replace_in_file',
      {path: 'a.txt', diff: '------- SEARCH\ntwo\n=======\n2\n+++++++ REPLACE'},
      'search_replace',
      'file: a.txt\nblocks_applied: 1\nlines_changed: 1\nwarnings: []',
    ],
    [
      'Roo',
      'apply_diff',
      {path: 'a.txt', diff: '<<<<<<< SEARCH\n:start_line:2\n-------\ntwo\n=======\n2\n>>>>>>> REPLACE'},
      'search_replace',
      'file: a.txt\nblocks_applied: 1\nlines_changed: 1\nwarnings: []',
    ],
    [
      'Anthropic',
      'str_replace_based_edit_tool',
      {command: 'insert', path: 'a.txt', insert_line: 1, insert_text: 'x'},
      'apply_patch',
      'Applied 1 patch(es) atomically to a.txt',
    ],
    ['Codex', 'shell', {command: ['echo', "it's", '$HOME']}, 'bash', "it's $HOME"],
    ['Codex', 'shell', {command: ['pwd'], workdir: 'src'}, 'bash', '<root>/src'],
    ['Codex', 'exec_command', {cmd: 'echo hi', workdir: 'src'}, 'bash', 'hi'],
    [
      'Codex',
      'shell',
      {command: ['apply_patch', '*** Begin Patch\n*** Add File: n.txt\n+x\n*** End Patch']},
      'apply_patch',
      'Applied 1 patch(es) atomically to n.txt',
    ],
    [
      'Codex',
      'apply_patch',
      {input: '*** Begin Patch\n*** Delete File: a.txt\n*** End Patch'},
      'apply_patch',
      'Applied 1 patch(es) atomically to a.txt',
    ],
    [
      'Codex',
      'update_plan',
      {
        plan: [
          {step: 'look', status: 'completed'},
          {step: 'do', status: 'pending'},
        ],
      },
      'todo',
      '[x] look\n[ ] do',
    ],
    ['Gemini CLI', 'read_file', {absolute_path: 'a.txt'}, 'read', READ],
    ['Gemini CLI', 'replace', {file_path: 'a.txt', old_string: 'two', new_string: '2'}, 'edit', 'Edited a.txt: 1 replacement.'],
    ['Gemini CLI', 'run_shell_command', {command: 'pwd', description: 'where', directory: 'src'}, 'bash', '<root>/src'],
    ['Gemini CLI', 'search_file_content', {pattern: 'two', include: '*.ts'}, 'grep', 'src/b.ts\n1: two'],
    ['Gemini CLI', 'list_directory', {path: 'src'}, 'ls', 'b.ts'],
    ['Gemini CLI', 'write_todos', {todos: [{description: 'look', status: 'pending'}]}, 'todo', '[ ] look'],
    ['opencode', 'read', {filePath: 'a.txt'}, 'read', READ],
    ['opencode', 'edit', {filePath: 'a.txt', oldString: 'two', newString: '2', replaceAll: true}, 'edit', 'Edited a.txt: 1 replacement.'],
    ['opencode', 'todoread', {}, 'todo', '(no todos)'],
    ['Anthropic', 'str_replace_based_edit_tool', {command: 'view', path: 'a.txt', view_range: [2, 2]}, 'read', '2\ttwo'],
    [
      'Anthropic',
      'str_replace_based_edit_tool',
      {command: 'str_replace', path: 'a.txt', old_str: 'two', new_str: '2'},
      'edit',
      'Edited a.txt: 1 replacement.',
    ],
    ['Anthropic', 'str_replace_editor', {command: 'create', path: 'n.txt', file_text: 'x'}, 'write', 'Created n.txt (1 byte).'],
    ['Cline', 'write_to_file', {path: 'n.txt', content: 'x'}, 'write', 'Created n.txt (1 byte).'],
    ['Cline', 'execute_command', {command: 'echo hi'}, 'bash', 'hi'],
  ])('%s: %s %j is %s', async (_agent, name, args, tool, text) => {
    const shown = await called('fettle', name, args);
    // A parameter that means nothing here is named in a note.
    expect({...shown, text: shown.text.replace(/\n\[note: unknown parameter "(?:description)".*/, '')}).toEqual({
      tool,
      outcome: 'success',
      text,
    });
  });

  it('Claude Code: MultiEdit, also with replace_all: one edit of one file, whole or not at all', async () => {
    const root = await scratch({'a.txt': 'a b\r\na c\n'});
    const edits = [
      {old_string: 'a', new_string: 'x', replace_all: true},
      {old_string: 'c', new_string: 'd'},
    ];
    const missing = [...edits, {old_string: 'nowhere', new_string: ''}];
    expect((await called('fettle', 'MultiEdit', {file_path: 'a.txt', edits: missing}, root)).outcome).toBe('error');
    expect(await readFile(join(root, 'a.txt'), 'utf8')).toBe('a b\r\na c\n');
    expect(await called('fettle', 'MultiEdit', {file_path: 'a.txt', edits}, root)).toEqual({
      tool: 'apply_patch',
      outcome: 'success',
      text: 'Applied 2 patch(es) atomically to a.txt',
    });
    expect(await readFile(join(root, 'a.txt'), 'utf8')).toBe('x b\r\nx d\n');
  });
});

describe('calls in the form of another agent', () => {
  it('Codex: a patch as it is, and no JSON around it', async () => {
    const root = await scratch(FILES);
    const {toolName, outcome} = await (
      await openToolset('fettle', root)
    ).call('apply_patch', '*** Begin Patch\n*** Update File: a.txt\n@@\n-two\n+2\n*** End Patch');
    expect([toolName, outcome, await readFile(join(root, 'a.txt'), 'utf8')]).toEqual(['apply_patch', 'success', 'one\n2\n']);
  });

  it('Anthropic: insert puts whole lines behind insert_line, 0 is the top', async () => {
    const root = await scratch({'a.txt': 'one\r\ntwo'});
    const insert = (line: number, text: object) =>
      called('fettle', 'str_replace_editor', {command: 'insert', path: 'a.txt', insert_line: line, ...text}, root);
    expect((await insert(2, {new_str: 'end'})).outcome).toBe('success');
    expect((await insert(0, {insert_text: 'top\n'})).outcome).toBe('success');
    expect((await insert(9, {new_str: 'x'})).outcome).toBe('invalid');
    expect(await readFile(join(root, 'a.txt'), 'utf8')).toBe('top\r\none\r\ntwo\r\nend');
  });

  it('what says that it appends never overwrites, in any toolset', async () => {
    for (const [toolset, name] of [
      ['fettle', 'write'],
      ['microcode', 'write'],
      ['blade', 'write_file'],
      ['blade', 'create_file'],
      ['vtcode', 'write_file'],
      ['vibe', 'write_file'],
    ] as const) {
      for (const how of [{append: true}, {mode: 'append'}]) {
        const root = await scratch({'a.txt': 'one\n'});
        await called(toolset, name, {path: 'a.txt', content: 'two\n', ...how}, root);
        expect([toolset, name, await readFile(join(root, 'a.txt'), 'utf8')]).toEqual([toolset, name, 'one\ntwo\n']);
      }
      const root = await scratch({'a.txt': 'one\n'});
      await called(toolset, name, {path: 'a.txt', content: 'two\n', mode: 'fail_if_exists'}, root);
      expect([toolset, name, await readFile(join(root, 'a.txt'), 'utf8')]).toEqual([toolset, name, 'one\n']);
    }
  });

  it('Gemini CLI: web_fetch with the address in a prompt', async () => {
    expect(await called('fettle', 'web_fetch', {prompt: 'What says http://localhost/?'})).toMatchObject({
      outcome: 'denied',
      text: expect.stringMatching(/^Error: localhost is an address of this machine/),
    });
  });
});

describe('names of other toolsets', () => {
  it('`<toolset>__<tool>` always works, from every toolset', async () => {
    for (const toolset of TOOLSET_NAMES) {
      expect(await called(toolset, 'vibe__read_file', {path: 'a.txt'})).toEqual({
        tool: 'read_file',
        outcome: 'success',
        text: 'path: a.txt\ncontent: one\ntwo\nlines_read: 2\nwas_truncated: false',
      });
      expect(await called(toolset, 'microcode__read', {path: 'a.txt'})).toMatchObject({
        tool: 'read',
        outcome: 'success',
        text: '1\tone\n2\ttwo',
      });
    }
  });
  it('a name that one other toolset has is run, and a note says whose it is', async () => {
    expect(await called('microcode', 'list_files', {path: 'src'})).toEqual({
      tool: 'list_files',
      outcome: 'success',
      text: 'src/b.ts\n[note: list_files is a tool of toolset vtcode]',
    });
  });
  it.each<[name: string, args: object, text: RegExp]>([
    ['glob', {pattern: '**/*.ts'}, /^src\/b\.ts$/m],
    ['Glob', {pattern: 'src/*'}, /^src\/b\.ts$/m],
    ['edit', {path: 'a.txt', old_string: 'two', new_string: '2'}, /a\.txt/],
    ['Edit', {file_path: 'a.txt', old_string: 'two', new_string: '2'}, /a\.txt/],
    ['ls', {path: 'src'}, /b\.ts/],
    ['LS', {path: 'src'}, /b\.ts/],
  ])('%s %j is run in every toolset: all that have it do the same (issue 14 › 6)', async (name, args, text) => {
    for (const toolset of TOOLSET_NAMES) {
      expect([toolset, await called(toolset, name, args)]).toEqual([
        toolset,
        {tool: expect.any(String) as string, outcome: 'success', text: expect.stringMatching(text) as string},
      ]);
    }
  });
  it('one from elsewhere stays in the workspace where those of the session do', async () => {
    const outside = await scratch({'secret.ts': 'x'});
    for (const toolset of ['vtcode', 'blade']) {
      for (const [name, args] of [
        ['glob', {pattern: '*', path: outside}],
        ['ls', {path: outside}],
        ['edit', {path: `${outside}/secret.ts`, old_string: 'x', new_string: 'y'}],
      ] as const) {
        const {outcome, text} = await called(toolset, name, args);
        expect([toolset, name, outcome, text]).toEqual([toolset, name, 'error', expect.stringContaining('outside')]);
      }
    }
  });
  it.each<[name: string, args: object, tool: string, text: RegExp]>([
    ['unified_exec', {action: 'run', command: 'echo hi'}, 'exec_command', /^hi/],
    ['unified_exec', {cmd: ['echo', 'a  b']}, 'exec_command', /^a {2}b/],
    ['unified_exec', {command: 'pwd', workdir: 'src', timeout_secs: 9, login: true, sandbox_permissions: 'x'}, 'exec_command', /src\n?/],
    ['unified_file', {action: 'read', path: 'a.txt', offset: 2}, 'read_file', /^2\ttwo/],
    ['unified_file', {path: 'a.txt'}, 'read_file', /^1\tone/],
    ['unified_file', {action: 'write', path: 'n.txt', content: 'x'}, 'write_file', /Created n\.txt/],
    ['unified_file', {action: 'edit', path: 'a.txt', old_str: 'two', new_str: '2'}, 'edit_file', /Edited a\.txt/],
    ['unified_file', {action: 'delete', path: 'a.txt'}, 'delete_file', /Deleted file a\.txt/],
    ['unified_file', {action: 'move', path: 'a.txt', destination: 'c.txt'}, 'move_file', /c\.txt/],
    ['unified_file', {action: 'copy', path: 'a.txt', destination: 'c.txt'}, 'copy_file', /c\.txt/],
    ['unified_file', {action: 'patch', patch: '*** Begin Patch\n*** Delete File: a.txt\n*** End Patch'}, 'apply_patch', /a\.txt/],
    ['unified_search', {action: 'grep', pattern: 'two', path: 'src'}, 'grep_file', /two/],
    ['unified_search', {action: 'grep', query: 'TWO', case_sensitive: false}, 'grep_file', /two/],
    ['unified_search', {action: 'list', path: 'src'}, 'list_files', /b\.ts/],
    ['UnifiedSearch', {pattern: 'two'}, 'grep_file', /two/],
    ['code_search', {query: 'two', file_types: ['ts']}, 'grep_file', /b\.ts[^]*two/],
    ['code_search', {query: 'b.ts', result_types: ['path']}, 'list_files', /src\/b\.ts/],
  ])('VT Code: %s %j works in every toolset (issue 14 › 6; design › promise 8)', async (name, args, tool, text) => {
    for (const toolset of TOOLSET_NAMES) {
      expect([toolset, await called(toolset, name, args)]).toEqual([
        toolset,
        {tool, outcome: 'success', text: expect.stringMatching(text) as string},
      ]);
    }
  });
  it('executor-only names of every toolset are understood in every toolset', async () => {
    for (const toolset of ['fettle', 'microcode', 'vibe', 'vtcode', 'blade']) {
      expect((await called(toolset, 'write_file_validated', {path: 'n.txt', content: 'x'})).outcome).toBe('success');
      expect((await called(toolset, 'apply_patch_validated', {path: 'a.txt', old_text: 'two', new_text: '2'})).outcome).toBe('success');
    }
  });
  it('a deferred tool is run by its name, without a note', async () => {
    expect(await called('fettle', 'get_workspace_structure', {path: 'src'})).toMatchObject({
      tool: 'get_workspace_structure',
      outcome: 'success',
      text: expect.not.stringContaining('note'),
    });
  });
  it.each(['attempt_completion', 'generate_image', 'ask_followup_question', 'new_task'])(
    '%s is a matter of the server (zblade tool calls › Scope)',
    async (name) => {
      for (const toolset of TOOLSET_NAMES) {
        const {outcome, text} = await called(toolset, name, {});
        expect({outcome, text}).toEqual({
          outcome: 'error',
          text: expect.stringContaining(`Protocol error: ${name} is carried out by a server and never by this executor.`),
        });
      }
    },
  );
  it('todo_write is one, too, where there is no list of todos', async () => {
    expect((await called('blade', 'todo_write', {todos: []})).text).toContain('Protocol error: todo_write');
    expect((await called('vibe', 'todo_write', {todos: [{content: 'a', status: 'pending'}]})).outcome).toBe('success');
  });
  it('an unknown name gets the nearest, also among the deferred', async () => {
    expect((await called('fettle', 'move_fiel', {})).text).toMatch(
      /^Error: There is no tool "move_fiel"\.\nDid you mean move_file\? Tools: read, /,
    );
    expect((await called('fettle', 'nowhere__read', {})).text).toMatch(/^Error: There is no tool "nowhere__read"\./);
    expect((await called('fettle', 'vibe__raed_file', {})).text).toMatch(
      /^Error: There is no tool "raed_file"\.\nDid you mean read_file\?/,
    );
  });
});

describe('a toolset that is restricted', () => {
  it('what is switched off is so under every name that does the same', async () => {
    const root = await scratch(FILES);
    const toolset = selectTools(await loadToolsetByName('fettle'), {enabled_tools: [], disabled_tools: ['bash', 'write']});
    const tools = await openToolset('fettle', root, {toolset});
    const calls: [string, object][] = [
      ['exec_command', {command: 'touch n'}],
      ['start_command', {command: 'touch n'}],
      ['vtcode__exec_command', {command: 'touch n'}],
      ['vibe__bash', {command: 'touch n'}],
      ['write_file', {path: 'n', content: 'x'}],
      ['vtcode__write_file', {path: 'n', content: 'x'}],
      ['move_file', {source: 'a.txt', destination: 'n'}],
    ];
    for (const [name, args] of calls) expect([name, (await tools.call(name, args)).isError]).toEqual([name, true]);
    expect(await tools.text('ls', {})).toBe('a.txt\nsrc/');
    expect((await tools.call('search_replace', {file_path: 'a.txt', content: BLOCK})).outcome).toBe('success');
  });
  it('what is switched on by its name is, also where it is deferred', async () => {
    const toolset = selectTools(await loadToolsetByName('fettle'), {enabled_tools: ['read', 'move_file'], disabled_tools: []});
    const tools = await openToolset('fettle', await scratch(FILES), {toolset});
    expect((await tools.call('move_file', {source: 'a.txt', destination: 'n'})).outcome).toBe('success');
    expect((await tools.call('vtcode__delete_file', {path: 'n'})).isError).toBe(true);
  });
  it('stays so under every name', async () => {
    const root = await scratch(FILES);
    const toolset = restrictToolset(await loadToolsetByName('fettle'), (tool) => isReadOnly(tool.sideEffect));
    const tools = await openToolset('fettle', root, {toolset});
    const calls: [string, object][] = [
      ['write', {path: 'n', content: 'x'}],
      ['write_file', {path: 'n', content: 'x'}],
      ['microcode__write', {path: 'n', content: 'x'}],
      ['fettle__write', {path: 'n', content: 'x'}],
      ['vtcode__exec_command', {command: 'touch n'}],
      ['shell', {command: ['touch', 'n']}],
      ['start_command', {command: 'touch n'}],
      ['move_file', {source: 'a.txt', destination: 'n'}],
      ['search_replace', {file_path: 'a.txt', content: ''}],
      ['tool_search', {name: 'delete_file', arguments: {path: 'a.txt'}}],
    ];
    for (const [name, args] of calls) {
      const {outcome, isError} = await tools.call(name, args);
      expect([name, outcome === 'denied' || outcome === 'invalid', isError]).toEqual([name, true, true]);
    }
    expect(await tools.text('bash', {command: 'ls'})).toMatch(/^Error: /);
    expect(await tools.text('ls', {})).toBe('a.txt\nsrc/');
    expect((await tools.call('vibe__read_file', {path: 'a.txt'})).outcome).toBe('success');
  });
});
