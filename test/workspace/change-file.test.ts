import {chmod, link, lstat, mkdir, readFile, stat, symlink, utimes} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import type {ExactEdit} from '../../src/text/edit/exact-edit.ts';
import {openWorkspace} from '../../src/workspace/open-workspace.ts';
import {editTextFile} from './support/edit-text-file.ts';
import {readTextFile} from '../../src/workspace/read-file.ts';
import {scratch} from '../support/scratch.ts';
import {treeOf} from './tree.ts';

const signal = new AbortController().signal;
const limits = {maxBytes: 1_000_000};
const one = (oldText: string, newText: string): ExactEdit => ({oldText, newText, replaceAll: false});

/** Bytes written in Latin-1: each character is one byte. */
const raw = (text: string) => Buffer.from(text, 'latin1');

async function edited(bytes: Uint8Array, edit: ExactEdit): Promise<string> {
  const root = await scratch({'file.txt': bytes});
  await editTextFile(join(root, 'file.txt'), edit, limits, signal);
  const tree = await treeOf(root);
  expect(Object.keys(tree)).toEqual(['file.txt']);
  return tree['file.txt'] ?? '';
}

async function refused(bytes: Uint8Array, edit: ExactEdit): Promise<unknown> {
  const root = await scratch({'file.txt': bytes});
  const before = await stat(join(root, 'file.txt'));
  const error: unknown = await editTextFile(join(root, 'file.txt'), edit, limits, signal).catch((error: unknown) => error);
  expect(await treeOf(root)).toEqual({'file.txt': Buffer.from(bytes).toString('latin1')});
  expect(await stat(join(root, 'file.txt'))).toMatchObject({ino: before.ino, mtimeMs: before.mtimeMs});
  return error;
}

describe('the ten edits on which other agents fail', () => {
  it('1: a CRLF file, several lines of old text with LF', async () => {
    expect(await edited(raw('a\r\nb\r\nc\r\nd\r\n'), one('b\nc', 'B\nBB\nC'))).toBe('a\r\nB\r\nBB\r\nC\r\nd\r\n');
  });

  it('2: a file with CRLF and LF mixed, one line changed', async () => {
    expect(await edited(raw('a\r\nb\nc\r\nd\n'), one('c', 'C'))).toBe('a\r\nb\nC\r\nd\n');
  });

  it('3: a UTF-8 byte order mark, the first line changed', async () => {
    expect(await edited(raw('\xef\xbb\xbfa\nb\n'), one('a\n', 'A\n'))).toBe('\xef\xbb\xbfA\nb\n');
  });

  it('4: a Latin-1 byte elsewhere in the file', async () => {
    expect(await edited(raw('// caf\xe9\nlet a = 1;\n'), one('a = 1', 'a = 2'))).toBe('// caf\xe9\nlet a = 2;\n');
  });

  it('5: a Latin-1 character in the edited text itself', async () => {
    expect(await edited(raw('caf\xe9 \xe0 Paris\n'), one('café à', 'thé à'))).toBe('th\xe9 \xe0 Paris\n');
  });

  it('6: old text with spaces in a file with tabs is refused, with the difference named', async () => {
    const error = await refused(raw('if (a) {\n\tb();\n}\n'), one('if (a) {\n    b();\n}', 'if (a) {\n    c();\n}'));
    expect(error).toMatchObject({
      code: 'NOT_FOUND',
      hint: expect.stringContaining('indentation (first: 1 tab in the file, 4 spaces in the old text)'),
    });
  });

  it('7: old text in two places is refused, with the lines named', async () => {
    const error = await refused(raw('x = 1\ny = 2\nx = 1\n'), one('x = 1', 'x = 2'));
    expect(error).toMatchObject({code: 'NOT_UNIQUE', message: expect.stringContaining('lines 1, 3')});
  });

  it('8: no final newline is added', async () => {
    expect(await edited(raw('a\nb'), one('b', 'c'))).toBe('a\nc');
  });

  it('9: the executable bit and the rest of the mode stay', async () => {
    const root = await scratch({'run.sh': 'echo 1\n'});
    for (const mode of [0o755, 0o600, 0o640, 0o711]) {
      await chmod(join(root, 'run.sh'), mode);
      const text = await readFile(join(root, 'run.sh'), 'utf8');
      await editTextFile(join(root, 'run.sh'), one(text, `${text}#\n`), limits, signal);
      expect((await stat(join(root, 'run.sh'))).mode & 0o7777).toBe(mode);
    }
  });

  it('10: of a symbolic link the target is changed, the link stays', async () => {
    const root = await scratch({'real/target.txt': 'old\n'});
    await mkdir(join(root, 'links'));
    await symlink('../real/target.txt', join(root, 'links/a'));
    await symlink('a', join(root, 'links/b'));
    const {path} = await (await openWorkspace(root)).resolve('links/b', {scope: 'inside', forWrite: true});
    await editTextFile(path, one('old', 'new'), limits, signal);
    expect(await treeOf(root)).toEqual({
      links: 'folder',
      'links/a': '-> ../real/target.txt',
      'links/b': '-> a',
      real: 'folder',
      'real/target.txt': 'new\n',
    });
  });
});

