import type {GoldenCase} from './case.ts';
import {LATER_CASES} from './vibe-later.cases.ts';

const seed = (place: string): string => `vibe tool system › ${place}`;
const row = (tool: string, parameter: string, rest: Omit<GoldenCase, 'toolset' | 'tool' | 'parameter'>): GoldenCase => ({
  toolset: 'vibe',
  tool,
  parameter,
  ...rest,
});
const failed = (name: string, message: string): string => `<tool_error>${name} failed: ${message}</tool_error>`;

const BASH = seed('1. Bash Tool');
const READ = seed('2. Read File Tool');
const WRITE = seed('3. Write File Tool');
const BLOCKS = seed('4. Search Replace Tool');
const GREP = seed('5. Grep Tool');
const TODO = seed('6. Todo Tool');
const ASK = seed('7. Ask User Question Tool');
const TASK = seed('8. Task Tool');

const FOUR = {'a.txt': 'one\ntwo\nthree\nfour\n'};
const block = (from: string, to: string): string => `<<<<<<< SEARCH\n${from}\n=======\n${to}\n>>>>>>> REPLACE`;
const QUESTION = {question: 'Which?', header: 'Choice', options: [{label: 'A', description: 'a'}, {label: 'B'}]};

const bash: readonly GoldenCase[] = [
  row('bash', 'command', {
    what: 'runs a shell command; the result is a line for each field',
    seed: BASH,
    args: {command: 'echo out; echo err >&2'},
    text: 'command: echo out; echo err >&2\nstdout: out\nstderr: err\nreturncode: 0',
  }),
  row('bash', 'command', {
    what: 'a non-zero exit code is an error with both streams',
    seed: 'Mistral Vibe › bash',
    args: {command: 'echo out; echo err >&2; exit 3'},
    text: failed('bash', "Command failed: 'echo out; echo err >&2; exit 3'\nReturn code: 3\nStderr: err\nStdout: out"),
    outcome: 'error',
  }),
  row('bash', 'command', {
    what: 'stateful: the working folder stays for the next call',
    seed: `${BASH}: "Executes shell commands in a stateful terminal session"`,
    files: {'src/deep/x': ''},
    before: [
      ['bash', {command: 'cd src && cd deep'}],
      ['bash', {command: 'false'}],
    ],
    args: {command: 'pwd'},
    text: 'command: pwd\nstdout: <root>/src/deep\nstderr: \nreturncode: 0',
  }),
  row('bash', 'command', {
    what: 'variables and functions do not stay, as in Vibe itself, whose calls are processes of their own: a rule must mean in the next line what it means in this one',
    seed: `${BASH}: "stateful", as far as it is sound`,
    before: [['bash', {command: 'export X=1; git() { echo mine; }'}]],
    args: {command: 'echo "<$X>"; type -t git || true'},
    text: /stdout: <>\n(?!function)/,
  }),
  row('bash', 'command', {
    what: 'a folder outside of the workspace is not kept',
    seed: 'own rule: the shell stays in the workspace',
    args: {command: 'cd /'},
    text: 'command: cd /\nstdout: \nstderr: \nreturncode: 0\n\nThe command left the workspace: the next one starts in <root> again.',
  }),
  row('bash', 'command', {
    what: 'a stream is cut at 16,000 bytes, and says where the rest is',
    seed: 'Mistral Vibe › bash',
    args: {command: "head -c 20000 /dev/zero | tr '\\0' x"},
    text: /stdout: x{16000}\n\[the first 16000 of 20000 bytes; all of it: \S+\]\nstderr: \nreturncode: 0$/,
  }),
  row('bash', 'timeout', {
    what: 'seconds; what did not end is killed, what it said is kept',
    seed: `${BASH}: "Configurable timeout (default 60s)"`,
    args: {command: 'echo begun; sleep 60', timeout: 1},
    text: failed('bash', "Command timed out after 1s: 'echo begun; sleep 60'\nStderr: \nStdout: begun"),
    outcome: 'error',
  }),
  row('bash', 'timeout', {
    what: '0 is the default',
    seed: 'Mistral Vibe › bash',
    args: {command: 'echo quick', timeout: 0},
    text: 'command: echo quick\nstdout: quick\nstderr: \nreturncode: 0',
  }),
];

