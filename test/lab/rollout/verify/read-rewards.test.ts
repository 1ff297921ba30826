import {execFileSync} from 'node:child_process';
import {symlink} from 'node:fs/promises';
import {join} from 'node:path';
import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {parseRewards, readRewards} from '../../../../src/lab/rollout/verify/read-rewards.ts';
import {scratch} from '../../../support/scratch.ts';

const BROKEN = {kind: 'broken', problem: 'the rewards are neither a number nor an object of numbers'};

describe('rewards', () => {
  it.each([
    ['1\n', {reward: 1}],
    [' 0.5 ', {reward: 0.5}],
    ['7', {reward: 1}],
    ['-1', {reward: 0}],
    ['.50\n', {reward: 0.5}],
    ['1.', {reward: 1}],
    ['+1', {reward: 1}],
    ['00.5', {reward: 0.5}],
    ['5e-1\r\n', {reward: 0.5}],
    ['{"correct": true, "fast": false}', {correct: 1, fast: 0}],
    ['{"correct": 1, "fast": 0.25}', {correct: 1, fast: 0.25}],
  ])('%j is %o', (text, rewards) => {
    expect(parseRewards(text)).toEqual({kind: 'rewards', rewards});
  });

  it.each([
    '',
    'yes',
    'true',
    'null',
    '{}',
    '[1]',
    '{"a": "1"}',
    '{"a": 1, "b": null}',
    '1 1',
    'NaN',
    '1e999',
    '.',
    '0,5',
    '0x1',
    '{"a": 1e999}',
  ])('%j is broken', (text) => {
    expect(parseRewards(text)).toEqual(BROKEN);
  });

  it('are between 0 and 1, whatever the text (property)', () => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.double().map(String), fc.string()), (text) => {
        const found = parseRewards(text);
        const values = found.kind === 'rewards' ? Object.values(found.rewards) : [];
        expect(values.every((value) => value >= 0 && value <= 1)).toBe(true);
      }),
    );
  });

  it('are read from the first file that is there', async () => {
    const folder = await scratch({'b.txt': '0.5', 'c.txt': '1'});
    expect(await readRewards(['a.txt', 'b.txt', 'c.txt'].map((name) => join(folder, name)))).toEqual({
      kind: 'rewards',
      rewards: {reward: 0.5},
    });
    expect(await readRewards([join(folder, 'a.txt'), join(folder, 'x/y.txt')])).toEqual({kind: 'none'});
  });

  it('are not read from links, folders, FIFOs and large files, nor through a linked folder', async () => {
    const folder = await scratch({'one.txt': '1', 'folder/one.txt': '1', 'large.txt': `${' '.repeat(64 * 1024)}1`});
    await symlink(join(folder, 'one.txt'), join(folder, 'link.txt'));
    await symlink(join(folder, 'folder'), join(folder, 'linked'));
    execFileSync('mkfifo', [join(folder, 'fifo')]);
    for (const name of ['link.txt', 'linked/one.txt', 'folder', 'fifo', 'large.txt'])
      expect([name, await readRewards([join(folder, name)])]).toEqual([name, {kind: 'broken', problem: expect.any(String)}]);
  });
});
