import {execFileSync} from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import {dirname, join} from 'node:path';
import {zstdCompressSync} from 'node:zlib';
import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {isFettleError} from '../../../src/base/errors.ts';
import {blobFile, hashOf} from '../../../src/workspace/checkpoints/store/blob-store.ts';
import {recoverCheckpoints} from '../../../src/workspace/checkpoints/recover.ts';
import {usedBytes} from '../../../src/workspace/checkpoints/session-store.ts';
import {namesIn} from '../../../src/workspace/checkpoints/store/store-place.ts';
import {scratch} from '../../support/scratch.ts';
import {casesOf} from '../../support/thorough.ts';
import {kept, keptIn, LIMITS, never, treeOf, type Kept} from './support.ts';

const OLD = 'one\n'.repeat(2000);

interface Damaged extends Kept {
  readonly id: string;
  /** What a restore is to bring back, and what stands there now. */
  readonly before: Record<string, string>;
  readonly after: Record<string, string>;
  readonly record: string;
  readonly blob: string;
  readonly pack: (ending: string) => string;
}

/** A turn of which something is damaged then. */
async function changed(kind: 'tool' | 'command'): Promise<Damaged> {
  const at = await kept({'a.txt': OLD, 'd/b.txt': 'b'});
  const before = treeOf(at.root);
  const done = await at.turn(kind === 'tool' ? ['a.txt', 'd/b.txt', 'new.txt'] : 'tree', () => {
    writeFileSync(join(at.root, 'a.txt'), 'two');
    unlinkSync(join(at.root, 'd/b.txt'));
    writeFileSync(join(at.root, 'new.txt'), 'new');
  });
  const id = done?.id ?? '';
  return {
    ...at,
    id,
    before,
    after: treeOf(at.root),
    record: join(at.place.turns, `${id}.jsonl`),
    blob: blobFile(at.place.blobs, hashOf(Buffer.from(OLD))),
    pack: (ending) => join(at.place.blobs, namesIn(at.place.blobs).find((name) => name.endsWith(ending)) ?? ''),
  };
}

/** The code and the message of the refusal, without ids. */
async function refusal(at: Damaged, options: Parameters<Kept['restore']>[1] = {}): Promise<string> {
  try {
    await at.restore(at.id, options);
    return 'restored';
  } catch (error) {
    if (!isFettleError(error)) throw error;
    return `${error.code}: ${error.message}`.replaceAll(at.id, 'ID').replaceAll(at.state, 'STATE');
  }
}

const replace = (path: string, make: (path: string) => void): void => {
  rmSync(path, {recursive: true, force: true});
  make(path);
};
const fifo = (path: string): void => void execFileSync('mkfifo', [path]);