const readFile: readonly GoldenCase[] = [
  row('read_file', 'path', {
    what: 'the content as it is, and how much was read',
    seed: READ,
    files: FOUR,
    args: {path: 'a.txt'},
    text: 'path: a.txt\ncontent: one\ntwo\nthree\nfour\nlines_read: 4\nwas_truncated: false',
  }),
  row('read_file', 'path', {
    what: 'a missing file is an error',
    seed: 'Mistral Vibe › read_file',
    files: FOUR,
    args: {file_path: 'b.txt'},
    text: /^<tool_error>read_file failed: b\.txt does not exist\.\nDid you mean a\.txt\?<\/tool_error>$/,
    outcome: 'error',
  }),
  row('read_file', 'path', {
    what: 'an empty path is an error',
    seed: 'Mistral Vibe › read_file: "Path cannot be empty"',
    args: {path: ''},
    text: /^<tool_error>read_file failed: The path is empty\./,
    outcome: 'invalid',
  }),
  row('read_file', 'offset', {
    what: 'counts lines from 0',
    seed: `${READ}: "Line offset and limit parameters"`,
    files: FOUR,
    args: {path: 'a.txt', offset: 2},
    text: 'path: a.txt\ncontent: three\nfour\nlines_read: 2\nwas_truncated: false',
  }),
  row('read_file', 'offset', {
    what: 'may not be negative',
    seed: 'Mistral Vibe › read_file: "Offset cannot be negative"',
    files: FOUR,
    args: {path: 'a.txt', offset: -1},
    text: /offset must be integer ≥ 0, not -1/,
    outcome: 'invalid',
  }),
  row('read_file', 'offset', {
    what: 'past the end: success, and the real length',
    seed: 'Mistral Vibe › read',
    files: FOUR,
    args: {path: 'a.txt', offset: 9},
    text: 'path: a.txt\ncontent: \nlines_read: 0\nwas_truncated: false\n\nThe file has 4 lines.',
  }),
  row('read_file', 'limit', {
    what: 'lines; what it leaves out is not a truncation',
    seed: `${READ}: "Line offset and limit parameters"`,
    files: FOUR,
    args: {path: 'a.txt', offset: 1, limit: 2},
    text: 'path: a.txt\ncontent: two\nthree\nlines_read: 2\nwas_truncated: false\n\nMore lines follow: offset 3',
  }),
  row('read_file', 'limit', {
    what: 'without it: whole lines up to 64,000 bytes',
    seed: `${READ}: "64KB default read limit"`,
    files: {'big.txt': `${'x'.repeat(99)}\n`.repeat(1000)},
    args: {path: 'big.txt'},
    text: /lines_read: 640\nwas_truncated: true\n\nMore lines follow: offset 640$/,
  }),
];

