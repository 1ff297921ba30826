import {execFile, execFileSync} from 'node:child_process';
import {open, stat, symlink, truncate} from 'node:fs/promises';
import {createServer} from 'node:net';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {promisify} from 'node:util';
import {describe, expect, it, onTestFinished} from 'vitest';
import {readTextFile} from '../../src/workspace/read-file.ts';
import {readLineRange} from '../../src/workspace/read-line-range.ts';
import {scratch} from '../support/scratch.ts';

const signal = new AbortController().signal;
const text = (path: string, maxBytes = 1000) => readTextFile(path, {maxBytes}, signal);
const lines = (path: string, firstLine: number, maxLines: number, maxBytes?: number) =>
  readLineRange(path, {firstLine, maxLines, ...(maxBytes === undefined ? {} : {maxBytes})}, signal);

describe('readTextFile', () => {
  it('gives text, encoding, state and size', async () => {
    const root = await scratch({'file.txt': Buffer.from('caf\xe9\r\n', 'latin1')});
    const {mtimeMs, size} = await stat(join(root, 'file.txt'));
    expect(await text(join(root, 'file.txt'))).toEqual({text: 'café\r\n', encoding: 'latin1', state: {mtimeMs, size}, bytes: 6});
  });

  it('refuses more bytes than the limit, without reading them', async () => {
    const root = await scratch({'big.txt': 'a'});
    await truncate(join(root, 'big.txt'), 10_000_000_000);
    await expect(text(join(root, 'big.txt'))).rejects.toMatchObject({
      code: 'TOO_LARGE',
      message: expect.stringContaining('10000000000'),
      hint: 'Read a range of lines, or search in it.',
    });
  });

  it('takes a real path: a link was none when it was judged, and is not followed', async () => {
    const root = await scratch({'file.txt': 'a', 'folder/x': 'x'});
    await symlink('file.txt', join(root, 'link'));
    await symlink('folder', join(root, 'to-folder'));
    for (const path of ['link', 'to-folder/x']) {
      expect(await text(join(root, path)).catch((error: unknown) => error)).toMatchObject({code: 'STALE'});
    }
  });
});

describe.each([
  ['readTextFile', (path: string, at: AbortSignal) => readTextFile(path, {maxBytes: 1000}, at)],
  ['readLineRange', (path: string, at: AbortSignal) => readLineRange(path, {firstLine: 1, maxLines: 10}, at)],
])('%s refuses', (_, read) => {
  it('folders, devices, and what is not there', async () => {
    const root = await scratch();
    await expect(read(root, signal)).rejects.toMatchObject({code: 'NOT_A_FILE'});
    await expect(read('/dev/zero', signal)).rejects.toMatchObject({code: 'NOT_A_FILE'});
    await expect(read(join(root, 'none'), signal)).rejects.toMatchObject({code: 'NOT_FOUND'});
    await expect(read(join(root, 'none/x'), signal)).rejects.toMatchObject({code: 'NOT_FOUND'});
  });

  it('a FIFO, without waiting for a writer', async () => {
    const root = await scratch();
    execFileSync('sh', ['-c', 'mkfifo "$0"', join(root, 'fifo')]);
    await expect(read(join(root, 'fifo'), signal)).rejects.toMatchObject({code: 'NOT_A_FILE', message: expect.stringContaining('FIFO')});
  });

  it('a socket', async () => {
    const root = await scratch();
    const server = createServer().listen(join(root, 's'));
    onTestFinished(() => void server.close());
    await new Promise((resolve) => server.once('listening', resolve));
    await expect(read(join(root, 's'), signal)).rejects.toMatchObject({code: 'NOT_A_FILE'});
  });

  it('binary files, with their name', async () => {
    const root = await scratch({'a.bin': 'a\0b'});
    await expect(read(join(root, 'a.bin'), signal)).rejects.toMatchObject({code: 'NOT_TEXT', message: expect.stringContaining('a.bin')});
  });

  it('when it is cancelled', async () => {
    const root = await scratch({'file.txt': 'a'});
    await expect(read(join(root, 'file.txt'), AbortSignal.abort())).rejects.toMatchObject({code: 'CANCELLED'});
  });
});

