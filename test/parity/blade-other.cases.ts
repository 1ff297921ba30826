import type {DispatchResult} from '../../src/tools/dispatch/dispatch.ts';
import {rowsOf, spelledAs, type BladeCase} from './blade-case.ts';

const OPEN = ['open_file', {path: 'src/ten.txt', line: 3}] as const;

const state = rowsOf(['get_editor_state'], 'Return the current local editor context.');
const open = rowsOf(['open_file'], 'Emit an editor action that opens a file, optionally at a line.');
const goTo = rowsOf(['goto_line'], 'Emit an editor action that moves the cursor in the current file.');
const selection = rowsOf(['get_selection'], 'Request the current selection.');
const replace = rowsOf(['replace_selection'], 'Emit an editor action that replaces the current selection.');
const insert = rowsOf(['insert_at_cursor'], 'Emit an editor action that inserts content at the current cursor position.');
const INSERTED = 'line 1\nline 2\n>>line 3\nline 4\nline 5\nline 6\nline 7\nline 8\nline 9\nline 10\n';

const EDITOR: readonly BladeCase[] = [
  ...state('-', 'result', {
    args: {},
    before: [OPEN],
    expect:
      '{"active_file":"src/ten.txt","open_files":["src/ten.txt"],"active_tab_index":0,"cursor_line":3,"cursor_column":1,"selection_start_line":null,"selection_end_line":null}',
  }),
  ...open('path', 'required', {args: {path: 'src/main.rs'}, expect: '{"action":"open_file","path":"src/main.rs"}'}),
  ...open('line', 'value', {args: {path: 'src/main.rs', line: 2}, expect: '{"action":"open_file","path":"src/main.rs","line":2}'}),
  ...goTo('line', 'required', {args: {line: 4}, before: [OPEN], expect: '{"action":"goto_line","line":4}'}),
  ...goTo('column', 'value', {args: {line: 4, column: 2}, before: [OPEN], expect: '{"action":"goto_line","line":4,"column":2}'}),
  ...selection('-', 'result', {args: {}, before: [OPEN], expect: '{"action":"get_selection","selection":""}'}),
  ...replace('content', 'required', {
    args: {content: '>>'},
    before: [OPEN],
    expect: '{"action":"replace_selection","content":">>"}',
    file: ['src/ten.txt', INSERTED],
  }),
  ...insert('content', 'required', {
    args: {content: '>>'},
    before: [OPEN],
    expect: '{"action":"insert_at_cursor","content":">>"}',
    file: ['src/ten.txt', INSERTED],
  }),
];

const NO_INDEX =
  'tool_error: language service unavailable: this folder has no symbol index.\nSearch the text instead, with the name of the symbol.';
const NO_SELECTOR = 'tool_error: No symbol was named.\nGive symbol_id, or path with qualified_name or name.';
const find = rowsOf(['symbol_search'], 'Search indexed symbols by name or qualified name.');
const resolve = rowsOf(['symbol_resolve'], 'Resolve one symbol by ID, or by file plus name.');
const outline = rowsOf(['symbol_outline'], 'Return the hierarchical symbol outline for one file.');
const graph = rowsOf(['symbol_graph'], 'Return incoming and outgoing graph edges for a symbol.');
const references = rowsOf(['symbol_references'], 'Present in tool schema definitions.');
const SYMBOL_FILE = ['path', 'file', 'file_path'];