const writeFile: readonly GoldenCase[] = [
  row('write_file', 'path', {
    what: 'folders are created',
    seed: `${WRITE}: "Automatic directory creation"`,
    args: {path: 'new/deep/a.txt', content: 'hi\n'},
    text: 'path: new/deep/a.txt\nbytes_written: 3\nfile_existed: false',
    leaves: {'new/deep/a.txt': 'hi\n'},
  }),
  row('write_file', 'path', {
    what: 'never outside of the workspace',
    seed: 'Mistral Vibe › write_file: "Cannot write outside project directory"',
    args: {path: '/tmp/elsewhere.txt', content: 'x'},
    text: /^<tool_error>write_file failed: .*outside|leads out/,
    outcome: 'error',
  }),
  row('write_file', 'content', {
    what: 'at most 64,000 bytes',
    seed: 'Mistral Vibe › write_file: "Content exceeds N bytes limit"',
    args: {path: 'a.txt', content: 'x'.repeat(64_001)},
    text: /^<tool_error>write_file failed: The arguments of write_file do not fit: content must be/,
    outcome: 'invalid',
  }),
  row('write_file', 'overwrite', {
    what: 'without it a file that is there is left alone',
    seed: 'Mistral Vibe › write_file',
    files: FOUR,
    args: {path: 'a.txt', content: 'new'},
    text: /^<tool_error>write_file failed: <root>\/a\.txt already exists\. Nothing was written\./,
    outcome: 'invalid',
    leaves: FOUR,
  }),
  row('write_file', 'overwrite', {
    what: 'replaces the whole file',
    seed: `${WRITE}: "Creates or overwrites files"`,
    files: FOUR,
    args: {path: 'a.txt', content: 'new\n', overwrite: true},
    text: 'path: a.txt\nbytes_written: 4\nfile_existed: true',
    leaves: {'a.txt': 'new\n'},
  }),
  row('write_file', 'append', {
    what: 'adds to the end',
    seed: `${WRITE}: "Append mode support"`,
    files: FOUR,
    args: {path: 'a.txt', content: 'five\n', append: true},
    text: 'path: a.txt\nbytes_written: 5\nfile_existed: true',
    leaves: {'a.txt': 'one\ntwo\nthree\nfour\nfive\n'},
  }),
];

const searchReplace: readonly GoldenCase[] = [
  row('search_replace', 'file_path', {
    what: 'also under the names of other agents',
    seed: 'other agents: names of parameters',
    files: FOUR,
    args: {path: 'a.txt', content: block('two', 'TWO')},
    text: 'file: a.txt\nblocks_applied: 1\nlines_changed: 1\nwarnings: []',
    leaves: {'a.txt': 'one\nTWO\nthree\nfour\n'},
  }),
  row('search_replace', 'content', {
    what: 'several blocks, one after the other',
    seed: `${BLOCKS}: "Multi-block editing"`,
    files: FOUR,
    args: {file_path: 'a.txt', content: `${block('two', '2\n2b')}\n${block('2b', 'b')}`},
    text: 'file: a.txt\nblocks_applied: 2\nlines_changed: 2\nwarnings: []',
    leaves: {'a.txt': 'one\n2\nb\nthree\nfour\n'},
  }),
  row('search_replace', 'content', {
    what: 'one block that fits nowhere: nothing is written',
    seed: 'Mistral Vibe › search_replace: all or nothing',
    files: FOUR,
    args: {file_path: 'a.txt', content: `${block('two', 'x')}\n${block('nowhere at all', 'y')}`},
    text: /^<tool_error>search_replace failed: /,
    outcome: 'error',
    leaves: FOUR,
  }),
  row('search_replace', 'fuzzy', {
    what: 'takes the one place that is nearly the same; without it the place is only shown',
    seed: `${BLOCKS}: "Fuzzy matching (tolerates minor differences)"`,
    files: {'a.ts': 'function add(left: number, right: number) {\n  return left + right;\n}\n'},
    before: [['search_replace', {file_path: 'a.ts', content: block('function add(left: number, rigth: number) {', 'never')}]],
    args: {
      file_path: 'a.ts',
      content: block('function add(left: number, rigth: number) {', 'function sum(left: number, right: number) {'),
      fuzzy: true,
    },
    text: /^file: a\.ts\nblocks_applied: 1\nlines_changed: 1\nwarnings: \[".+"\]$/,
    leaves: {'a.ts': 'function sum(left: number, right: number) {\n  return left + right;\n}\n'},
  }),
  row('search_replace', 'reformat', {
    what: 'lays JSON out anew',
    seed: `${BLOCKS}: "YAML/JSON support with reformatting"`,
    files: {'a.json': '{\n  "a": 1\n}\n'},
    args: {file_path: 'a.json', content: block('  "a": 1', '"a": 1, "b":    2'), reformat: true},
    text: /^file: a\.json\nblocks_applied: 1\nlines_changed: \d\nwarnings: \[.*\]$/,
    leaves: {'a.json': '{\n  "a": 1,\n  "b": 2\n}\n'},
  }),
];

