import {rmSync, utimesSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {blobFile} from '../../../src/workspace/checkpoints/store/blob-store.ts';
import {isPruneDue, prune} from '../../../src/workspace/checkpoints/prune.ts';
import {usedBytes} from '../../../src/workspace/checkpoints/session-store.ts';
import {namesIn} from '../../../src/workspace/checkpoints/store/store-place.ts';
import {EMPTY_INDEX, readIndex} from '../../../src/workspace/checkpoints/tree-index.ts';
import {openedBelow} from '../../support/opened-files.ts';
import {kept, keptIn, LIMITS, treeOf} from './support.ts';

const DAY = 86_400_000;
const noise = (seed: number): Buffer =>
  Buffer.from(Array.from({length: 10_000}, (_, n) => (Math.imul(n * n + seed * 7919, 2_654_435_761) >>> 13) & 255));
const options = {maxBytes: 1e9, maxAgeMs: 30 * DAY, now: Date.now(), isActive: () => false};

describe('quota (opencode #9601: undo must not fill the disk)', () => {
  it('the oldest checkpoints go until the rest fits, with the contents that nothing needs any more; the newest stays', async () => {
    const at = await kept({f: noise(0)});
    const ids: (string | undefined)[] = [];
    for (const n of [1, 2, 3, 4]) ids.push((await at.turn(['f'], () => writeFileSync(join(at.root, 'f'), noise(n))))?.id);
    const used = usedBytes(at.place);
    const {dropped, bytes} = prune(at.place, {...options, maxBytes: used});
    expect([used > 40_000, dropped, bytes < used * 0.6]).toEqual([true, ids.slice(0, 2), true]);
    expect([at.list().map(({id}) => id), usedBytes(at.place)]).toEqual([ids.slice(2), bytes]);
    await at.restore(ids[2]);
    expect(treeOf(at.root)).toEqual({f: `644 ${noise(2).toString('latin1')}`});
    expect(prune(at.place, {...options, maxBytes: 1}).dropped).toEqual(ids.slice(2));
  });

  it('what is too old goes', async () => {
    const at = await kept({f: '0'});
    const first = await at.turn(['f'], () => writeFileSync(join(at.root, 'f'), '1'));
    await at.turn(['f'], () => writeFileSync(join(at.root, 'f'), '2'));
    expect(prune(at.place, {...options, now: Date.now() + 31 * DAY}).dropped).toEqual([first?.id]);
  });

  it('while a session runs, a content that was just used stays: it may be about to be named', async () => {
    const at = await kept({f: '0'});
    await at.turn(['f'], () => writeFileSync(join(at.root, 'f'), '1'));
    const orphan = 'ab'.repeat(32);
    const {mkdirSync} = await import('node:fs');
    mkdirSync(join(at.place.blobs, 'ab'), {recursive: true});
    writeFileSync(blobFile(at.place.blobs, orphan), '\0x');
    prune(at.place, {...options, isActive: () => true});
    expect(namesIn(join(at.place.blobs, 'ab'))).toEqual([orphan.slice(2)]);
    const old = new Date(Date.now() - DAY);
    utimesSync(blobFile(at.place.blobs, orphan), old, old);
    prune(at.place, {...options, isActive: () => true});
    expect(namesIn(join(at.place.blobs, 'ab'))).toEqual([]);
  });

  it('is due when four fifths are used, and once a day', async () => {
    const at = await kept({f: noise(0)});
    expect(isPruneDue(at.place, options)).toBe(false);
    await at.turn(['f'], () => writeFileSync(join(at.root, 'f'), '1'));
    prune(at.place, options);
    const used = usedBytes(at.place);
    const due = (change: Partial<typeof options>): boolean => isPruneDue(at.place, {...options, ...change});
    expect([due({}), due({maxBytes: used}), due({now: options.now + DAY + 1})]).toEqual([false, true, true]);
  });

  it('where there is no room a change is named as not covered, and the next that fits is', async () => {
    const at = await kept({big: noise(1), small: 's'}, {limits: {...LIMITS, maxBytes: 3000}});
    const done = await at.turn(['big', 'small'], () => {
      writeFileSync(join(at.root, 'big'), '1');
      writeFileSync(join(at.root, 'small'), '2');
    });
    expect(done?.notes).toEqual(['big cannot be brought back: too large, unreadable, or no room.']);
    const undo = await at.restore(done?.id);
    expect([undo.restored, undo.refused]).toEqual([['small'], ['big: its content was not saved: too large, unreadable, or no space left']]);
  });

  it('a tree with too many entries: commands are not covered, and that is said', async () => {
    const at = await kept({a: '1', b: '1', c: '1'}, {limits: {...LIMITS, maxEntries: 2}});
    const done = await at.turn('tree', () => writeFileSync(join(at.root, 'a'), '2'));
    expect([done?.changed, done?.notes]).toEqual([[], ['What commands change is not covered: the folder holds more than 2 entries.']]);
  });

  it('of such a tree no content is read or kept, and the next command does not look at it again', async () => {
    const at = await kept({a: '1', b: '1', c: '1'}, {limits: {...LIMITS, maxEntries: 2}});
    const notes = ['What commands change is not covered: the folder holds more than 2 entries.'];
    await at.turn('tree', () => rmSync(join(at.root, 'c')));
    expect([namesIn(at.place.blobs), readIndex(at.place.index)]).toEqual([[], EMPTY_INDEX]);
    const opened = openedBelow(at.root);
    const done = await at.turn('tree', () => writeFileSync(join(at.root, 'a'), '2'));
    expect(opened).toEqual([]);
    expect([done?.changed, done?.notes, readIndex(at.place.index)]).toEqual([[], notes, EMPTY_INDEX]);
  });

  it('a command that makes such a tree small enough: what it left does not count as made by it, for an undo would delete it', async () => {
    const at = await kept({a: '1', b: '1', c: '1', d: '1'}, {limits: {...LIMITS, maxEntries: 3}});
    const done = await at.turn('tree', () => ['c', 'd'].forEach((name) => rmSync(join(at.root, name))));
    expect(done?.changed).toEqual([]);
  });
});

describe('packs', () => {
  it('what a command may change is kept in one file; of it stays what is needed', async () => {
    const names = Array.from({length: 20}, (_, n) => `f${n}`);
    const at = await kept(Object.fromEntries(names.map((name, n) => [name, noise(n)])));
    const first = await at.turn('tree', () => {
      for (const [n, name] of names.entries()) if (n < 15) writeFileSync(join(at.root, name), String(n));
    });
    await at.turn('tree', () => writeFileSync(join(at.root, 'f0'), 'last'));
    const packs = (): string[] => namesIn(at.place.blobs).filter((name) => name.endsWith('.pack'));
    expect(packs().length).toBe(1);
    prune(at.place, {...options, isActive: () => true});
    expect(usedBytes(at.place)).toBeGreaterThan(200_000);
    expect(prune(at.place, {...options, maxBytes: 150_000}).dropped).toEqual([first?.id]);
    expect([usedBytes(at.place) < 60_000, packs().length]).toEqual([true, 1]);
    const again = keptIn(at);
    const last = await again.turn('tree', () => {
      for (const name of names) writeFileSync(join(at.root, name), 'x');
    });
    await again.restore(last?.id);
    expect(treeOf(at.root)['f19']).toBe(`644 ${noise(19).toString('latin1')}`);
    expect(treeOf(at.root)['f0']).toBe('644 last');
  });
});

describe('two sessions in one workspace', () => {
  it('each undoes its own; what the other changed since is named', async () => {
    const one = await kept({a: '1', b: '1'});
    const two = keptIn(one, {session: 'thr_2'});
    const first = await one.turn('tree', () => writeFileSync(join(one.root, 'a'), 'one'));
    const second = await two.turn('tree', () => writeFileSync(join(one.root, 'b'), 'two'));
    await one.turn('tree', () => undefined);
    await one.restore(first?.id);
    expect(treeOf(one.root)).toEqual({a: '644 1', b: '644 two'});
    const third = await one.turn(['b'], () => writeFileSync(join(one.root, 'b'), 'one'));
    expect((await two.restore(second?.id)).refused).toEqual(['b: changed since by somebody else']);
    await one.restore(third?.id);
    await two.restore(second?.id);
    expect(treeOf(one.root)).toEqual({a: '644 1', b: '644 1'});
  });

  it('a command that was left running: what changes between two looks of a turn is its work', async () => {
    const at = await kept({a: '1'}, {isBusy: () => true});
    const {createCheckpointer} = await import('../../../src/workspace/checkpoints/checkpointer.ts');
    const signal = new AbortController().signal;
    const checkpointer = createCheckpointer({
      place: at.place,
      session: 'thr_1',
      limits: LIMITS,
      ignored: false,
      env: {},
      isBusy: () => true,
    });
    checkpointer.beginTurn({id: 'trn_1', title: 'x'});
    await (await checkpointer.before({paths: 'tree'}, signal)).finish();
    writeFileSync(join(at.root, 'a'), 'by the job');
    await (await checkpointer.before({paths: 'tree'}, signal)).finish();
    expect(checkpointer.endTurn()?.changed).toEqual(['a']);
  });
});
