import {describe, expect, it} from 'vitest';
import type {JsonObject} from '../../src/base/json.ts';
import {inputSchema} from '../../src/tools/arguments/schema.ts';
import {loadToolsetByName, TOOLSET_NAMES} from '../../src/tools/toolsets/load-toolset.ts';
import {sharedFettle} from '../e2e/shared-process.ts';
import {fettle, place} from '../e2e/support.ts';
import {scratch} from '../support/scratch.ts';
import {openToolset} from '../tools/support/open-toolset.ts';

const BLOCK = '<<<<<<< SEARCH\ntwo\n=======\nTWO\n>>>>>>> REPLACE\n';
const QUESTIONS = [
  {
    question: 'a?',
    header: 'a',
    options: [
      {label: 'a', description: ''},
      {label: 'b', description: ''},
    ],
    multiSelect: false,
  },
];

/**
 * The smallest call of each tool, and what `fettle tools call` ends with. 1: what it needs is not there without a model, a person or
 * an editor, and it says so.
 */
const CALLS: Readonly<Record<string, Readonly<Record<string, readonly [args: object, code: number, shown: RegExp]>>>> = {
  fettle: {
    read: [{path: 'a.txt'}, 0, /^1\tone\n2\ttwo\n/],
    edit: [{path: 'a.txt', old_string: 'two', new_string: '2'}, 0, /a\.txt/],
    write: [{path: 'new.txt', content: 'x\n'}, 0, /^Created new\.txt/],
    glob: [{pattern: '**/*'}, 0, /^a\.txt\nsrc\/b\.ts\n$/],
    grep: [{pattern: 'two'}, 0, /^a\.txt\n2: two\n$/],
    ls: [{}, 0, /^a\.txt\nsrc\/\n$/],
    symbols: [{action: 'search', symbol: 'value'}, 0, /^src\/b\.ts:1 const value = 1\n$/],
    edit_symbol: [{action: 'rename', symbol: 'value', new_name: 'amount'}, 0, /^Done: rename .*1 file.*\nsrc\/b\.ts\n/],
    bash: [{command: 'echo hi'}, 0, /^hi\n$/],
    todo: [{}, 0, /^\(no todos\)\n$/],
    ask_user: [{questions: QUESTIONS}, 1, /Nobody is here/],
    task: [{task: 'look'}, 1, /^Error: /],
    tool_search: [{query: 'patch'}, 0, /apply_patch/],
    start_command: [{command: 'echo hi'}, 0, /hi/],
    command_session: [{}, 1, /session/],
    recall: [{item: 1}, 1, /This session has no log/],
    agents: [{action: 'list'}, 1, /No subagent can be started here/],
    merge_agent: [{agent: 'worker-1'}, 1, /No subagent can be started here/],
    apply_patch: [{path: 'a.txt', patches: [{old_text: 'two', new_text: '2'}]}, 0, /a\.txt/],
    delete_file: [{path: 'a.txt'}, 0, /^Deleted file a\.txt/],
    move_file: [{source: 'a.txt', destination: 'b.txt'}, 0, /^Moved a\.txt to b\.txt/],
    copy_file: [{source: 'a.txt', destination: 'b.txt'}, 0, /^Copied a\.txt to b\.txt/],
    create_directory: [{path: 'new'}, 0, /new/],
    get_file_info: [{path: 'a.txt'}, 0, /^\{"path":/],
    read_many_files: [{paths: ['*.txt']}, 0, /^\{"files":\[\{"path":"a\.txt"/],
    search_replace: [{file_path: 'a.txt', content: BLOCK}, 0, /a\.txt/],
    skill: [{name: 'demo'}, 1, /No skills are available/],
    exit_plan_mode: [{}, 1, /Plan mode is not active/],
    web_fetch: [{url: 'http://localhost/'}, 3, /localhost is an address of this machine/],
    web_search: [{query: 'two'}, 1, /No search engine is configured/],
  },
  microcode: {
    read: [{path: 'a.txt'}, 0, /^1\tone\n2\ttwo\n/],
    ls: [{}, 0, /a\.txt/],
    glob: [{pattern: '*.txt'}, 0, /^a\.txt\n$/],
    grep: [{pattern: 'two'}, 0, /^a\.txt:2:two\n$/],
    write: [{path: 'new.txt', content: 'x'}, 0, /^created new\.txt/],
    edit: [{path: 'a.txt', old_string: 'two', new_string: '2'}, 0, /a\.txt/],
    bash: [{command: 'echo hi'}, 0, /^hi\n/],
  },
  blade: {
    read_file: [{path: 'a.txt'}, 0, /^=== File: .*a\.txt ===\none\n/],
    read_file_range: [{path: 'a.txt', start_line: 1, end_line: 1}, 0, /one/],
    write_file: [{path: 'new.txt', content: 'x'}, 0, /^wrote 1 bytes? to /],
    create_file: [{path: 'new.txt', content: 'x'}, 0, /new\.txt/],
    edit_file: [{path: 'a.txt', old_content: 'two', new_content: '2'}, 0, /a\.txt/],
    apply_patch: [{path: 'a.txt', old_text: 'two', new_text: '2'}, 0, /a\.txt/],
    apply_edit: [{path: 'a.txt', old_text: 'two', new_text: '2'}, 0, /a\.txt/],
    delete_file: [{path: 'a.txt'}, 0, /^Deleted file a\.txt/],
    move_file: [{source: 'a.txt', destination: 'b.txt'}, 0, /^Moved a\.txt to b\.txt/],
    copy_file: [{source: 'a.txt', destination: 'b.txt'}, 0, /^Copied a\.txt to b\.txt/],
    create_directory: [{path: 'new'}, 0, /new/],
    get_file_info: [{path: 'a.txt'}, 0, /^\{"path":.*"size":14,/],
    list_dir: [{}, 0, /^Directory: /],
    list_directory: [{}, 0, /^Directory: /],
    get_workspace_structure: [{}, 0, /^Directory: /],
    find_files: [{pattern: 'a'}, 0, /a\.txt/],
    find_files_glob: [{pattern: '*.txt'}, 0, /^a\.txt\n$/],
    glob: [{pattern: '*.txt'}, 0, /^a\.txt\n$/],
    grep_search: [{pattern: 'two'}, 0, /^a\.txt:2:two\n$/],
    rg: [{pattern: 'two'}, 0, /^a\.txt:2:two\n$/],
    codebase_search: [{query: 'two'}, 0, /^Found 1 match for 'two'/],
    get_editor_state: [{}, 0, /^\{"active_file":null/],
    open_file: [{path: 'a.txt'}, 0, /^\{"action":"open_file","path":"a\.txt"\}\n$/],
    goto_line: [{line: 1}, 1, /^tool_error: /],
    get_selection: [{}, 1, /^tool_error: /],
    replace_selection: [{content: 'x'}, 1, /^tool_error: /],
    insert_at_cursor: [{content: 'x'}, 1, /^tool_error: /],
    symbol_search: [{query: 'value'}, 0, /^\{"query":"value","results":\[\{"id":"src\/b\.ts::value#constant"/],
    symbol_resolve: [{path: 'src/b.ts', name: 'value'}, 0, /^\{"symbol":\{"id":"src\/b\.ts::value#constant"/],
    symbol_outline: [{path: 'src/b.ts'}, 0, /^\{"path":"src\/b\.ts","outline":\[\{"id":/],
    symbol_graph: [{path: 'src/b.ts', name: 'value'}, 0, /"incoming":\[\],"outgoing":\[\],"relationship_type":"call"/],
    symbol_references: [{path: 'src/b.ts', name: 'value'}, 0, /"references":\[\{"relationship_type":"reference"/],
    get_project_index_overview: [{}, 0, /"source":"semantic_index"/],
    get_project_index_chunk: [{}, 0, /"source":"semantic_index"/],
    read_many_files: [{paths: ['*.txt']}, 0, /^\{"files":\[\{"path":"a\.txt"/],
    batch: [{calls: [{tool: 'read_file', arguments: {path: 'a.txt'}}]}, 0, /^\{"results":\[\{"index":0,"tool":"read_file","ok":true/],
    codebase_investigator: [{objective: 'Where is "value" defined?'}, 0, /^\{"status":/],
    run_command: [{command: 'echo hi'}, 0, /^exit_code: 0\nstdout:\nhi\n/],
  },
  vibe: {
    bash: [{command: 'echo hi'}, 0, /hi/],
    read_file: [{path: 'a.txt'}, 0, /^path: a\.txt\ncontent: one\ntwo/],
    write_file: [{path: 'new.txt', content: 'x'}, 0, /^path: new\.txt\n/],
    search_replace: [{file_path: 'a.txt', content: BLOCK}, 0, /^file: a\.txt\nblocks_applied: 1\n/],
    grep: [{pattern: 'two'}, 0, /two/],
    todo: [{action: 'read'}, 0, /Retrieved 0 todos/],
    ask_user_question: [{questions: QUESTIONS}, 1, /Nobody is here/],
    task: [{task: 'look'}, 1, /^<tool_error>task failed: /],
    skill: [{name: 'demo'}, 1, /No skills are available/],
    exit_plan_mode: [{}, 1, /Plan mode is not active/],
    web_fetch: [{url: 'http://localhost/'}, 3, /localhost is an address of this machine/],
    web_search: [{query: 'two'}, 1, /No search engine is configured/],
  },
  vtcode: {
    grep_file: [{pattern: 'two'}, 0, /two/],
    list_files: [{}, 0, /a\.txt/],
    read_file: [{path: 'a.txt'}, 0, /two/],
    write_file: [{path: 'new.txt', content: 'x'}, 0, /new\.txt/],
    edit_file: [{path: 'a.txt', old_str: 'two', new_str: '2'}, 0, /a\.txt/],
    delete_file: [{path: 'a.txt'}, 0, /^Deleted file a\.txt/],
    exec_command: [{command: 'echo hi'}, 0, /hi/],
    exec_session: [{}, 1, /session/],
    spawn_agent: [{agent_type: 'explore', message: 'look'}, 1, /No subagent can be started here/],
    send_input: [{id: 'explore-1', message: 'more'}, 1, /No subagent can be started here/],
    wait_agent: [{}, 1, /No subagent can be started here/],
    resume_agent: [{id: 'explore-1'}, 1, /No subagent can be started here/],
    close_agent: [{target: 'explore-1'}, 1, /No subagent can be started here/],
    cron_create: [{prompt: 'look', every: '10m'}, 1, /nothing can be scheduled in it/],
    cron_list: [{}, 1, /nothing can be scheduled in it/],
    cron_delete: [{id: '1a2b3c4d'}, 1, /nothing can be scheduled in it/],
    merge_agent: [{agent: 'worker-1'}, 1, /No subagent can be started here/],
  },
};

/** Tools that fettle defers, and another toolset publishes. */
const PUBLISHED_ELSEWHERE = {...CALLS['vtcode'], ...CALLS['blade']};

const FILES = {'a.txt': 'one\ntwo\nthree\n', 'src/b.ts': 'export const value = 1;\n'};

async function allTools(name: string) {
  const {tools, deferred} = await loadToolsetByName(name);
  return [...tools, ...((await deferred?.()) ?? [])];
}

/** What no declared type can be read from. */
function wrongFor({type}: JsonObject): unknown {
  return type === 'object' || type === 'array' ? 7 : {wrong: true};
}

describe.each(TOOLSET_NAMES)('every tool of %s', (toolset) => {
  const isOwn = toolset === 'fettle' || toolset === 'small';
  const calls = CALLS[isOwn ? 'fettle' : toolset] ?? {};

  it('that models are told of, or can call, has a row', async () => {
    const names = (await allTools(toolset)).map(({name}) => name);
    expect(names.filter((name) => !(name in calls || (isOwn && name in PUBLISHED_ELSEWHERE)))).toEqual([]);
    expect(Object.keys(calls).filter((name) => !names.includes(name))).toEqual([]);
  });

  it('is called by `fettle tools call`: what it shows, and the exit code', {timeout: 60_000}, async () => {
    const elsewhere = isOwn ? Object.entries(PUBLISHED_ELSEWHERE).map(([name, [args, code]]) => [name, [args, code, /^/]] as const) : [];
    const names = new Set((await allTools(toolset)).map(({name}) => name));
    const rows = new Map([...elsewhere, ...Object.entries(calls)]);
    for (const [name, [args, code, shown]] of [...rows].filter(([row]) => names.has(row))) {
      const at = await place(FILES);
      const done = await sharedFettle(at, ['tools', 'call', '--toolset', toolset, name, JSON.stringify(args)]);
      // Who calls a tool decides: what a rule would ask about is carried out, and named.
      const stderr = done.stderr.replace(/^Asked about, and carried out because you called it: .*\n/, '');
      expect([name, done.code, done.stdout, stderr]).toEqual([name, code, expect.stringMatching(shown), '']);
      if (done.stdout.startsWith('{"')) expect(JSON.parse(done.stdout)).toEqual(expect.any(Object));
    }
  });

  it('a parameter of the wrong type is BAD_ARGS, and named', async () => {
    const tools = await openToolset(toolset, await scratch(FILES));
    for (const tool of await allTools(toolset)) {
      for (const [name, property] of Object.entries((inputSchema(tool).properties ?? {}) as Record<string, JsonObject>)) {
        const {outcome, text} = await tools.call(tool.name, {...calls[tool.name]?.[0], [name]: wrongFor(property)});
        expect([tool.name, name, outcome, text.includes(name)]).toEqual([tool.name, name, 'invalid', true]);
      }
    }
  });
});

it('a wrong type ends the command with 2', async () => {
  const done = await fettle(await place(FILES), ['tools', 'call', 'read', '{"path":"a.txt","offset":"first"}']);
  expect([done.code, done.stdout.split('\n', 1)[0]]).toEqual([
    2,
    'Error: The arguments of read do not fit: offset must be integer ≥ 0, not "first".',
  ]);
});