describe('readLineRange', () => {
  it('gives lines without endings, 1-based (microcode tools › read)', async () => {
    const root = await scratch({'file.txt': '1\n2\r\n3\r4\n5'});
    const {mtimeMs, size} = await stat(join(root, 'file.txt'));
    expect(await lines(join(root, 'file.txt'), 2, 2)).toEqual({
      lines: ['2', '3'],
      firstLine: 2,
      totalLines: 5,
      truncated: true,
      lastLineCut: false,
      state: {mtimeMs, size},
    });
    expect(await lines(join(root, 'file.txt'), 4, 9)).toMatchObject({lines: ['4', '5'], truncated: false});
    expect(await lines(join(root, 'file.txt'), 0, 1)).toMatchObject({lines: ['1'], firstLine: 1});
    expect(await lines(join(root, 'file.txt'), 6, 9)).toMatchObject({lines: [], totalLines: 5, truncated: false});
  });

  it('counts as people count', async () => {
    const root = await scratch({empty: '', 'final.txt': 'a\n', 'blank.txt': 'a\n\n', 'bom.txt': '\uFEFF'});
    expect(await lines(join(root, 'empty'), 1, 9)).toMatchObject({lines: [], totalLines: 0, truncated: false});
    expect(await lines(join(root, 'final.txt'), 1, 9)).toMatchObject({lines: ['a'], totalLines: 1});
    expect(await lines(join(root, 'blank.txt'), 1, 9)).toMatchObject({lines: ['a', ''], totalLines: 2});
    expect(await lines(join(root, 'bom.txt'), 1, 9)).toMatchObject({lines: [], totalLines: 0});
  });

  it('takes whole lines as far as they fit (vibe tool system › read_file)', async () => {
    const root = await scratch({'file.txt': 'aaaa\nbbbb\ncccc\n'});
    expect(await lines(join(root, 'file.txt'), 1, 9, 12)).toMatchObject({
      lines: ['aaaa', 'bbbb'],
      truncated: true,
      lastLineCut: false,
      totalLines: 3,
    });
    expect(await lines(join(root, 'file.txt'), 1, 9, 10)).toMatchObject({lines: ['aaaa', 'bbbb'], truncated: true, lastLineCut: false});
    expect(await lines(join(root, 'file.txt'), 1, 9, 15)).toMatchObject({lines: ['aaaa', 'bbbb', 'cccc'], truncated: false});
  });

  it.each([
    ['UTF-8', Buffer.from('aé😀😀\n'), 5, 'aé'],
    ['UTF-16LE', Buffer.from('\uFEFFaé😀😀\n', 'utf16le'), 6, 'aé'],
    ['UTF-16BE', Buffer.from('\uFEFFaé😀😀\n', 'utf16le').swap16(), 8, 'aé😀'],
    ['Latin-1', Buffer.from('a\xe9\xe9\xe9\n', 'latin1'), 3, 'aéé'],
  ])('cuts only the first line, and never a character: %s', async (_, bytes, maxBytes, shown) => {
    const root = await scratch({'file.txt': bytes});
    expect(await lines(join(root, 'file.txt'), 1, 9, maxBytes)).toMatchObject({
      lines: [shown],
      truncated: true,
      lastLineCut: true,
      totalLines: 1,
    });
  });

  it.each([
    ['UTF-8 with BOM', Buffer.from('\uFEFFa\r\né→\n')],
    ['UTF-16LE', Buffer.from('\uFEFFa\r\né→\n', 'utf16le')],
    ['UTF-16BE', Buffer.from('\uFEFFa\r\né→\n', 'utf16le').swap16()],
  ])('reads %s', async (_, bytes) => {
    const root = await scratch({'file.txt': bytes});
    expect(await lines(join(root, 'file.txt'), 1, 9)).toMatchObject({lines: ['a', 'é→'], totalLines: 2});
  });

  it('judges the encoding by the whole file, as an edit does', async () => {
    const filler = `${'x'.repeat(99)}\n`.repeat(4000);
    const root = await scratch({
      'latin.txt': Buffer.from(`caf\xe9\n${filler}`, 'latin1'),
      'mixed.txt': Buffer.concat([Buffer.from('caf\xe9\n', 'latin1'), Buffer.from(`${filler}é\n`)]),
    });
    expect(await lines(join(root, 'latin.txt'), 1, 1)).toMatchObject({lines: ['café'], totalLines: 4001});
    expect(await lines(join(root, 'mixed.txt'), 1, 1)).toMatchObject({lines: ['caf\uFFFD'], totalLines: 4002});
  });
});

describe('readLineRange on large files', () => {
  const measure = async (path: string, firstLine: number) => {
    const script = fileURLToPath(new URL('measure-read.ts', import.meta.url));
    const {stdout} = await promisify(execFile)(process.execPath, [script, path, String(firstLine)]);
    return JSON.parse(stdout) as {first?: string; length?: number; count: number; totalLines: number | null; cut: boolean; growth: number};
  };
  const MEGABYTE = 1024 * 1024;

  it('reads a range of a 120 MB file in flat memory', {timeout: 60_000}, async () => {
    const root = await scratch({'big.txt': ''});
    await using file = await open(join(root, 'big.txt'), 'w');
    const block = 'some text of a line\n'.repeat(50_000);
    for (let turn = 0; turn < 120; turn++) await file.write(block);
    const read = await measure(join(root, 'big.txt'), 5_000_001);
    expect(read).toEqual({
      first: 'some text of a line',
      length: 19,
      count: 10,
      totalLines: 6_000_000,
      cut: false,
      growth: expect.any(Number),
    });
    expect(read.growth).toBeLessThan(40 * MEGABYTE);
  });

  it('reads the beginning of one endless line, and of a sparse file beyond counting', {timeout: 60_000}, async () => {
    const root = await scratch({'line.txt': 'a'.repeat(9000), 'sparse.txt': 'first\n'.repeat(2000)});
    await truncate(join(root, 'line.txt'), 120 * MEGABYTE);
    await truncate(join(root, 'sparse.txt'), 10_000 * MEGABYTE);
    const line = await measure(join(root, 'line.txt'), 1);
    expect({...line, growth: 0}).toEqual({first: 'a'.repeat(20), length: MEGABYTE, count: 1, totalLines: 1, cut: true, growth: 0});
    expect(line.growth).toBeLessThan(40 * MEGABYTE);
    const sparse = await measure(join(root, 'sparse.txt'), 1000);
    expect({...sparse, growth: 0}).toEqual({first: 'first', length: 5, count: 10, totalLines: null, cut: false, growth: 0});
    expect(sparse.growth).toBeLessThan(40 * MEGABYTE);
  });
});