describe('a kept content that is not what was kept: refused, and nothing is changed (issue 4.1)', () => {
  it.each<[string, 'tool' | 'command', (at: Damaged) => void]>([
    ['truncated', 'tool', (at) => truncateSync(at.blob, 20)],
    ['empty', 'tool', (at) => truncateSync(at.blob, 0)],
    ['garbled', 'tool', (at) => writeFileSync(at.blob, Buffer.from(readFileSync(at.blob)).fill(7, 10, 14))],
    ['missing', 'tool', (at) => unlinkSync(at.blob)],
    ['another content', 'tool', (at) => writeFileSync(at.blob, '\0evil')],
    [
      'what unpacks to a gigabyte',
      'tool',
      (at) => writeFileSync(at.blob, Buffer.concat([Buffer.from([1]), zstdCompressSync(Buffer.alloc(2 ** 28))])),
    ],
    ['a link', 'tool', (at) => (renameSync(at.blob, `${at.state}/blob`), symlinkSync(`${at.state}/blob`, at.blob))],
    ['a pipe', 'tool', (at) => replace(at.blob, fifo)],
    ['a folder', 'tool', (at) => replace(at.blob, mkdirSync)],
    ['all of them missing', 'tool', (at) => rmSync(at.place.blobs, {recursive: true})],
    ['a pack that was truncated', 'command', (at) => truncateSync(at.pack('.pack'), 10)],
    ['a pack that was garbled', 'command', (at) => writeFileSync(at.pack('.pack'), Buffer.alloc(9000, 1))],
    ['a pack that is missing', 'command', (at) => unlinkSync(at.pack('.pack'))],
    ['a pack that is a pipe', 'command', (at) => replace(at.pack('.pack'), fifo)],
    ['an index of a pack that is missing', 'command', (at) => unlinkSync(at.pack('.idx'))],
    ['an index of a pack that is a folder', 'command', (at) => replace(at.pack('.idx'), mkdirSync)],
    ['an index of a pack that is a pipe', 'command', (at) => replace(at.pack('.idx'), fifo)],
    [
      'an index that names terabytes',
      'command',
      (at) => writeFileSync(at.pack('.idx'), readFileSync(at.pack('.idx'), 'latin1').replaceAll(/ \d+ \d+$/gm, ' 0 9999999999999')),
    ],
  ])('%s (%s)', async (_name, kind, damage) => {
    const at = await changed(kind);
    damage(at);
    expect(await refusal(at)).toMatch(/^IO: Nothing was restored: the saved content of a\.txt(?:, d\/b\.txt)? is missing or damaged\.$/);
    expect(await refusal(at, {dryRun: true})).toMatch(/^IO: Nothing was restored: the saved content of /);
    expect([treeOf(at.root), at.list().length]).toEqual([at.after, 1]);
  });

  it('the other files come back where they are named, and with --force', async () => {
    const named = await changed('tool');
    unlinkSync(named.blob);
    expect((await named.restore(named.id, {files: ['d']})).restored).toEqual(['d/b.txt']);
    const forced = await changed('tool');
    unlinkSync(forced.blob);
    const done = await forced.restore(forced.id, {force: true});
    expect([done.restored, done.refused]).toEqual([
      ['new.txt', 'd/b.txt'],
      [`a.txt: A saved content (${hashOf(Buffer.from(OLD)).slice(0, 12)}) is missing or damaged.`],
    ]);
    expect(treeOf(forced.root)).toEqual({...forced.before, 'a.txt': '644 two'});
  });

  it('what is kept again is whole: a damaged content is not taken for it', async () => {
    const at = await changed('tool');
    await at.restore(at.id);
    writeFileSync(at.blob, '\0evil');
    const again = await keptIn(at).turn(['a.txt'], () => writeFileSync(join(at.root, 'a.txt'), 'three'));
    await at.restore(again?.id);
    expect(treeOf(at.root)).toEqual(at.before);
  });
});

const END = '\n{"t":"end"';

/** The record says something else, and its sum is right. */
function rewrite(at: Damaged, change: (text: string) => string): void {
  const text = readFileSync(at.record, 'utf8');
  const body = change(text.slice(0, text.lastIndexOf(END)));
  writeFileSync(at.record, `${body}${END},"sum":"${hashOf(Buffer.from(body))}"}\n`);
}

const naming =
  (path: string) =>
  (at: Damaged): void =>
    rewrite(at, (text) => text.replaceAll('"p":"a.txt"', `"p":${JSON.stringify(path)}`));