/** In a session without an index; with one: `blade-symbols.test.ts`. */
const SYMBOLS: readonly BladeCase[] = [
  ...find('query', 'required', {args: {query: 'main'}, expect: NO_INDEX}),
  ...spelledAs(find, 'path', {names: SYMBOL_FILE, args: {query: 'main', path: 'src/main.rs'}, expect: NO_INDEX}),
  ...spelledAs(find, 'kind', {names: ['kind', 'symbol_type'], args: {query: 'main', kind: 'function'}, expect: NO_INDEX}),
  ...find('kind', 'refused', {
    args: {query: 'main', kind: 'gadget'},
    pick: ({text}) => text.split('\n')[0],
    expect: 'tool_error: unknown symbol kind: gadget',
  }),
  ...find('limit', 'cap', {args: {query: 'main', limit: 1000}, expect: NO_INDEX}),
  ...spelledAs(resolve, 'symbol_id', {names: ['symbol_id', 'id'], args: {symbol_id: 'a::b#function'}, expect: NO_INDEX}),
  ...spelledAs(resolve, 'path', {names: SYMBOL_FILE, args: {path: 'src/main.rs', name: 'main'}, expect: NO_INDEX}),
  ...resolve('qualified_name', 'value', {args: {path: 'src/main.rs', qualified_name: 'main'}, expect: NO_INDEX}),
  ...resolve('name', 'refused', {args: {path: 'src/main.rs'}, expect: NO_SELECTOR}),
  ...spelledAs(outline, 'path', {names: SYMBOL_FILE, args: {path: 'src/main.rs'}, expect: NO_INDEX}),
  ...spelledAs(graph, 'symbol_id', {names: ['symbol_id', 'id'], args: {symbol_id: 'a::b#function'}, expect: NO_INDEX}),
  ...spelledAs(graph, 'path', {names: SYMBOL_FILE, args: {path: 'src/main.rs', name: 'main'}, expect: NO_INDEX}),
  ...graph('qualified_name', 'value', {args: {path: 'src/main.rs', qualified_name: 'main'}, expect: NO_INDEX}),
  ...graph('name', 'refused', {args: {path: 'src/main.rs'}, expect: NO_SELECTOR}),
  ...spelledAs(graph, 'relationship_type', {
    names: ['relationship_type', 'edge_kind', 'kind', 'relationship'],
    args: {symbol_id: 'a', relationship_type: 'import'},
    expect: NO_INDEX,
  }),
  ...graph('relationship_type', 'default', {args: {symbol_id: 'a'}, expect: NO_INDEX}),
  ...graph('limit', 'cap', {args: {symbol_id: 'a', limit: 1000}, expect: NO_INDEX}),
  ...spelledAs(references, 'symbol_id', {names: ['symbol_id', 'id'], args: {symbol_id: 'a::b#function'}, expect: NO_INDEX}),
  ...spelledAs(references, 'path', {names: SYMBOL_FILE, args: {path: 'src/main.rs', name: 'main'}, expect: NO_INDEX}),
  ...references('qualified_name', 'value', {args: {path: 'src/main.rs', qualified_name: 'main'}, expect: NO_INDEX}),
  ...references('name', 'refused', {args: {path: 'src/main.rs'}, expect: NO_SELECTOR}),
  ...references('limit', 'cap', {args: {symbol_id: 'a', limit: 1000}, expect: NO_INDEX}),
];

const overview = rowsOf(['get_project_index_overview'], 'Read a compact overview window from the local project index.');
const chunk = rowsOf(['get_project_index_chunk'], 'Read a deterministic paged chunk from the local project index.');
const window = ({structured}: DispatchResult): unknown => {
  const {offset, end, returned_chars: chars, has_more: more} = structured as Record<string, unknown>;
  return [offset, end, chars, more];
};
const TOTAL = 13_022;

const INDEX: readonly BladeCase[] = [
  ...overview('max_chars', 'default', {args: {}, pick: window, expect: [0, 6000, 6000, true]}),
  ...overview('max_chars', 'cap', {args: {max_chars: 99_999}, pick: window, expect: [0, 12_000, 12_000, true]}),
  ...overview('offset', 'value', {args: {offset: 13_000}, pick: window, expect: [13_000, TOTAL, 22, false]}),
  ...overview('path', 'value', {
    args: {path: 'docs'},
    pick: ({text}) => text.split('\n')[0],
    expect: 'tool_error: project index missing: docs/.fettle/context/project_index.md',
  }),
  ...chunk('max_chars', 'default', {args: {}, pick: window, expect: [0, 4000, 4000, true]}),
  ...chunk('max_chars', 'cap', {args: {max_chars: 99_999}, pick: window, expect: [0, 8000, 8000, true]}),
  ...chunk('offset', 'value', {args: {offset: TOTAL}, pick: window, expect: [TOTAL, TOTAL, 0, false]}),
  ...chunk('path', 'value', {args: {path: '.', max_chars: 1}, pick: window, expect: [0, 1, 1, true]}),
];

