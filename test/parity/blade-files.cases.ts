import {rowsOf, spelledAs, type BladeCase} from './blade-case.ts';

const FILE_ALIASES = ['file_path', 'filepath', 'filename', 'TargetFile', 'target_file'];
const MAIN = 'fn main() {\n    hello();\n}\n';
const CHANGED = 'fn main() {\n    bye();\n}\n';

const readFile = rowsOf(['read_file'], 'Read the full contents of a file.');
const MAIN_SHOWN = `=== File: <root>/src/main.rs ===\n${MAIN}`;
const readRange = rowsOf(['read_file_range'], 'Read a specific line range from a file, with optional surrounding context.');
const write = rowsOf(['write_file', 'create_file'], 'Write content to a file. Parent directories are created if needed.');
const WROTE = {expect: 'wrote 3 bytes to <root>/new/a.txt', file: ['new/a.txt', 'hi\n']} as const;
const edit = rowsOf(['edit_file'], 'Legacy single search/replace edit tool.');
const patch = rowsOf(['apply_patch', 'apply_edit'], 'Preferred patch/edit tool for search/replace edits.');
const SEMANTIC = {
  id: 'p1',
  description: 'd',
  file_path: 'src/main.rs',
  operation: 'replace',
  target: {name: 'main', type: 'function'},
  content: 'x',
};
const NO_INDEX =
  'tool_error: language service unavailable: this folder has no symbol index.\nSearch the text instead, with the name of the symbol.';
const EDITED = {file: ['src/main.rs', CHANGED]} as const;
const remove = rowsOf(['delete_file'], 'Delete a file, or a directory when `recursive: true` is provided.');
const move = rowsOf(['move_file'], 'Move or rename a file.');
const copy = rowsOf(['copy_file'], 'Copy a file or recursively copy a directory.');
const mkdir = rowsOf(['create_directory'], 'Create a directory and any missing parent directories.');
const info = rowsOf(['get_file_info'], 'JSON including `path`, `size`, `is_directory`, `is_file`, `modified`, and `readonly`.');