describe('a record that is not what was written: refused, and nothing is changed (issue 4.1)', () => {
  const DAMAGED = 'IO: Nothing was restored: the record of ID is damaged, so what it changed is not known for certain.';

  it.each<[string, (at: Damaged) => void]>([
    ['empty', (at) => truncateSync(at.record, 0)],
    ['without its end', (at) => writeFileSync(at.record, readFileSync(at.record, 'utf8').split(END)[0] ?? '')],
    ['with an end whose sum was garbled', (at) => writeFileSync(at.record, readFileSync(at.record, 'utf8').replace('"sum"', '"sul"'))],
    ['without its beginning', (at) => writeFileSync(at.record, readFileSync(at.record).subarray(40))],
    ['with a line less', (at) => writeFileSync(at.record, readFileSync(at.record, 'utf8').replace(/\n\{"t":"before".*\n/, ''))],
    ['a link', (at) => (renameSync(at.record, `${at.state}/x`), symlinkSync(`${at.state}/x`, at.record))],
    ['a pipe', (at) => replace(at.record, fifo)],
    ['a folder', (at) => replace(at.record, mkdirSync)],
    ['of another checkpoint', (at) => rewrite(at, (text) => text.replace(at.id, 'chk_zzz'))],
    ['of another version', (at) => rewrite(at, (text) => text.replace('"v":1', '"v":2'))],
    ['with words of another version', (at) => rewrite(at, (text) => `${text}\n{"t":"moved","p":"a.txt"}\n`)],
    ['naming ..', naming('../a.txt')],
    ['naming .. further down', naming('d/../../a.txt')],
    ['naming an absolute path', naming('/etc/passwd')],
    ['naming hooks of git', naming('.git/hooks/post-checkout')],
    ['naming hooks of git below', naming('d/.GIT/hooks/post-checkout')],
    ['naming a NUL', naming('a.txt\0')],
    ['naming no bytes', naming('a\u{20ac}')],
    ['naming no text', (at) => rewrite(at, (text) => text.replaceAll('"p":"a.txt"', '"p":7'))],
    ['with a setuid mode', (at) => rewrite(at, (text) => text.replaceAll('"mode":420', '"mode":2541'))],
    ['with setuid for nobody', (at) => rewrite(at, (text) => text.replaceAll('"mode":420', '"mode":420,"rights":{"bits":2048}'))],
    [
      'with a digest that is a path',
      (at) => rewrite(at, (text) => text.replaceAll(/"hash":"[0-9a-f]+"/g, '"hash":"../../../../etc/passwd"')),
    ],
    ['with a negative size', (at) => rewrite(at, (text) => text.replaceAll(/"size":\d+/g, '"size":-1'))],
    ['with a state of no kind', (at) => rewrite(at, (text) => text.replaceAll('"kind":"file"', '"kind":"device"'))],
  ])('%s', async (_name, damage) => {
    const outside = await scratch({'a.txt': 'precious'});
    const at = await changed('tool');
    damage(at);
    expect([await refusal(at), treeOf(at.root), treeOf(outside)]).toEqual([DAMAGED, at.after, {'a.txt': '644 precious'}]);
    expect(at.list().map(({isDamaged, notes}) => [isDamaged, notes])).toEqual([
      [true, ['Its record is damaged: what it changed is not known for certain.']],
    ]);
  });

  it('one bit anywhere, or one byte less: never a wrong tree (property)', async () => {
    const at = await changed('tool');
    const whole = readFileSync(at.record);
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length - 2), fc.nat(7), fc.boolean(), async (place, bit, cut) => {
        const bytes = Buffer.from(whole);
        bytes[place] = (bytes[place] ?? 0) ^ (1 << bit);
        writeFileSync(at.record, cut ? whole.subarray(0, place) : bytes);
        expect([await refusal(at, {dryRun: true}), treeOf(at.root)]).toEqual([DAMAGED, at.after]);
      }),
      {numRuns: casesOf(500)},
    );
  });

  it('a digest of another content that is kept brings back that of nobody: the size and the digest both count', async () => {
    const at = await changed('tool');
    rewrite(at, (text) => text.replaceAll(/"size":8000/g, '"size":7999'));
    expect(await refusal(at)).toBe('IO: Nothing was restored: the saved content of a.txt is missing or damaged.');
  });

  it('--force restores what the others say; a later checkpoint is not touched by it', async () => {
    const at = await changed('tool');
    const later = await at.turn(['later.txt'], () => writeFileSync(join(at.root, 'later.txt'), 'x'));
    writeFileSync(at.record, 'garbage');
    expect((await at.restore(later?.id)).restored).toEqual(['later.txt']);
    expect(await refusal(at)).toMatch(/^IO: /);
    expect([(await at.restore(at.id, {force: true})).restored, treeOf(at.root)]).toEqual([[], at.after]);
  });

  it('a record under way that is garbled is left alone, not finished', async () => {
    const at = await changed('tool');
    const open = join(at.place.turns, 'chk_1.open');
    const lines = '{"t":"before","p":"../x","s":null}\n{"t":"before","p":"/etc","s":null}\n';
    writeFileSync(open, lines);
    const scan = {ignored: 'small' as const, env: {}, own: undefined, maxEntries: 1000, maxReadMs: 1000};
    const capture = {folder: at.root, maxFileBytes: LIMITS.maxFileBytes};
    await recoverCheckpoints({place: at.place, isActive: () => false, scan, capture}, never);
    expect([readFileSync(open, 'utf8'), at.list().map(({id, isDamaged}) => [id, isDamaged])]).toEqual([
      lines,
      [
        [at.id, false],
        ['chk_1', true],
      ],
    ]);
  });

  it('recovering removes no file behind a folder that became a link', async () => {
    const left = `.fettle-999999999-${'0'.repeat(16)}.tmp`;
    const outside = await scratch({[left]: 'of somebody else'});
    const at = await changed('tool');
    symlinkSync(outside, join(at.root, 'link'));
    const text = readFileSync(at.record, 'utf8').split(END)[0] ?? '';
    writeFileSync(join(at.place.turns, 'chk_0.open'), `${text.replaceAll(at.id, 'chk_0')}\n{"t":"before","p":"link/x","s":null}\n`);
    const scan = {ignored: 'small' as const, env: {}, own: undefined, maxEntries: 1000, maxReadMs: 1000};
    const capture = {folder: at.root, maxFileBytes: LIMITS.maxFileBytes};
    await recoverCheckpoints({place: at.place, isActive: () => false, scan, capture}, never);
    expect([treeOf(outside), at.list().map(({isClosed}) => isClosed)]).toEqual([{[left]: '644 of somebody else'}, [true, true]]);
  });
});