const TREE = {
  'a.txt': 'Two\ntwo\n',
  'src/b.ts': 'two\n',
  'dist/c.js': 'two\n',
  'ignored.log': 'two\n',
  '.gitignore': '*.log\n',
  '.hidden': 'two\n',
};
const found = (lines: readonly string[], truncated = false): string =>
  `matches: ${lines.join('\n')}\nmatch_count: ${lines.length}\nwas_truncated: ${truncated}`;

const grep: readonly GoldenCase[] = [
  row('grep', 'pattern', {
    what: 'ripgrep; all lower-case ignores case; excludes, .gitignore and hidden files are left out',
    seed: `${GREP}: "Ripgrep backend (preferred)", "Configurable exclude patterns"`,
    files: TREE,
    args: {pattern: 'two'},
    text: found(['a.txt:1:Two', 'a.txt:2:two', 'src/b.ts:1:two']),
  }),
  row('grep', 'pattern', {
    what: 'a capital letter makes case count',
    seed: 'Mistral Vibe › grep: smart case',
    files: TREE,
    args: {pattern: 'Two'},
    text: found(['a.txt:1:Two']),
  }),
  row('grep', 'pattern', {
    what: 'nothing found is an empty success',
    seed: 'Mistral Vibe › grep',
    files: TREE,
    args: {pattern: 'seven'},
    text: found([]),
  }),
  row('grep', 'path', {
    what: 'a folder or a file',
    seed: GREP,
    files: TREE,
    args: {pattern: 'two', path: 'src'},
    text: found(['src/b.ts:1:two']),
  }),
  row('grep', 'path', {
    what: 'what is named itself is not excluded',
    seed: 'ripgrep: a path that is named is searched',
    files: TREE,
    args: {pattern: 'two', path: 'dist/c.js'},
    text: found(['dist/c.js:1:two']),
  }),
  row('grep', 'max_matches', {
    what: 'counted over all files',
    seed: `${GREP}: "Max output/match limits"`,
    files: TREE,
    args: {pattern: 'two', max_matches: 2},
    text: found(['a.txt:1:Two', 'a.txt:2:two'], true),
  }),
  row('grep', 'max_matches', {
    what: 'default 100',
    seed: 'Mistral Vibe › grep',
    files: {'a.txt': 'x\n'.repeat(101)},
    args: {pattern: 'x'},
    text: found(
      Array.from({length: 100}, (_, index) => `a.txt:${index + 1}:x`),
      true,
    ),
  }),
  row('grep', 'use_default_ignore', {
    what: 'false: .gitignore does not count, excludes do',
    seed: 'Mistral Vibe › grep',
    files: TREE,
    args: {pattern: 'two', use_default_ignore: false, path: '.'},
    text: found(['a.txt:1:Two', 'a.txt:2:two', 'ignored.log:1:two', 'src/b.ts:1:two']),
  }),
  row('grep', 'exclude_patterns', {
    what: 'more to leave out',
    seed: `${GREP}: "Configurable exclude patterns"`,
    files: TREE,
    args: {pattern: 'two', exclude_patterns: ['*.txt']},
    text: found(['src/b.ts:1:two']),
  }),
  row('grep', '', {
    what: '.vibeignore is honoured, and its ! lines take files in again',
    seed: `${GREP}: "Custom .vibeignore support"`,
    files: {'.vibeignore': '# mine\n*.ts\n!keep.ts\nsecret/\n', 'a.ts': 'two', 'keep.ts': 'two', 'secret/keep.ts': 'two', 'b.txt': 'two'},
    args: {pattern: 'two'},
    text: found(['b.txt:1:two', 'keep.ts:1:two']),
  }),
  row('grep', '', {
    what: '.vibeignore can take in what is left out by default',
    seed: `${GREP}: "Custom .vibeignore support"`,
    files: {'.vibeignore': '!dist/\n', 'dist/a.js': 'two', 'build/b.js': 'two'},
    args: {pattern: 'two'},
    text: found(['dist/a.js:1:two']),
  }),
];

