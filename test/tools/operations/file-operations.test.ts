import {chmod, mkdir, readFile, stat, symlink, utimes, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {beforeEach, describe, expect, it} from 'vitest';
import {copyPath} from '../../../src/tools/operations/fs/copy-path.ts';
import {deletePath} from '../../../src/tools/operations/fs/delete-path.ts';
import {makeFolder} from '../../../src/tools/operations/fs/make-folder.ts';
import {movePath} from '../../../src/tools/operations/fs/move-path.ts';
import {pathInfo} from '../../../src/tools/operations/fs/path-info.ts';
import {readFile as readOperation} from '../../../src/tools/operations/fs/read-file.ts';
import {writeFile as writeOperation} from '../../../src/tools/operations/fs/write-file.ts';
import {treeOf} from '../../workspace/tree.ts';
import {realWorkspace, type RealWorkspace} from '../support/real-context.ts';

let work: RealWorkspace;
const at = (path: string) => join(work.root, path);
const read = (path: string) => work.outcome(readOperation, {path, maxBytes: 1000, whole: true});
const write = (path: string, content: string) => work.outcome(writeOperation, {path, content, ifChanged: 'refuse'});

beforeEach(async () => {
  work = await realWorkspace({'a.txt': 'a\n', 'dir/b.txt': 'b\n', 'dir/sub/c.txt': 'c\n'});
});

describe('zblade tool calls › delete_file', () => {
  const remove = (path: string, recursive = false) => work.outcome(deletePath, {path, recursive});

  it('"Delete a file, or a directory when recursive: true is provided"', async () => {
    expect(await remove('a.txt')).toEqual({path: 'a.txt', file: at('a.txt'), kind: 'file', changes: [{path: at('a.txt'), kind: 'delete'}]});
    expect(await remove('dir')).toEqual({
      code: 'BAD_ARGS',
      message: 'dir is a folder: it is deleted only with recursive: true. Nothing was changed.',
      hint: 'List the folder first; then say recursive: true if all of it may go.',
    });
    expect(await remove('dir/', true)).toEqual({
      path: 'dir',
      file: at('dir'),
      kind: 'folder',
      changes: [
        {path: at('dir/b.txt'), kind: 'delete'},
        {path: at('dir/sub/c.txt'), kind: 'delete'},
      ],
    });
    expect(await treeOf(work.root)).toEqual({});
    expect(await remove('a.txt')).toMatchObject({code: 'NOT_FOUND', message: 'a.txt does not exist.'});
  });
  it('a link is deleted, not what it leads to', async () => {
    await symlink('dir', at('link'));
    await symlink('nowhere', at('dangling'));
    expect(await remove('link')).toMatchObject({kind: 'link', changes: [{path: at('link'), kind: 'delete'}]});
    expect(await remove('dangling')).toMatchObject({kind: 'link'});
    expect(await treeOf(work.root)).toMatchObject({'dir/b.txt': 'b\n'});
  });
  it('a file that changed since it was read stays, also in a folder: STALE', async () => {
    await read('dir/b.txt');
    await writeFile(at('dir/b.txt'), 'changed by another\n');
    expect(await remove('dir/b.txt')).toMatchObject({code: 'STALE'});
    expect(await remove('dir', true)).toMatchObject({code: 'STALE'});
    await read('dir/b.txt');
    expect(await remove('dir', true)).toMatchObject({kind: 'folder'});
    expect(await write('dir/b.txt', 'new\n')).toMatchObject({created: true});
  });
  it('the policy sees every file below', async () => {
    const {subjects} = await deletePath.resolve({path: 'dir', recursive: true}, work.ctx);
    expect(subjects.map((subject) => (subject.kind === 'path' ? [subject.relative, subject.write, subject.inside] : []))).toEqual([
      ['dir', true, true],
      ['dir/b.txt', true, true],
      ['dir/sub/c.txt', true, true],
    ]);
  });
});

describe('zblade tool calls › move_file', () => {
  const move = (source: string, destination: string) => work.outcome(movePath, {source, destination});

  it('"Move or rename a file", folders above are made', async () => {
    expect(await move('a.txt', 'new/deep/b.txt')).toEqual({
      source: 'a.txt',
      destination: 'new/deep/b.txt',
      file: at('new/deep/b.txt'),
      changes: [
        {path: at('a.txt'), kind: 'delete'},
        {path: at('new/deep/b.txt'), kind: 'add'},
      ],
    });
    expect(await move('dir', 'other')).toMatchObject({destination: 'other', changes: [{}, {path: at('other/b.txt'), kind: 'add'}, {}, {}]});
    expect(await treeOf(work.root)).toMatchObject({'new/deep/b.txt': 'a\n', 'other/sub/c.txt': 'c\n'});
  });
  it('into a folder that exists, or is named with a slash at the end', async () => {
    expect(await move('a.txt', 'dir')).toMatchObject({destination: 'dir/a.txt'});
    expect(await move('dir/a.txt', '.')).toMatchObject({destination: 'a.txt'});
    expect(await move('a.txt', 'fresh/')).toMatchObject({destination: 'fresh/a.txt'});
  });
  it('never replaces what is there, never into itself', async () => {
    const before = await treeOf(work.root);
    expect(await move('a.txt', 'dir/b.txt')).toEqual({
      code: 'BAD_ARGS',
      message: 'dir/b.txt already exists. Nothing was changed.',
      hint: 'Choose another name, or delete it first if it is not needed.',
    });
    expect(await move('dir', 'dir/sub')).toMatchObject({
      code: 'BAD_ARGS',
      message: 'dir cannot go to dir/sub/dir: that is the same path, or inside it.',
    });
    expect(await move('a.txt', 'a.txt')).toMatchObject({code: 'BAD_ARGS'});
    expect(await move('missing', 'x')).toMatchObject({code: 'NOT_FOUND'});
    expect(await treeOf(work.root)).toEqual(before);
  });
  it('what is known of a file moves along', async () => {
    await read('dir/b.txt');
    await move('dir', 'moved');
    expect(await write('moved/b.txt', 'mine\n')).toMatchObject({created: false});
    await writeFile(at('moved/b.txt'), 'changed by another\n');
    expect(await write('moved/b.txt', 'mine\n')).toMatchObject({code: 'STALE'});
    expect(await write('dir/b.txt', 'mine\n')).toMatchObject({created: true});
  });
});

describe('zblade tool calls › copy_file', () => {
  const copy = (source: string, destination: string) => work.outcome(copyPath, {source, destination});

  it('"Copy a file or recursively copy a directory", with modes and links', async () => {
    await chmod(at('a.txt'), 0o755);
    await symlink('../a.txt', at('dir/link'));
    expect(await copy('a.txt', 'x/y.txt')).toEqual({
      source: 'a.txt',
      destination: 'x/y.txt',
      file: at('x/y.txt'),
      changes: [{path: at('x/y.txt'), kind: 'add'}],
    });
    expect((await stat(at('x/y.txt'))).mode & 0o777).toBe(0o755);
    expect(await copy('dir', 'x')).toMatchObject({
      destination: 'x/dir',
      changes: [{path: at('x/dir/b.txt')}, {path: at('x/dir/link')}, {}],
    });
    expect(await treeOf(work.root)).toMatchObject({'x/dir/link': '-> ../a.txt', 'x/dir/sub/c.txt': 'c\n', 'dir/sub/c.txt': 'c\n'});
  });
  it('never replaces, never into itself', async () => {
    expect(await copy('a.txt', 'dir/b.txt')).toMatchObject({code: 'BAD_ARGS'});
    expect(await copy('dir', 'dir/sub/new')).toMatchObject({code: 'BAD_ARGS'});
    expect(await readFile(at('dir/b.txt'), 'utf8')).toBe('b\n');
  });
  it('the source is read, the copy is written', async () => {
    const {subjects} = await copyPath.resolve({source: 'dir', destination: 'x'}, work.ctx);
    expect(subjects.map((subject) => (subject.kind === 'path' ? `${subject.write ? 'write' : 'read'} ${subject.relative}` : ''))).toEqual([
      'read dir',
      'read dir/b.txt',
      'read dir/sub/c.txt',
      'write x',
      'write x/b.txt',
      'write x/sub/c.txt',
    ]);
  });
});

describe('zblade tool calls › create_directory and get_file_info', () => {
  it('"Create a directory and any missing parent directories"', async () => {
    expect(await work.outcome(makeFolder, {path: 'x/y/z'})).toEqual({path: 'x/y/z', file: at('x/y/z'), created: true});
    expect(await work.outcome(makeFolder, {path: 'x/y'})).toEqual({path: 'x/y', file: at('x/y'), created: false});
    expect(await work.outcome(makeFolder, {path: 'a.txt'})).toMatchObject({
      code: 'NOT_A_FILE',
      message: 'a.txt exists and is not a folder.',
    });
    expect(await work.outcome(makeFolder, {path: 'a.txt/x'})).toMatchObject({code: 'NOT_FOUND'});
  });
  it('"JSON including path, size, is_directory, is_file, modified, and readonly"', async () => {
    await utimes(at('a.txt'), 1_700_000_000.9, 1_700_000_000.9);
    await chmod(at('a.txt'), 0o444);
    const info = {path: 'a.txt', file: at('a.txt'), size: 2, isDirectory: false, isFile: true, modified: 1_700_000_000, readonly: true};
    expect(await work.outcome(pathInfo, {path: 'a.txt'})).toEqual(info);
    await symlink('a.txt', at('link'));
    expect(await work.outcome(pathInfo, {path: 'link'})).toEqual(info);
    expect(await work.outcome(pathInfo, {path: 'dir'})).toMatchObject({isDirectory: true, isFile: false, readonly: false});
    expect(await work.outcome(pathInfo, {path: 'b.txt'})).toMatchObject({code: 'NOT_FOUND'});
  });
});

describe('vibe tool system › Write File Tool: "Append mode support"', () => {
  const put = (mode: 'overwrite' | 'create' | 'append', path: string, content: string) =>
    work.outcome(writeOperation, {path, content, ifChanged: 'refuse', mode});

  it('appends every byte as given, with the encoding and line ending of the file', async () => {
    await writeFile(at('latin.txt'), Buffer.from('Größe\r\n', 'latin1'));
    await writeFile(at('bom.txt'), '\uFEFFa');
    expect(await put('append', 'latin.txt', 'müde\nnoch')).toEqual({path: 'latin.txt', file: at('latin.txt'), created: false, bytes: 11});
    await put('append', 'bom.txt', 'b\n');
    await put('append', 'bom.txt', 'é');
    expect(await put('append', 'new/file.txt', 'x')).toMatchObject({created: true, bytes: 1});
    expect(await readFile(at('latin.txt'))).toEqual(Buffer.from('Größe\r\nmüde\r\nnoch', 'latin1'));
    expect(await readFile(at('bom.txt'), 'utf8')).toBe('\uFEFFab\né');
    expect(await readFile(at('new/file.txt'), 'utf8')).toBe('x');
  });
  it('appends nothing to what is not text, changed meanwhile, or cannot hold the characters', async () => {
    await writeFile(at('a.bin'), Uint8Array.of(0, 1, 2));
    await writeFile(at('latin.txt'), Buffer.from('Größe\n', 'latin1'));
    expect(await put('append', 'a.bin', 'x')).toMatchObject({code: 'NOT_TEXT'});
    expect(await put('append', 'latin.txt', '日本')).toMatchObject({code: 'BAD_ARGS'});
    await read('a.txt');
    await writeFile(at('a.txt'), 'changed by another\n');
    expect(await put('append', 'a.txt', 'x')).toMatchObject({code: 'STALE'});
    expect(await readFile(at('a.txt'), 'utf8')).toBe('changed by another\n');
  });
  it('create refuses a file that is there; overwrite is the default', async () => {
    expect(await put('create', 'a.txt', 'x')).toMatchObject({
      code: 'BAD_ARGS',
      message: `${at('a.txt')} already exists. Nothing was written.`,
    });
    expect(await put('create', 'new.txt', 'x')).toMatchObject({created: true});
    expect(await put('overwrite', 'a.txt', 'x')).toMatchObject({created: false});
    expect(await treeOf(work.root)).toMatchObject({'a.txt': 'x', 'new.txt': 'x'});
  });
});

describe('zblade tool calls › read_file', () => {
  it('the whole text with its line endings, up to a limit', async () => {
    await writeFile(at('crlf.txt'), 'one\r\ntwo');
    const range = {firstLine: 1, truncated: false, lastLineCut: false};
    const crlf = {path: 'crlf.txt', file: at('crlf.txt'), content: 'one\r\ntwo', lines: ['one', 'two'], totalLines: 2};
    expect(await read('crlf.txt')).toEqual({...crlf, ...range});
    await writeFile(at('empty'), '');
    expect(await read('empty')).toEqual({path: 'empty', file: at('empty'), content: '', lines: [], totalLines: 0, ...range});
    await writeFile(at('large'), 'x'.repeat(1001));
    expect(await read('large')).toMatchObject({code: 'TOO_LARGE'});
    await mkdir(at('folder'));
    expect(await read('folder')).toMatchObject({code: 'NOT_A_FILE'});
  });
});
