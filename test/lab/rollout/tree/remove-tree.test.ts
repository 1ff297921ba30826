import {chmodSync, mkdirSync, readdirSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {removeTree} from '../../../../src/lab/rollout/tree/remove-tree.ts';
import {scratch} from '../../../support/scratch.ts';

describe('removing what an agent could write', () => {
  it('removes files, folders and links, and nothing that a link leads to', async () => {
    const root = await scratch({'kept/a': '', 'gone/file': '', 'gone/deep/er/file': ''});
    symlinkSync(join(root, 'kept'), join(root, 'gone/link'));
    symlinkSync(join(root, 'nowhere'), join(root, 'gone/dangling'));
    await removeTree(join(root, 'gone'));
    expect([readdirSync(root), readdirSync(join(root, 'kept'))]).toEqual([['kept'], ['a']]);
  });

  it('removes a link or a file in the place of the folder itself', async () => {
    const root = await scratch({'kept/a': '', file: ''});
    symlinkSync(join(root, 'kept'), join(root, 'link'));
    symlinkSync(join(root, 'nowhere'), join(root, 'dangling'));
    for (const name of ['link', 'dangling', 'file', 'missing']) await removeTree(join(root, name));
    expect([readdirSync(root), readdirSync(join(root, 'kept'))]).toEqual([['kept'], ['a']]);
  });

  it('removes many entries, and folders that cannot be listed', async () => {
    const root = await scratch({'gone/closed/file': ''});
    mkdirSync(join(root, 'gone/many'));
    for (let index = 0; index < 600; index += 1) writeFileSync(join(root, `gone/many/${index}`), '');
    chmodSync(join(root, 'gone/closed'), 0);
    await removeTree(join(root, 'gone'));
    expect(readdirSync(root)).toEqual([]);
  });
});