describe('editTextFile keeps every other byte', () => {
  const utf16 = (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le');
  const cases: [string, Uint8Array, ExactEdit, Uint8Array][] = [
    ['UTF-16LE', utf16('a\r\nb→\r\n'), one('b→', 'b😀\nc'), utf16('a\r\nb😀\r\nc\r\n')],
    ['UTF-16BE', utf16('a\r\nb\n').swap16(), one('b', 'é'), utf16('a\r\né\n').swap16()],
    ['CR only', raw('a\rb\rc'), one('b', 'b\nbb'), raw('a\rb\rbb\rc')],
    ['form feed and vertical tab', raw('a\x0cb\x0b\r\nc'), one('c', 'd'), raw('a\x0cb\x0b\r\nd')],
    ['U+2028', Buffer.from('a\u2028b\r\nc'), one('b\nc', 'd\ne'), Buffer.from('a\u2028d\r\ne')],
    ['emoji', Buffer.from('👩‍👩‍👧\n😀'), one('👩‍👧\n', '👧\n'), Buffer.from('👩‍👧\n😀')],
    ['a NUL after 8 KB', raw(`${'a'.repeat(9000)}\0b`), one('\0b', '\0c'), raw(`${'a'.repeat(9000)}\0c`)],
    ['one byte', raw('a'), one('a', 'b'), raw('b')],
    ['down to nothing', raw('a'), one('a', ''), raw('')],
    ['down to a byte order mark', raw('\xef\xbb\xbfa'), one('a', ''), raw('\xef\xbb\xbf')],
    ['whitespace only', raw('a\t \tb'), one('\t \t', ' '), raw('a b')],
    ['Windows-1252', raw('\x93hi\x94 \x80'), one('“hi”', '‘ho’'), raw('\x91ho\x92 \x80')],
    ['UTF-8 with stray bytes', raw('\xc3\xa9 \xff\xfe\r\nb'), one('b', 'é'), raw('\xc3\xa9 \xff\xfe\r\n\xc3\xa9')],
    ['a line that has stray bytes', raw('\xc3\xa9 \xff b\n'), one('b', 'c'), raw('\xc3\xa9 \xff c\n')],
    ['trailing blanks', raw('a  \nb\t\r\nc'), one('c', 'd'), raw('a  \nb\t\r\nd')],
    ['CR CR LF', raw('a\r\r\nb'), one('b', 'c'), raw('a\r\r\nc')],
    ['Shift-JIS', raw('\x93\xfa\x96\x7b\r\na=1\r\n'), one('a=1', 'a=2'), raw('\x93\xfa\x96\x7b\r\na=2\r\n')],
  ];
  it.each(cases)('%s', async (_, before, edit, after) => {
    expect(await edited(before, edit)).toBe(Buffer.from(after).toString('latin1'));
  });

  it('refuses a character that the encoding cannot carry', async () => {
    const error = await refused(raw('caf\xe9\n'), one('café', '→'));
    expect(error).toMatchObject({code: 'BAD_ARGS', message: expect.stringContaining('U+2192'), hint: expect.stringContaining('UTF-8')});
    expect(await refused(raw('a'), one('a', '\uD83D'))).toMatchObject({code: 'BAD_ARGS'});
  });

  it('refuses binary files, the empty file, and files above the limit', async () => {
    expect(await refused(raw('a\0b'), one('a', 'b'))).toMatchObject({code: 'NOT_TEXT', message: expect.stringContaining('file.txt')});
    expect(await refused(raw(''), one('a', 'b'))).toMatchObject({code: 'NOT_FOUND'});
    expect(await refused(raw('a'.repeat(1_000_001)), one('a', 'b'))).toMatchObject({code: 'TOO_LARGE'});
  });

  it('reports what it did', async () => {
    const root = await scratch({'file.txt': 'a\nb\na\n'});
    const file = join(root, 'file.txt');
    const result = await editTextFile(file, {oldText: 'a', newText: 'A\nA', replaceAll: true}, limits, signal);
    const {mtimeMs, size} = await stat(file);
    expect(result).toEqual({
      replacements: 2,
      spans: [
        {firstLine: 1, lastLine: 2},
        {firstLine: 4, lastLine: 5},
      ],
      before: 'a\nb\na\n',
      after: 'A\nA\nb\nA\nA\n',
      state: {mtimeMs, size},
    });
  });

  it('refuses a file that is not as expected, before it looks for the text', async () => {
    const root = await scratch({'file.txt': 'a'});
    const file = join(root, 'file.txt');
    const {state} = await readTextFile(file, limits, signal);
    await utimes(file, 1, 1);
    const edit = editTextFile(file, one('nowhere', 'b'), {...limits, expect: state}, signal);
    await expect(edit).rejects.toMatchObject({code: 'STALE'});
    await expect(editTextFile(file, one('a', 'b'), {...limits, expect: {mtimeMs: 1000, size: 1}}, signal)).resolves.toMatchObject({
      replacements: 1,
    });
  });

  it('does nothing once cancelled', async () => {
    const root = await scratch({'file.txt': 'a'});
    const edit = editTextFile(join(root, 'file.txt'), one('a', 'b'), limits, AbortSignal.abort());
    await expect(edit).rejects.toMatchObject({code: 'CANCELLED'});
    expect(await treeOf(root)).toEqual({'file.txt': 'a'});
  });

  it('changes one name of a hard-linked file: the other may lie outside of the workspace', async () => {
    const root = await scratch({'inside/file.txt': 'old', 'outside/other': ''});
    await link(join(root, 'inside/file.txt'), join(root, 'outside/linked'));
    await editTextFile(join(root, 'inside/file.txt'), one('old', 'new'), limits, signal);
    expect(await treeOf(join(root, 'outside'))).toEqual({linked: 'old', other: ''});
    expect((await lstat(join(root, 'inside/file.txt'))).nlink).toBe(1);
  });
});
