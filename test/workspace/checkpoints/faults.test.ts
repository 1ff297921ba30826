import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {bytePath} from '../../../src/workspace/checkpoints/byte-path.ts';
import {createCheckpointer, type Checkpointer} from '../../../src/workspace/checkpoints/checkpointer.ts';
import {recoverCheckpoints} from '../../../src/workspace/checkpoints/recover.ts';
import {STORE_FS, type StoreFs} from '../../../src/workspace/checkpoints/store/store-fs.ts';
import {kept, keptIn, LIMITS, never, treeOf, type Kept} from './support.ts';

/** The calls of the store, of which the n-th fails; `calls` counts them. */
function failing(n: number, code: string): StoreFs & {readonly calls: () => number} {
  let calls = 0;
  const guard = (): void => {
    calls += 1;
    if (calls === n) throw Object.assign(new Error(`${code}: injected`), {code});
  };
  const writeSync = (...args: Parameters<StoreFs['writeSync']>): number => {
    guard();
    return STORE_FS.writeSync(...args);
  };
  const mkdirSync = (...args: Parameters<StoreFs['mkdirSync']>): string | undefined => {
    guard();
    return STORE_FS.mkdirSync(...args);
  };
  return {
    mkdirSync,
    openSync: (path, flags, mode) => {
      guard();
      return STORE_FS.openSync(path, flags, mode);
    },
    writeSync: writeSync as StoreFs['writeSync'],
    closeSync: (fd) => STORE_FS.closeSync(fd),
    renameSync: (from, to) => {
      guard();
      STORE_FS.renameSync(from, to);
    },
    unlinkSync: (path) => {
      guard();
      STORE_FS.unlinkSync(path);
    },
    linkSync: (from, to) => {
      guard();
      STORE_FS.linkSync(from, to);
    },
    utimesSync: (path, atime, mtime) => {
      guard();
      STORE_FS.utimesSync(path, atime, mtime);
    },
    fdatasync: async (fd) => {
      guard();
      await STORE_FS.fdatasync(fd);
    },
    fdatasyncSync: (fd) => {
      guard();
      STORE_FS.fdatasyncSync(fd);
    },
    calls: () => calls,
  };
}

function checkpointerOn(at: Kept, fs: StoreFs): Checkpointer {
  return createCheckpointer({place: at.place, session: 'thr_1', limits: LIMITS, ignored: false, env: {}, isBusy: () => false, fs});
}

interface Turned {
  readonly kept: boolean;
  readonly fs: ReturnType<typeof failing>;
}

/** One turn on a disk that fails once: what a tool does is done only where the store has said that it may be. */
async function turnOn(at: Kept, kind: 'tool' | 'command', fs: ReturnType<typeof failing>): Promise<Turned> {
  const checkpointer = checkpointerOn(at, fs);
  checkpointer.beginTurn({id: 'trn_9', title: 'the turn'});
  let ready = false;
  try {
    const pending = await checkpointer.before({paths: kind === 'tool' ? ['a.txt', 'new/b.txt'].map(bytePath) : 'tree'}, never);
    ready = true;
    writeFileSync(join(at.root, 'a.txt'), 'changed');
    await pending.finish();
  } catch {
    // The host says it to the person.
  }
  try {
    checkpointer.endTurn();
  } catch {
    // Likewise.
  }
  return {kept: ready, fs};
}

async function recovered(at: Kept): Promise<void> {
  const scan = {ignored: 'small' as const, env: {}, own: undefined, maxEntries: 1000, maxReadMs: 1000};
  await recoverCheckpoints(
    {place: at.place, isActive: () => false, scan, capture: {folder: at.root, maxFileBytes: LIMITS.maxFileBytes}},
    never,
  );
}

