import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {setImmediate as breathe} from 'node:timers/promises';
import {describe, expect, it, onTestFinished} from 'vitest';
import {createFolderWatch, type FolderWatch} from '../../../src/code/index/folder-watch.ts';
import {scratch} from '../../support/scratch.ts';

async function watchedFolders(count: number, most: number): Promise<{readonly root: string; readonly watch: FolderWatch}> {
  const root = await scratch();
  const watch = createFolderWatch(root, most);
  onTestFinished(() => watch.close());
  for (let n = 0; n < count; n += 1) {
    mkdirSync(join(root, `d${n}`));
    watch.add(`d${n}`);
  }
  watch.take();
  return {root, watch};
}

describe('the watch of the folders of an index', () => {
  it('notes what changes, so that nothing else needs to be looked at', async () => {
    const {root, watch} = await watchedFolders(5, 5);
    writeFileSync(join(root, 'd0/a.ts'), '');
    for (let turn = 0; turn < 2; turn += 1) await breathe();
    expect(watch.take()).toEqual(new Set(['d0/a.ts']));
    expect(watch.take()).toEqual(new Set());
  });

  it('with more folders than can be watched nothing is known, rather than what changed in some of them', async () => {
    const {root, watch} = await watchedFolders(8, 5);
    expect(watch.take()).toBe(undefined);
    watch.add('d0');
    expect(watch.take()).toBe(undefined);
    writeFileSync(join(root, 'd1/a.ts'), '');
    for (let turn = 0; turn < 2; turn += 1) await breathe();
    expect(watch.take()).toBe(undefined);
  });
});