const item = (id: string, rest: object = {}): object => ({id, content: `do ${id}`, ...rest});
const todo: readonly GoldenCase[] = [
  row('todo', 'action', {
    what: 'read: the list as it is',
    seed: TODO,
    args: {action: 'read'},
    text: 'message: Retrieved 0 todos\ntodos: []\ntotal_count: 0',
  }),
  row('todo', 'action', {
    what: 'the list stays',
    seed: `${TODO}: "Persistent state"`,
    before: [['todo', {action: 'write', todos: [item('1', {status: 'completed'})]}]],
    args: {action: 'read'},
    text: 'message: Retrieved 1 todos\ntodos: [{"id":"1","content":"do 1","status":"completed","priority":"medium"}]\ntotal_count: 1',
  }),
  row('todo', 'todos', {
    what: 'write replaces the whole list; pending and medium are the defaults',
    seed: `${TODO}: "Status tracking (pending/in_progress/completed)"`,
    before: [['todo', {action: 'write', todos: [item('1')]}]],
    args: {action: 'write', todos: [item('2'), item('3', {status: 'in_progress', priority: 'high'})]},
    text: 'message: Updated 2 todos\ntodos: [{"id":"2","content":"do 2","status":"pending","priority":"medium"},{"id":"3","content":"do 3","status":"in_progress","priority":"high"}]\ntotal_count: 2',
  }),
  row('todo', 'todos', {
    what: 'at most 100',
    seed: 'Mistral Vibe › todo',
    args: {action: 'write', todos: Array.from({length: 101}, (_, index) => item(String(index)))},
    text: /^<tool_error>todo failed: 101 items are more than the 100/,
    outcome: 'invalid',
  }),
  row('todo', 'todos', {
    what: 'an id may not come twice',
    seed: 'Mistral Vibe › todo',
    args: {action: 'write', todos: [item('1'), item('1')]},
    text: /^<tool_error>todo failed: The id "1" is used twice\./,
    outcome: 'invalid',
  }),
];

const ask: readonly GoldenCase[] = [
  row('ask_user_question', 'questions', {
    what: 'structured questions and answers',
    seed: `${ASK}: AskUserQuestionResult`,
    args: {questions: [QUESTION]},
    text: 'answers: [{"question":"Which?","answer":"A","is_other":false}]\ncancelled: false',
  }),
  ...(
    [
      ['1-4 questions', [], '"1-4 questions per invocation"', /questions must be array of 1 to 4/],
      ['1-4 questions', Array.from({length: 5}, () => QUESTION), '"1-4 questions per invocation"', /questions must be array of 1 to 4/],
      [
        '2-4 choices',
        [{...QUESTION, options: [{label: 'A'}]}],
        '"2-4 choices per question"',
        /questions\[0\]\.options must be array of 2 to 4/,
      ],
      [
        'short headers',
        [{...QUESTION, header: 'longer than twelve'}],
        '"Short label (max 12 chars)"',
        /questions\[0\]\.header must be string of at most 12 characters/,
      ],
    ] as const
  ).map(([what, questions, quote, text]) =>
    row('ask_user_question', 'questions', {
      what: `${what}: else refused`,
      seed: `${ASK}: ${quote}`,
      args: {questions},
      text,
      outcome: 'invalid',
    }),
  ),
];

const task: readonly GoldenCase[] = [
  row('task', 'task', {
    what: 'the report of the subagent',
    seed: `${TASK}: TaskResult`,
    args: {task: 'look around'},
    text: 'response: explore did: look around\nturns_used: 2\ncompleted: true',
  }),
  row('task', 'agent', {
    what: 'another profile',
    seed: `${TASK}: "Agent profile name (must be subagent)"`,
    args: {task: 'look', agent: 'review'},
    text: 'response: review did: look\nturns_used: 2\ncompleted: true',
  }),
];

export const CASES: readonly GoldenCase[] = [
  ...bash,
  ...readFile,
  ...writeFile,
  ...searchReplace,
  ...grep,
  ...todo,
  ...ask,
  ...task,
  ...LATER_CASES,
];