describe.each(['ENOSPC', 'EACCES', 'EIO'])('%s at each write of the store', (code) => {
  it.each(['tool', 'command'] as const)(
    '%s: either nothing is changed, or it can be undone; what was kept before stays whole',
    async (kind) => {
      const outcomes = new Set<string>();
      for (let n = 1; ; n += 1) {
        const at = await kept({'a.txt': 'first', 'c.txt': 'c'});
        const start = treeOf(at.root);
        const earlier = await at.turn(['a.txt'], () => writeFileSync(join(at.root, 'a.txt'), 'second'));
        const middle = treeOf(at.root);
        const turned = await turnOn(at, kind, failing(n, code));
        if (!turned.kept) expect(treeOf(at.root)).toEqual(middle);
        outcomes.add(turned.kept ? 'kept' : 'refused');
        await recovered(at);
        const last = at.list().findLast(({title}) => title === 'the turn');
        if (turned.kept) {
          expect([n, last?.title]).toEqual([n, 'the turn']);
          expect((await at.restore(last?.id)).refused).toEqual([]);
          expect([n, treeOf(at.root)]).toEqual([n, middle]);
        }
        await at.restore(earlier?.id);
        expect([n, treeOf(at.root)]).toEqual([n, start]);
        if (turned.fs.calls() < n) break;
      }
      expect([...outcomes].sort()).toEqual(['kept', 'refused']);
    },
  );

  it('restore: either nothing is changed, or it is restored and can be taken back', async () => {
    for (let n = 1; ; n += 1) {
      const at = await kept({'a.txt': 'one'});
      const before = treeOf(at.root);
      const done = await at.turn(['a.txt'], () => writeFileSync(join(at.root, 'a.txt'), 'two'));
      const after = treeOf(at.root);
      const fs = failing(n, code);
      const undo = await at.restore(done?.id, {fs}).catch(() => undefined);
      const now = treeOf(at.root);
      expect([n, [JSON.stringify(before), JSON.stringify(after)].includes(JSON.stringify(now))]).toEqual([n, true]);
      await recovered(at);
      const record = at.list().findLast(({kind}) => kind === 'restore');
      if (JSON.stringify(now) === JSON.stringify(before)) {
        await at.restore(record?.id);
        expect([n, treeOf(at.root)]).toEqual([n, after]);
      }
      if (fs.calls() < n) {
        expect(undo?.restored).toEqual(['a.txt']);
        break;
      }
    }
  });
});

describe('a writer that was killed', () => {
  const killed = async (at: Kept, paths: readonly string[] | 'tree', act: () => void): Promise<void> => {
    const checkpointer = checkpointerOn(at, STORE_FS);
    checkpointer.beginTurn({id: 'trn_1', title: 'cut off'});
    await checkpointer.before({paths: paths === 'tree' ? 'tree' : paths.map(bytePath)}, never);
    act();
  };

  it.each([[['a.txt', 'n/new.txt']], ['tree' as const]])('after %j: what stands there counts as its work', async (paths) => {
    const at = await kept({'a.txt': '1'});
    const before = treeOf(at.root);
    await killed(at, paths, () => {
      writeFileSync(join(at.root, 'a.txt'), '2');
      if (paths === 'tree') writeFileSync(join(at.root, 'new.txt'), '2');
    });
    await recovered(at);
    writeFileSync(join(at.root, 'later.txt'), 'mine');
    const [record] = at.list();
    expect(record?.isClosed).toBe(true);
    await at.restore(record?.id);
    expect(treeOf(at.root)).toEqual({...before, 'later.txt': '644 mine'});
  });

  it('what somebody changes after it was recovered is theirs', async () => {
    const at = await kept({'a.txt': '1'});
    await killed(at, ['a.txt'], () => writeFileSync(join(at.root, 'a.txt'), '2'));
    await recovered(at);
    writeFileSync(join(at.root, 'a.txt'), 'mine');
    expect((await at.restore(at.list()[0]?.id)).refused).toEqual(['a.txt: changed since by somebody else']);
  });

  it('records of sessions that run are left to them; one that changed nothing goes', async () => {
    const at = await kept({'a.txt': '1'});
    await killed(at, ['a.txt'], () => undefined);
    const scan = {ignored: 'small' as const, env: {}, own: undefined, maxEntries: 1000, maxReadMs: 1000};
    const capture = {folder: at.root, maxFileBytes: LIMITS.maxFileBytes};
    await recoverCheckpoints({place: at.place, isActive: (session) => session === 'thr_1', scan, capture}, never);
    expect(at.list().map(({isClosed}) => isClosed)).toEqual([false]);
    await recovered(at);
    expect(at.list()).toEqual([]);
  });
});

describe('a damaged store', () => {
  it('a content that was tampered with is not restored, and named', async () => {
    const at = await kept({'a.txt': 'one'});
    const done = await at.turn(['a.txt'], () => writeFileSync(join(at.root, 'a.txt'), 'two'));
    const {blobFile, hashOf} = await import('../../../src/workspace/checkpoints/store/blob-store.ts');
    writeFileSync(blobFile(at.place.blobs, hashOf(Buffer.from('one'))), '\0evil');
    const undo = await at.restore(done?.id, {force: true});
    expect([undo.restored, undo.refused]).toEqual([
      [],
      [expect.stringMatching(/^a\.txt: A saved content \([0-9a-f]{12}\) is missing or damaged\.$/)],
    ]);
    expect(readFileSync(join(at.root, 'a.txt'), 'utf8')).toBe('two');
  });

  it('an index that is broken is made anew', async () => {
    const at = await kept({'a.txt': '1'});
    await at.turn('tree', () => writeFileSync(join(at.root, 'a.txt'), '2'));
    writeFileSync(at.place.index, '{"v":1,"entr');
    const again = keptIn(at);
    const done = await again.turn('tree', () => writeFileSync(join(at.root, 'a.txt'), '3'));
    await again.restore(done?.id);
    expect(readFileSync(join(at.root, 'a.txt'), 'utf8')).toBe('2');
  });
});
