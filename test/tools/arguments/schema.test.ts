import {encode} from 'gpt-tokenizer/encoding/o200k_base';
import {describe, expect, it} from 'vitest';
import {toFettleError} from '../../../src/base/errors.ts';
import {systemPrompt} from '../../../src/context/system-prompt.ts';
import {advertisedTools} from '../../../src/tools/toolsets/advertised-tools.ts';
import {toolSchemas} from '../../../src/tools/arguments/schema.ts';
import {loadToolsetByName} from '../../../src/tools/toolsets/load-toolset.ts';

describe('what a model is told about the tools', () => {
  it('fettle: the default toolset in at most 1,300 tokens', async () => {
    const schemas = toolSchemas({
      tools: advertisedTools(await loadToolsetByName('fettle'), {model: '', compositeTools: true, hasPerson: true}),
    });
    expect(encode(JSON.stringify(schemas)).length).toMatchInlineSnapshot(`1016`);
    expect(encode(JSON.stringify(schemas)).length).toBeLessThanOrEqual(1300);
    expect(schemas).toMatchSnapshot();
  });
  it('fettle: prompt and schemas of the first request in at most 2,500 tokens', async () => {
    const prompt = systemPrompt({root: '/home/someone/project', platform: 'linux', date: '2026-01-01'}, {always: [], cuts: []})
      .map(({text}) => text)
      .join('\n\n');
    const schemas = toolSchemas(await loadToolsetByName('fettle'));
    expect(encode(prompt).length + encode(JSON.stringify(schemas)).length).toBeLessThanOrEqual(2500);
  });
  it('fettle: at most 12 tools are shown, as a rule, all others are found by tool_search', async () => {
    const {tools, deferred} = await loadToolsetByName('fettle');
    expect(tools.map(({name}) => name)).toEqual([
      'read',
      'edit',
      'write',
      'glob',
      'grep',
      'ls',
      // Shown only where there is an index.
      'symbols',
      'bash',
      'todo',
      'ask_user',
      'task',
      'tool_search',
      // Shown only where there are skills, or a plan that a person can accept.
      'skill',
      'exit_plan_mode',
    ]);
    const later = (await deferred?.()) ?? [];
    expect(later.map(({name}) => name)).toMatchInlineSnapshot(`
      [
        "start_command",
        "command_session",
        "recall",
        "edit_symbol",
        "agents",
        "merge_agent",
        "cron_create",
        "cron_list",
        "cron_delete",
        "apply_patch",
        "delete_file",
        "move_file",
        "copy_file",
        "create_directory",
        "get_file_info",
        "read_many_files",
        "get_workspace_structure",
        "batch",
        "codebase_investigator",
        "get_editor_state",
        "open_file",
        "goto_line",
        "get_selection",
        "replace_selection",
        "insert_at_cursor",
        "search_replace",
        "web_fetch",
        "web_search",
        "list_files",
      ]
    `);
    expect(tools.filter(({name}) => later.some((other) => other.name === name))).toEqual([]);
  });
  it('microcode: the seven tools, with the parameters of "microcode tools"', async () => {
    const schemas = toolSchemas(await loadToolsetByName('microcode'));
    expect(encode(JSON.stringify(schemas)).length).toMatchInlineSnapshot(`540`);
    expect(schemas).toMatchSnapshot();
  });
  it('the same bytes every time', async () => {
    const [first, second] = [await loadToolsetByName('fettle'), await loadToolsetByName('fettle')].map((toolset) =>
      JSON.stringify(toolSchemas(toolset)),
    );
    expect(first).toBe(second);
  });
  it('microcode tools: side effects of the seven', async () => {
    const {tools} = await loadToolsetByName('microcode');
    expect(tools.map(({name, sideEffect}) => `${name} ${sideEffect}`)).toEqual([
      'read read',
      'ls read',
      'glob read',
      'grep read',
      'write write',
      'edit write',
      'bash execute',
    ]);
  });
  it('an unknown toolset gets the nearest', async () => {
    const error = await loadToolsetByName('fetle').catch(toFettleError);
    expect(error).toMatchObject({
      code: 'CONFIG',
      message: 'There is no toolset "fetle".',
      hint: 'Did you mean fettle? Toolsets: fettle, small, blade, microcode, vibe, vtcode.',
    });
    expect(await loadToolsetByName('constructor').catch(toFettleError)).toMatchObject({
      code: 'CONFIG',
      hint: 'Toolsets: fettle, small, blade, microcode, vibe, vtcode.',
    });
  });
});

describe('the toolset for small windows (issue 14, 10)', () => {
  it('small: prompt and schemas of the first request in about 600 tokens', async () => {
    const prompt = systemPrompt({root: '/home/someone/project', platform: 'linux', date: '2026-01-01'}, {always: [], cuts: []}, true)
      .map(({text}) => text)
      .join('\n\n');
    const schemas = toolSchemas({
      tools: advertisedTools(await loadToolsetByName('small'), {model: '', compositeTools: true, hasPerson: true}),
    });
    expect(encode(prompt).length + encode(JSON.stringify(schemas)).length).toMatchInlineSnapshot(`401`);
    expect({prompt, schemas}).toMatchSnapshot();
  });
});