describe('the store itself (issue 4.1)', () => {
  it.runIf(process.getuid?.() === 0)('of another user: neither read nor written, and that is said', async () => {
    const at = await changed('tool');
    for (const folder of [at.place.folder, at.place.turns]) chownSync(folder, 12_345, 12_345);
    const text = `The checkpoints are not used: STATE${at.place.turns.slice(at.state.length)} belongs to another user (uid 12345). Nothing was changed.`;
    const message = (error: unknown): string =>
      isFettleError(error) ? `${error.code}: ${error.message}`.replaceAll(at.state, 'STATE') : '';
    expect(() => at.list()).toThrow(text.replace('STATE', at.state));
    const begun = keptIn(at).turn(['a.txt'], () => writeFileSync(join(at.root, 'a.txt'), 'three'));
    expect(await begun.then(() => 'kept', message)).toBe(`DENIED: ${text.replace('/turns', '')}`);
    expect(treeOf(at.root)).toEqual(at.after);
  });

  it('a link in the place of its folder is not followed', async () => {
    const at = await changed('tool');
    const elsewhere = await scratch({});
    renameSync(at.place.turns, `${at.state}/turns`);
    symlinkSync(elsewhere, at.place.turns);
    expect(() => at.list()).toThrow('is not a folder. Nothing was changed.');
    const begun = keptIn(at).turn(['a.txt'], () => writeFileSync(join(at.root, 'a.txt'), 'three'));
    await expect(begun).rejects.toThrow('is not a folder. Nothing was changed.');
    expect([treeOf(at.root), treeOf(elsewhere)]).toEqual([at.after, {}]);
  });

  it.each([['"no number"'], ['-1e300'], ['null'], ['{"bytes":{}}']])(
    'the count of its bytes is %s: the room has still an end',
    async (bytes) => {
      const at = await kept({big: Buffer.alloc(9000, 1)}, {limits: {...LIMITS, maxBytes: 10}});
      await at.turn(['x'], () => writeFileSync(join(at.root, 'x'), '1'));
      writeFileSync(join(at.place.folder, 'usage.json'), bytes.startsWith('{') ? bytes : `{"bytes":${bytes}}`);
      const next = keptIn(at, {limits: {...LIMITS, maxBytes: 10}});
      const done = await next.turn(['big'], () => writeFileSync(join(at.root, 'big'), '1'));
      expect([done?.notes, usedBytes(at.place)]).toEqual([['big cannot be brought back: too large, unreadable, or no room.'], 0]);
    },
  );

  it.each<[string, (index: string, outside: string) => string]>([
    [
      'entries outside',
      (index, outside) =>
        index.replace('"entries":[', `"entries":[["..","1",1,{"kind":"folder","mode":493}],["../${outside}","1",1,null],`),
    ],
    ['states of no kind', (index) => index.replaceAll('"kind":"file"', '"kind":7')],
    ['no list', () => '{"v":1,"scannedAt":1,"entries":{}}'],
    ['a time of no kind', (index) => index.replace(/"scannedAt":[\d.]+/, '"scannedAt":"now"')],
  ])('an index with %s is made anew: nothing outside is looked at', async (_name, damage) => {
    const at = await kept({'a.txt': '1'});
    const sibling = `${at.root.slice(dirname(at.root).length + 1)}-secret`;
    const outside = join(dirname(at.root), sibling);
    mkdirSync(outside);
    try {
      writeFileSync(join(outside, 'key'), 'secret');
      await at.turn('tree', () => writeFileSync(join(at.root, 'a.txt'), '2'));
      writeFileSync(at.place.index, damage(readFileSync(at.place.index, 'utf8'), sibling));
      const done = await keptIn(at).turn('tree', () => writeFileSync(join(at.root, 'a.txt'), '3'));
      expect(done?.changed).toEqual(['a.txt']);
      await at.restore(done?.id);
      expect(treeOf(at.root)).toEqual({'a.txt': '644 2'});
    } finally {
      rmSync(outside, {recursive: true});
    }
  });

  it('a full quota in the middle of a turn: what was kept before comes back, the rest is named and stays', async () => {
    const at = await kept({a: 'a', big: Buffer.alloc(9000, 1).map((_, n) => (n * n) >> 3), c: 'c'}, {limits: {...LIMITS, maxBytes: 1000}});
    const before = treeOf(at.root);
    const done = await at.turn(['a', 'big', 'c'], () => {
      for (const name of ['a', 'big', 'c']) appendFileSync(join(at.root, name), '+');
    });
    const undo = await at.restore(done?.id);
    expect([undo.restored, undo.refused]).toEqual([
      ['a', 'c'],
      ['big: its content was not saved: too large, unreadable, or no space left'],
    ]);
    expect(treeOf(at.root)).toEqual({...before, big: `${before['big'] ?? ''}+`});
  });
});

describe('what stands in the folder', () => {
  it('a hard link to a file outside is replaced, never written through', async () => {
    const at = await changed('tool');
    const victim = await scratch({'v.txt': 'precious'});
    unlinkSync(join(at.root, 'a.txt'));
    linkSync(join(victim, 'v.txt'), join(at.root, 'a.txt'));
    await at.restore(at.id, {force: true});
    expect([treeOf(victim), treeOf(at.root)]).toEqual([{'v.txt': '644 precious'}, at.before]);
  });

  it('no temporary file stays', async () => {
    const at = await changed('tool');
    chmodSync(join(at.root, 'd'), 0o700);
    await at.restore(at.id);
    expect([namesIn(at.root), lstatSync(join(at.root, 'd')).mode & 0o777]).toEqual([['a.txt', 'd'], 0o700]);
  });
});
