import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {beforeEach, describe, expect, it} from 'vitest';
import {editText} from '../../../../src/tools/operations/edit/edit-text.ts';
import {readMany, type ReadManyArgs} from '../../../../src/tools/operations/fs/read-many.ts';
import {realWorkspace, type RealWorkspace} from '../../support/real-context.ts';

const DEFAULTS: ReadManyArgs = {patterns: [], dialect: 'bash', exclude: [], maxFiles: 100, maxBytesPerFile: 65_536, lineNumbers: false};
let work: RealWorkspace;
const read = (args: Partial<ReadManyArgs>) => work.outcome(readMany, {...DEFAULTS, ...args});
const file = (path: string, content: string, over: object = {}) => {
  const bytes = Buffer.byteLength(content);
  return {path, truncated: false, content, lineCount: content.split('\n').length, byteCount: bytes, originalByteCount: bytes + 1, ...over};
};
const summary = (over: object) => ({
  matched: 0,
  returned: 0,
  truncatedFiles: 0,
  skipped: 0,
  failed: 0,
  unmatched: [],
  elapsedMs: expect.any(Number),
  ...over,
});

beforeEach(async () => {
  work = await realWorkspace({
    'a.ts': 'one\ntwo\n',
    'src/b.ts': 'b\n',
    'src/deep/c.ts': 'c\n',
    'src/d.md': 'd\n',
    'ignored.ts': 'ignored\n',
    '.hidden.ts': 'hidden\n',
    '.gitignore': 'ignored.ts\n',
  });
});

describe('zblade tool calls › read_many_files', () => {
  it('"files selected by glob patterns", each once, in order; ignored and hidden ones are left out', async () => {
    expect(await read({patterns: ['**/*.ts', 'src/*', 'a.ts']})).toEqual({
      files: [file('a.ts', 'one\ntwo'), file('src/b.ts', 'b'), file('src/d.md', 'd'), file('src/deep/c.ts', 'c')],
      summary: summary({matched: 4, returned: 4}),
    });
    expect(await read({patterns: ['*.ts'], dialect: 'gitignore'})).toMatchObject({summary: {matched: 3}});
  });
  it('"exclude— Exclude globs"', async () => {
    expect(await read({patterns: ['**/*'], exclude: ['deep', '*.md']})).toMatchObject({files: [{path: 'a.ts'}, {path: 'src/b.ts'}]});
  });
  it('a file is read by its own path, ignored or not; a hidden one also by a pattern with a dot', async () => {
    expect(await read({patterns: ['ignored.ts', '.*.ts']})).toEqual({
      files: [file('.hidden.ts', 'hidden'), file('ignored.ts', 'ignored')],
      summary: summary({matched: 2, returned: 2}),
    });
  });
  it('a pattern that selects nothing is named beside what others select', async () => {
    const done = await read({patterns: ['a.ts', 'gone.ts', '*.none']});
    expect(done).toMatchObject({files: [{path: 'a.ts'}], summary: {matched: 1, unmatched: ['gone.ts', '*.none']}});
  });

  it('"max_files", "include_line_numbers"', async () => {
    expect(await read({patterns: ['**/*.ts'], maxFiles: 1, lineNumbers: true})).toEqual({
      files: [{...file('a.ts', 'one\ntwo'), content: '1: one\n2: two'}],
      summary: summary({matched: 3, returned: 1, skipped: 2}),
    });
  });
  it('"max_bytes_per_file": whole lines, of a longer line whole characters', async () => {
    await writeFile(join(work.root, 'long.ts'), 'é'.repeat(10));
    await writeFile(join(work.root, 'lines.ts'), 'abc\ndef\nghi\n');
    expect(await read({patterns: ['l*.ts'], maxBytesPerFile: 9})).toEqual({
      files: [
        file('lines.ts', 'abc\ndef', {truncated: true, originalByteCount: 12}),
        file('long.ts', 'éééé', {truncated: true, originalByteCount: 20}),
      ],
      summary: summary({matched: 2, returned: 2, truncatedFiles: 2}),
    });
  });
  it('what cannot be read is told beside the others; nothing found, or nothing readable, is an error', async () => {
    await writeFile(join(work.root, 'x.bin'), Uint8Array.of(0));
    expect(await read({patterns: ['x.bin', 'a.ts']})).toEqual({
      files: [file('a.ts', 'one\ntwo'), {path: 'x.bin', error: expect.stringContaining('not text')}],
      summary: summary({matched: 2, returned: 1, failed: 1}),
    });
    expect(await read({patterns: ['x.bin']})).toMatchObject({code: 'NOT_TEXT'});
    expect(await read({patterns: ['*.zig']})).toMatchObject({code: 'NOT_FOUND', message: 'No file matches *.zig after the filters.'});
    expect(await read({patterns: ['../*']})).toMatchObject({code: 'BAD_ARGS'});
  });
  it('the policy sees each file; what was read is known to later edits', async () => {
    const {subjects} = await readMany.resolve({...DEFAULTS, patterns: ['src/*']}, work.ctx);
    expect(subjects.map((subject) => subject.kind === 'path' && subject.relative)).toEqual(['src/b.ts', 'src/d.md']);
    await read({patterns: ['a.ts']});
    await writeFile(join(work.root, 'a.ts'), 'one\n');
    expect(
      await work.outcome(editText, {path: 'a.ts', edit: {form: 'exact', oldText: 'one', newText: 'x', replaceAll: false}}),
    ).toMatchObject({code: 'STALE'});
  });
});
