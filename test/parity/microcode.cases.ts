import type {GoldenCase} from './case.ts';

const seed = (tool: string, quote: string): string => `microcode tools › ${tool}: "${quote}"`;
const row = (tool: string, parameter: string, rest: Omit<GoldenCase, 'toolset' | 'tool' | 'parameter'>): GoldenCase => ({
  toolset: 'microcode',
  tool,
  parameter,
  ...rest,
});

const THREE = {'a.rs': 'one\ntwo\nthree\n'};
const TREE = {'src/a.rs': 'TODO a\n', 'src/b.ts': 'todo b\n', 'c.rs': 'TODO c\n'};

export const CASES: readonly GoldenCase[] = [
  row('read', 'path', {
    what: 'relative or absolute',
    seed: seed('read', 'Output is <line-number>\\t<line>'),
    files: THREE,
    args: {path: 'a.rs'},
    text: '1\tone\n2\ttwo\n3\tthree',
  }),
  row('read', 'offset', {
    what: 'the first line, from 1',
    seed: seed('read', '1-indexed line to start at. Default 1'),
    files: THREE,
    args: {path: 'a.rs', offset: 2},
    text: '2\ttwo\n3\tthree',
  }),
  row('read', 'limit', {
    what: 'lines',
    seed: seed('read', 'max lines to return. Default 2000'),
    files: THREE,
    args: {path: 'a.rs', offset: 2, limit: 1},
    text: '2\ttwo',
  }),
  row('ls', 'path', {
    what: 'd for directories, f for files',
    seed: seed('ls', 'Single-level directory listing'),
    files: TREE,
    args: {path: '.'},
    text: 'f c.rs\nd src',
  }),
  row('glob', 'pattern', {
    what: 'gitignore-style',
    seed: seed('glob', 'gitignore-style glob'),
    files: {'src/a.rs': ''},
    args: {pattern: '*.rs'},
    text: 'src/a.rs',
  }),
  row('glob', 'path', {
    what: 'where to search',
    seed: seed('glob', 'search root, relative to cwd'),
    files: TREE,
    args: {pattern: '*.rs', path: 'src'},
    text: 'src/a.rs',
  }),
  row('grep', 'pattern', {
    what: 'Rust regex; path:line:content',
    seed: seed('grep', 'Returns up to 200 matches as path:line:content'),
    files: TREE,
    args: {pattern: '^TODO [a-c]'},
    text: 'c.rs:1:TODO c\nsrc/a.rs:1:TODO a',
  }),
  row('grep', 'path', {
    what: 'where to search',
    seed: seed('grep', 'search root'),
    files: TREE,
    args: {pattern: 'TODO', path: 'src'},
    text: 'src/a.rs:1:TODO a',
  }),
  row('grep', 'include', {
    what: 'a glob filter',
    seed: seed('grep', 'glob filter, e.g. *.rs or src/**/*.toml'),
    files: TREE,
    args: {pattern: 'TODO', include: 'src/**'},
    text: 'src/a.rs:1:TODO a',
  }),
  row('grep', 'case_insensitive', {
    what: 'defaults to false',
    seed: seed('grep', 'case_insensitive — defaults to false'),
    files: TREE,
    args: {pattern: 'TODO', include: '*.ts', case_insensitive: true},
    text: 'src/b.ts:1:todo b',
  }),
  row('write', 'path', {
    what: 'parents are created',
    seed: seed('write', 'Creates parent directories as needed'),
    args: {path: 'x/y.txt', content: 'hi'},
    text: 'created x/y.txt (2 bytes)',
    leaves: {'x/y.txt': 'hi'},
  }),
  row('write', 'content', {
    what: 'unconditionally',
    seed: seed('write', 'Overwrites unconditionally'),
    files: {'a.txt': 'old'},
    args: {path: 'a.txt', content: 'new'},
    text: 'overwrote a.txt (3 bytes)',
    leaves: {'a.txt': 'new'},
  }),
  row('edit', 'path', {
    what: 'the file',
    seed: seed('edit', 'Replace exact strings in a file'),
    files: {'a.txt': 'one two'},
    args: {file_path: 'a.txt', old_string: 'two', new_string: '2'},
    text: 'edited a.txt (1 replacement)',
    leaves: {'a.txt': 'one 2'},
  }),
  row('edit', 'old_string', {
    what: 'must be unique',
    seed: seed('edit', 'It must be unique in the file unless replace_all is true'),
    files: {'a.txt': 'a a'},
    args: {path: 'a.txt', old_string: 'a', new_string: 'b'},
    text: /^error: /,
    outcome: 'error',
    leaves: {'a.txt': 'a a'},
  }),
  row('edit', 'new_string', {
    what: 'may be empty',
    seed: seed('edit', 'surgical edits'),
    files: {'a.txt': 'ab'},
    args: {path: 'a.txt', old_string: 'b', new_string: ''},
    text: 'edited a.txt (1 replacement)',
    leaves: {'a.txt': 'a'},
  }),
  row('edit', 'replace_all', {
    what: 'every occurrence',
    seed: seed('edit', 'unless replace_all is true'),
    files: {'a.txt': 'a a'},
    args: {path: 'a.txt', old_string: 'a', new_string: 'b', replace_all: true},
    text: 'edited a.txt (2 replacements)',
    leaves: {'a.txt': 'b b'},
  }),
  row('bash', 'command', {
    what: 'both streams, the exit code last',
    seed: seed('bash', 'with the exit code on the last line'),
    args: {command: 'echo a; echo b >&2; exit 3'},
    text: 'a\n--- stderr ---\nb\nexit code: 3',
    outcome: 'error',
  }),
  row('bash', 'timeout_ms', {
    what: 'milliseconds',
    seed: seed('bash', 'max ms. Defaults to 120000, capped at 600000'),
    args: {command: 'sleep 60', timeout_ms: 50},
    text: /^exit code: none \(timed out after \d\.\d s; everything it started was killed\)$/,
    outcome: 'error',
  }),
];
