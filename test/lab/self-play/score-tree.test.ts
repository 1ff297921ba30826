import {existsSync} from 'node:fs';
import {readdir} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {scratchName} from '../../../src/lab/rollout/place/scratch-place.ts';
import {scoreTree} from '../../../src/lab/self-play/score-tree.ts';
import type {Verification} from '../../../src/lab/suite/task.ts';
import {lab} from '../rollout/runs/support.ts';

const HAS_BWRAP = (process.env['PATH'] ?? '').split(':').some((folder) => existsSync(join(folder, 'bwrap')));
const NEVER = new AbortController().signal;
const PATCH = 'diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-old\n+new\n';

function verify(command: string): Verification {
  return {command, tests: [], testsAt: 'self-play-tests', rewardFiles: [], timeoutS: 30, env: {}};
}

describe.skipIf(!HAS_BWRAP)('scoreTree, which needs bubblewrap', () => {
  it('runs tests on the starting tree and on a patched one', async () => {
    const {request} = await lab({start: {'a.txt': 'old\n'}, agent: []});
    const passes = verify('grep -qx new a.txt');
    expect([
      await scoreTree(request, {patch: '', verify: passes}, NEVER),
      await scoreTree(request, {patch: PATCH, verify: passes}, NEVER),
      await scoreTree(request, {patch: PATCH.replace('-old', '-other'), verify: verify('true')}, NEVER),
    ]).toEqual([false, true, false]);
    expect(await readdir(request.folders.scratch)).toEqual([]);
  });

  it('shows each tree at the same path, with nothing of an earlier one', async () => {
    const {request} = await lab({start: {'a.txt': 'old\n'}, agent: []});
    const at = join(request.folders.scratch, scratchName(request.key), 'tree');
    const command = `test "$PWD" = "${at}" && test ! -e mark && test ! -e "$HOME/mark" && test ! -e /tmp/mark && touch mark "$HOME/mark" /tmp/mark`;
    expect([
      await scoreTree(request, {patch: '', verify: verify(command)}, NEVER),
      await scoreTree(request, {patch: PATCH, verify: verify(command)}, NEVER),
      await scoreTree(request, {patch: '', verify: verify(command)}, NEVER),
    ]).toEqual([true, true, true]);
  });

  it('hides the suite and the results from tests', async () => {
    const {request, folder} = await lab({start: {'a.txt': 'old\n'}, agent: []});
    const command = `test ! -e ${folder}/suite/t/tests/check.sh && test ! -e ${folder}/lab/results.json`;
    expect(await scoreTree(request, {patch: '', verify: verify(command)}, NEVER)).toBe(true);
  });

  it('throws CANCELLED on abort', async () => {
    const {request} = await lab({agent: []});
    await expect(scoreTree(request, {patch: '', verify: verify('true')}, AbortSignal.abort())).rejects.toMatchObject({code: 'CANCELLED'});
  });
});