const run = rowsOf(['run_command'], 'Execute a command in the workspace.');
const HI = 'exit_code: 0\nstdout:\nhi\nstderr:';
const running = (waitMs: number): string =>
  `[run_command] still running after ${waitMs} ms: it goes on as session s1, pid=0, until the end of the conversation. To look at it again, or to end it, call command_session with session s1.\nstdout so far:\nstderr so far:`;

const COMMANDS: readonly BladeCase[] = [
  ...spelledAs(run, 'command', {names: ['command', 'Command', 'command_line', 'CommandLine'], args: {command: 'echo hi'}, expect: HI}),
  ...spelledAs(run, 'program', {names: ['program', 'Program'], args: {program: 'echo', args: ['hi']}, expect: HI}),
  ...spelledAs(run, 'args', {
    names: ['args', 'Args'],
    args: {program: 'echo', args: ['$HOME', 'a  b']},
    expect: 'exit_code: 0\nstdout:\n$HOME a  b\nstderr:',
  }),
  ...run('shell', 'default', {args: {program: 'echo', args: ['a;b']}, expect: 'exit_code: 0\nstdout:\na;b\nstderr:'}),
  ...spelledAs(run, 'shell', {
    names: ['shell', 'Shell'],
    args: {program: 'echo', args: ['a;', 'echo', 'b'], shell: true},
    expect: 'exit_code: 0\nstdout:\na\nb\nstderr:',
  }),
  ...run('command', 'value', {args: {command: 'echo a; echo b', shell: false}, expect: 'exit_code: 0\nstdout:\na\nb\nstderr:'}),
  ...run('cwd', 'default', {args: {command: 'pwd'}, expect: 'exit_code: 0\nstdout:\n<root>\nstderr:'}),
  ...spelledAs(run, 'cwd', {
    names: ['cwd', 'Cwd'],
    args: {command: 'pwd', cwd: 'src/deep'},
    expect: 'exit_code: 0\nstdout:\n<root>/src/deep\nstderr:',
  }),
  ...run('blocking', 'default', {args: {command: 'sleep 0.05; echo hi'}, expect: HI}),
  ...spelledAs(run, 'blocking', {
    names: ['blocking', 'Blocking'],
    args: {command: 'sleep 60', blocking: false, wait_ms_before_async: 0},
    expect: running(0),
  }),
  ...spelledAs(run, 'wait_ms_before_async', {
    names: ['wait_ms_before_async', 'WaitMsBeforeAsync'],
    args: {command: 'sleep 60', blocking: false, wait_ms_before_async: 5},
    expect: running(5),
  }),
  ...run('wait_ms_before_async', 'default', {args: {command: 'sleep 60', blocking: false}, expect: running(1000)}),
  ...run('wait_ms_before_async', 'value', {args: {command: 'echo hi', blocking: false, wait_ms_before_async: 60_000}, expect: HI}),
  ...run('-', 'refused', {
    args: {},
    expect: 'tool_error: missing required arg: command/CommandLine or program\nGive command (a shell line), or program with args.',
  }),
  ...run('-', 'refused', {
    args: {command: 'ls', program: 'ls'},
    expect: 'tool_error: command and program are both set.\nGive command (a shell line), or program with args.',
  }),
  ...run('-', 'result', {
    args: {command: 'echo out; echo err >&2; exit 3'},
    expect: 'tool_error: Command failed with exit code 3\nexit_code: 3\nstdout:\nout\nstderr:\nerr',
  }),
];

/** "Editor and UI Interaction", "Local Code-Intelligence", "Project Index" and "Command Execution". */
export const OTHER_CASES: readonly BladeCase[] = [...EDITOR, ...SYMBOLS, ...INDEX, ...COMMANDS];