/** "File Tools". */
export const FILE_CASES: readonly BladeCase[] = [
  ...readFile('path', 'required', {args: {path: 'src/main.rs'}, expect: MAIN_SHOWN}),
  ...spelledAs(readFile, 'path', {names: FILE_ALIASES, args: {path: 'src/main.rs'}, expect: MAIN_SHOWN}),
  ...readFile('path', 'refused', {
    args: {},
    expect: 'tool_error: The arguments of read_file do not fit: path is missing (string).\nParameters: path: string.',
  }),
  ...readFile('-', 'result', {args: {path: 'docs/empty.md'}, expect: '=== File: <root>/docs/empty.md (empty) ===\n'}),

  ...readRange('path', 'required', {
    args: {path: 'src/main.rs'},
    expect: 'File: src/main.rs\nLines 1-3 (of 3):\n1: fn main() {\n2:     hello();\n3: }',
  }),
  ...spelledAs(readRange, 'path', {
    names: FILE_ALIASES,
    args: {path: 'src/ten.txt', start_line: 10},
    expect: 'File: src/ten.txt\nLines 10-10 (of 10):\n10: line 10',
  }),
  ...readRange('start_line', 'default', {
    args: {path: 'src/ten.txt', end_line: 2},
    expect: 'File: src/ten.txt\nLines 1-2 (of 10):\n1: line 1\n2: line 2',
  }),
  ...readRange('end_line', 'default', {
    args: {path: 'src/ten.txt', start_line: 9},
    expect: 'File: src/ten.txt\nLines 9-10 (of 10):\n9: line 9\n10: line 10',
  }),
  ...readRange('end_line', 'value', {
    args: {path: 'src/ten.txt', start_line: 10, end_line: 99},
    expect: 'File: src/ten.txt\nLines 10-10 (of 10):\n10: line 10',
  }),
  ...readRange('context_lines', 'default', {
    args: {path: 'src/ten.txt', start_line: 5, end_line: 5},
    expect: 'File: src/ten.txt\nLines 5-5 (of 10):\n5: line 5',
  }),
  ...readRange('context_lines', 'value', {
    args: {path: 'src/ten.txt', start_line: 2, end_line: 2, context_lines: 3},
    expect: 'File: src/ten.txt\nLines 1-5 (of 10):\n1: line 1\n2: line 2\n3: line 3\n4: line 4\n5: line 5',
  }),
  ...readRange('start_line', 'value', {args: {path: 'src/ten.txt', start_line: 99}, expect: 'File: src/ten.txt\nLines 11-10 (of 10):'}),
  ...readRange('end_line', 'refused', {
    args: {path: 'src/ten.txt', start_line: 4, end_line: 2},
    expect: 'tool_error: end_line 2 is before start_line 4.\nBoth are counted from 1, and both lines are read.',
  }),

  ...write('path', 'required', {args: {path: 'new/a.txt', content: 'hi\n'}, ...WROTE}),
  ...spelledAs(write, 'path', {names: FILE_ALIASES, args: {path: 'new/a.txt', content: 'hi\n'}, ...WROTE}),
  ...spelledAs(write, 'content', {
    names: ['contents', 'text', 'data', 'CodeContent'],
    args: {path: 'new/a.txt', content: 'hi\n'},
    ...WROTE,
  }),
  ...write('content', 'value', {
    args: {path: 'src/main.rs', content: 'x'},
    expect: 'wrote 1 byte to <root>/src/main.rs',
    file: ['src/main.rs', 'x'],
  }),

  ...edit('old_content', 'required', {
    args: {path: 'src/main.rs', old_content: 'hello', new_content: 'bye'},
    expect: 'Edited src/main.rs',
    ...EDITED,
  }),
  ...spelledAs(edit, 'path', {
    names: FILE_ALIASES,
    args: {path: 'src/main.rs', old_content: 'hello', new_content: 'bye'},
    expect: 'Edited src/main.rs',
    ...EDITED,
  }),
  ...spelledAs(edit, 'old_content', {
    names: ['old', 'from'],
    args: {path: 'src/main.rs', old_content: 'hello', new_content: 'bye'},
    expect: 'Edited src/main.rs',
    ...EDITED,
  }),
  ...spelledAs(edit, 'new_content', {
    names: ['new', 'to'],
    args: {path: 'src/main.rs', old_content: 'hello', new_content: 'bye'},
    expect: 'Edited src/main.rs',
    ...EDITED,
  }),

  ...patch('old_text', 'required', {
    args: {path: 'src/main.rs', old_text: 'hello', new_text: 'bye'},
    expect: 'Applied edit to src/main.rs',
    ...EDITED,
  }),
  ...spelledAs(patch, 'path', {
    names: FILE_ALIASES,
    args: {path: 'src/main.rs', old_text: 'hello', new_text: 'bye'},
    expect: 'Applied edit to src/main.rs',
    ...EDITED,
  }),
  ...spelledAs(patch, 'old_text', {
    names: ['old_content', 'old', 'from'],
    args: {path: 'src/main.rs', old_text: 'hello', new_text: 'bye'},
    expect: 'Applied edit to src/main.rs',
    ...EDITED,
  }),
  ...spelledAs(patch, 'new_text', {
    names: ['new_content', 'new', 'to'],
    args: {path: 'src/main.rs', old_text: 'hello', new_text: 'bye'},
    expect: 'Applied edit to src/main.rs',
    ...EDITED,
  }),
  ...patch('old_text', 'value', {
    args: {path: 'src/main.rs', old_text: '', new_text: '// top\n'},
    expect: 'Applied edit to src/main.rs',
    file: ['src/main.rs', `// top\n${MAIN}`],
  }),
  ...patch('path', 'refused', {
    args: {old_text: 'a', new_text: 'b'},
    expect:
      'tool_error: missing required arg: path (or file_path, filepath, filename)\nParameters: path with old_text and new_text, or path with patches.',
  }),
  ...patch('new_text', 'refused', {
    args: {path: 'src/main.rs', old_text: 'a'},
    expect:
      'tool_error: missing required arg: new_text (or new_content, new, to)\nParameters: path with old_text and new_text, or path with patches.',
  }),
  ...patch('patches', 'value', {
    args: {
      path: 'src/ten.txt',
      patches: [
        {old_text: 'line 2\n', new_text: ''},
        {old_text: 'line 9', new_text: 'nine'},
      ],
    },
    expect: 'Applied 2 patch(es) atomically to src/ten.txt',
    file: ['src/ten.txt', 'line 1\nline 3\nline 4\nline 5\nline 6\nline 7\nline 8\nnine\nline 10\n'],
  }),
  ...patch('patches', 'refused', {
    args: {
      path: 'src/main.rs',
      patches: [
        {old_text: 'hello', new_text: 'bye'},
        {old_text: 'n', new_text: 'm'},
      ],
    },
    pick: ({isError}) => isError,
    expect: true,
    file: ['src/main.rs', MAIN],
  }),
  ...patch('patches', 'value', {
    args: {path: 'src/main.rs', old_text: 'main', new_text: 'never', patches: [{old_text: 'hello', new_text: 'bye'}]},
    expect: 'Applied 1 patch(es) atomically to src/main.rs',
    ...EDITED,
  }),
  ...patch('start_line', 'value', {
    args: {path: 'docs/two.md', patches: [{old_text: 'same', new_text: 'other', start_line: 3, end_line: 3}]},
    before: [['write_file', {path: 'docs/two.md', content: 'same\n-\nsame\n'}]],
    expect: 'Applied 1 patch(es) atomically to docs/two.md',
    file: ['docs/two.md', 'same\n-\nother\n'],
  }),
  ...spelledAs(patch, 'patch', {
    names: ['patch', 'input'],
    args: {patch: '*** Begin Patch\n*** Update File: src/main.rs\n@@\n-    hello();\n+    bye();\n*** End Patch'},
    expect: 'Applied 1 patch(es) atomically to src/main.rs',
    ...EDITED,
  }),

  ...spelledAs(patch, 'semantic_patch', {
    names: ['semantic_patch', 'patch'],
    args: {semantic_patch: {...SEMANTIC, confidence: 0.9}},
    expect: NO_INDEX,
    file: ['src/main.rs', MAIN],
  }),
  ...patch('semantic_patch', 'refused', {
    args: {semantic_patch: {...SEMANTIC, target: {type: 'function'}}},
    expect:
      'tool_error: semantic_patch: target names no symbol.\nsemantic_patch: {file_path, operation, target: {name, type}, content, confidence}.',
  }),
  ...patch('semantic_patch', 'refused', {
    args: {semantic_patch: {...SEMANTIC, operation: ' '}},
    expect:
      'tool_error: semantic_patch: operation is empty.\nsemantic_patch: {file_path, operation, target: {name, type}, content, confidence}.',
  }),
  ...patch('semantic_patch', 'refused', {
    args: {semantic_patch: {...SEMANTIC, confidence: 2}},
    expect:
      'tool_error: semantic_patch: confidence is not from 0 to 1.\nsemantic_patch: {file_path, operation, target: {name, type}, content, confidence}.',
  }),

  ...remove('path', 'required', {args: {path: 'src/main.rs'}, expect: 'Deleted file src/main.rs', file: ['src/main.rs', null]}),
  ...remove('recursive', 'default', {
    args: {path: 'src'},
    pick: ({isError}) => isError,
    expect: true,
    file: ['src/main.rs', MAIN],
  }),
  ...remove('recursive', 'value', {args: {path: 'src', recursive: true}, expect: 'Deleted directory src', file: ['src/main.rs', null]}),
  ...move('source', 'required', {
    args: {source: 'src/main.rs', destination: 'bin/app.rs'},
    expect: 'Moved src/main.rs to bin/app.rs',
    file: ['bin/app.rs', MAIN],
  }),
  ...move('destination', 'value', {
    args: {source: 'src/main.rs', destination: 'app.rs'},
    expect: 'Moved src/main.rs to app.rs',
    file: ['src/main.rs', null],
  }),
  ...copy('source', 'required', {
    args: {source: 'src/main.rs', destination: 'copy.rs'},
    expect: 'Copied src/main.rs to copy.rs',
    file: ['copy.rs', MAIN],
  }),
  ...copy('destination', 'value', {
    args: {source: 'src', destination: 'src2'},
    expect: 'Copied src to src2',
    file: ['src2/deep/er/leaf.ts', 'export const leaf = 1;\n'],
  }),
  ...mkdir('path', 'required', {args: {path: 'a/b/c'}, expect: 'Created directory a/b/c'}),
  ...mkdir('path', 'value', {args: {path: 'src'}, expect: 'Directory src already exists'}),
  ...info('path', 'required', {
    args: {path: 'src/main.rs'},
    expect: '{"path":"<root>/src/main.rs","size":27,"is_directory":false,"is_file":true,"modified":0,"readonly":false}',
  }),
];
