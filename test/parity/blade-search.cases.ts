import {rowsOf, spelledAs, type BladeCase} from './blade-case.ts';

const FOLDER_ALIASES = ['dir', 'directory'];

const list = rowsOf(['list_dir', 'list_directory'], 'Directory path. Defaults to `.`.');
const tree = rowsOf(['get_workspace_structure'], 'Return a tree view of the workspace or a subdirectory.');
const TREE = 'Directory: <root>\ndocs/\n  Notes.md\n  empty.md\nsrc/\n  deep/\n  main.rs\n  ten.txt';
const names = rowsOf(['find_files'], 'Find files by substring match on filename.');
const glob = rowsOf(['find_files_glob', 'glob'], 'Find files with a glob pattern.');
const grep = rowsOf(['grep_search', 'rg'], 'Search file contents with a regular expression.');
const DOCS_HIT = 'docs/Notes.md:1:needle in docs';
const search = rowsOf(['codebase_search'], 'Search the codebase with regex and return matches with surrounding context.');

const lineCount = ({text}: {readonly text: string}): number => text.split('\n').length;

function timedOut(timeoutMs: number, path: string): string {
  return JSON.stringify({
    timed_out: true,
    timeout_ms: timeoutMs,
    partial_results: ['docs/Notes.md:1:needle'],
    result_count: 1,
    searched_path: path,
    next_step_hint: 'Search a smaller path, use a more specific pattern, or raise timeout_ms (at most 30000).',
  });
}

/** "Directory and Search Tools". */
export const SEARCH_CASES: readonly BladeCase[] = [
  ...list('path', 'default', {args: {}, expect: 'Directory: <root>\ndocs/\nsrc/'}),
  ...list('path', 'value', {args: {path: 'src'}, expect: 'Directory: <root>/src\ndeep/\nmain.rs\nten.txt'}),
  ...tree('path', 'default', {args: {}, expect: TREE}),
  ...tree('depth', 'default', {args: {path: '.'}, expect: TREE}),
  ...tree('depth', 'value', {args: {depth: 1}, expect: 'Directory: <root>\ndocs/\nsrc/'}),
  ...tree('depth', 'value', {
    args: {path: 'src', depth: 3},
    expect: 'Directory: <root>/src\ndeep/\n  er/\n    leaf.ts\nmain.rs\nten.txt',
  }),
  ...spelledAs(tree, 'path', {names: FOLDER_ALIASES, args: {path: 'docs'}, expect: 'Directory: <root>/docs\nNotes.md\nempty.md'}),
  ...tree('limit', 'value', {
    args: {limit: 1},
    expect: 'Directory: <root>\ndocs/\n(showing 1 of 7 entries, use a more specific path or increase limit)',
  }),
  ...tree('limit', 'default', {args: {path: 'many'}, pick: lineCount, expect: 1 + 50 + 1}),
  ...tree('limit', 'cap', {args: {path: 'many', limit: 1000}, pick: lineCount, expect: 1 + 200 + 1}),

  ...names('pattern', 'required', {args: {pattern: 'Note'}, expect: 'docs/Notes.md'}),
  ...names('pattern', 'value', {args: {pattern: 'note'}, expect: 'No matching files found.'}),
  ...names('pattern', 'value', {args: {pattern: 'dee'}, expect: 'src/deep'}),
  ...names('path', 'value', {args: {pattern: 'e', path: 'docs'}, expect: 'docs/Notes.md\ndocs/empty.md'}),
  ...names('max_depth', 'value', {args: {pattern: 'leaf', max_depth: 3}, expect: 'No matching files found.'}),
  ...names('max_depth', 'value', {args: {pattern: 'leaf', max_depth: 4}, expect: 'src/deep/er/leaf.ts'}),

  ...glob('pattern', 'required', {args: {pattern: 'src/**/*.ts'}, expect: 'src/deep/er/leaf.ts'}),
  ...spelledAs(glob, 'pattern', {names: ['glob'], args: {pattern: 'src*.rs'}, expect: 'src/main.rs'}),
  ...glob('path', 'value', {args: {pattern: '*.ts', path: 'src'}, expect: 'src/deep/er/leaf.ts'}),
  ...glob('case_sensitive', 'default', {args: {pattern: 'DOCS/notes.*'}, expect: 'docs/Notes.md'}),
  ...glob('case_sensitive', 'value', {args: {pattern: 'DOCS/notes.*', case_sensitive: true}, expect: 'No matching files found.'}),
  ...glob('-', 'cap', {
    args: {pattern: 'many/*'},
    pick: ({text}) => text.split('\n').slice(198),
    expect: ['many/f198.txt', 'many/f199.txt', '... (truncated after 200 results)'],
  }),

  ...grep('pattern', 'required', {args: {pattern: 'needle in \\w+'}, expect: DOCS_HIT}),
  ...spelledAs(grep, 'pattern', {names: ['query', 'regex'], args: {pattern: 'needle'}, expect: DOCS_HIT}),
  ...grep('path', 'default', {args: {pattern: 'needle', path: '.'}, expect: DOCS_HIT}),
  ...spelledAs(grep, 'path', {names: ['path', ...FOLDER_ALIASES], args: {pattern: 'needle', path: 'src'}, expect: '(no matches)'}),
  ...grep('include_dependencies', 'default', {args: {pattern: 'needle in [dv]'}, expect: DOCS_HIT}),
  ...grep('include_dependencies', 'value', {
    args: {pattern: 'needle', include_dependencies: true},
    expect: `${DOCS_HIT}\nnode_modules/dep/index.js:1:needle in dep\nvendor/v.go:1:needle in vendor`,
  }),
  ...grep('pattern', 'refused', {args: {pattern: 'a(?=b)'}, pick: ({isError}) => isError, expect: true}),
  ...grep('timeout_ms', 'default', {args: {pattern: 'needle'}, stub: 'slow search', expect: timedOut(8000, '.')}),
  ...grep('timeout_ms', 'value', {
    args: {pattern: 'x', path: 'docs', timeout_ms: 700},
    stub: 'slow search',
    expect: timedOut(700, 'docs').replace('docs/Notes', 'docs/docs/Notes'),
  }),
  ...grep('timeout_ms', 'cap', {args: {pattern: 'x', timeout_ms: 99_999}, stub: 'slow search', expect: timedOut(30_000, '.')}),
  ...grep('timeout_ms', 'cap', {args: {pattern: 'x', timeout_ms: 1}, stub: 'slow search', expect: timedOut(500, '.')}),

  ...search('query', 'required', {
    args: {query: 'line 5'},
    expect:
      "Found 1 match for 'line 5' (showing up to 50):\n\nsrc/ten.txt:5\n    3: line 3\n    4: line 4\n>>> 5: line 5\n    6: line 6\n    7: line 7",
  }),
  ...search('query', 'value', {args: {query: 'zebra'}, expect: "No matches found for query: 'zebra'"}),
  ...search('file_pattern', 'value', {
    args: {query: 'hello|leaf', file_pattern: '*.ts, nothing.md'},
    expect: "Found 1 match for 'hello|leaf' (showing up to 50):\n\nsrc/deep/er/leaf.ts:1\n>>> 1: export const leaf = 1;",
  }),
  ...search('max_results', 'value', {
    args: {query: 'line 1', max_results: 1},
    pick: ({text}) => text.split('\n')[0],
    expect: "Found 1 or more match for 'line 1' (showing up to 1):",
  }),
  ...search('max_results', 'default', {
    args: {query: 'word'},
    pick: ({text}) => text.match(/^>>> /gm)?.length,
    expect: 50,
  }),
];
