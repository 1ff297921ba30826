import {execFileSync} from 'node:child_process';
import {expect, it} from 'vitest';
import {runDiff, runTexts} from '../../../src/sdk/subagents/run-diff.ts';
import type {SessionSettings} from '../../../src/sdk/settings/session-settings.ts';
import {kept} from '../../workspace/checkpoints/support.ts';

it('the diff for an evaluator names an ignored file and does not show what is in it', async () => {
  const at = await kept({'.gitignore': '.env\n', '.env': 'TOKEN=secret\n', 'a.txt': 'one\n'});
  await at.turn('tree', () => execFileSync('sh', ['-c', 'echo TOKEN=other > .env; echo two > a.txt'], {cwd: at.root}));
  const settings = {checkpoints: {keep: 'on', ignored: false, max_mb: 1, max_file_mb: 1, max_days: 1}};
  const session = {settings, paths: {stateDir: at.state}} as unknown as SessionSettings;
  expect(await runDiff({session, threadId: 'thr_1', root: at.root, touched: []})).toMatchInlineSnapshot(`
    "changed .env
    ignored by git: its content is not shown

    changed a.txt
    --- a/a.txt
    +++ b/a.txt
    @@ -1,1 +1,1 @@
    -one
    +two"
  `);
  expect(await runTexts({session, threadId: 'thr_1', root: at.root, part: 'session'})).toEqual([
    {path: '.env', kind: 'changed', note: 'ignored by git: its content is not shown'},
    {path: 'a.txt', kind: 'changed', before: 'one\n', after: 'two\n'},
  ]);
});

it('the files of a session are those of all its turns, before the first and after the last, or those of the newest turn that changed any', async () => {
  const at = await kept({'a.txt': 'one\n', 'gone.txt': 'x\n', 'empty.txt': 'y\n', 'logo.png': 'a\0b'});
  await at.turn('tree', () =>
    execFileSync('sh', ['-c', 'echo two > a.txt; rm gone.txt; : > empty.txt; echo more >> logo.png'], {cwd: at.root}),
  );
  await at.turn('tree', () => execFileSync('sh', ['-c', 'echo three > a.txt; echo new > new.txt'], {cwd: at.root}));
  await at.turn('tree', () => undefined);
  const settings = {checkpoints: {keep: 'on', ignored: false, max_mb: 1, max_file_mb: 1, max_days: 1}};
  const session = {settings, paths: {stateDir: at.state}} as unknown as SessionSettings;
  const texts = (part: 'session' | 'turn', threadId = 'thr_1') => runTexts({session, threadId, root: at.root, part});
  expect(await texts('session')).toEqual([
    {path: 'a.txt', kind: 'changed', before: 'one\n', after: 'three\n'},
    {path: 'empty.txt', kind: 'changed', before: 'y\n', after: ''},
    {path: 'gone.txt', kind: 'deleted', before: 'x\n'},
    {path: 'logo.png', kind: 'changed', note: 'binary: 3 → 8 bytes'},
    {path: 'new.txt', kind: 'created', after: 'new\n'},
  ]);
  expect(await texts('turn')).toEqual([
    {path: 'a.txt', kind: 'changed', before: 'two\n', after: 'three\n'},
    {path: 'new.txt', kind: 'created', after: 'new\n'},
  ]);
  expect(await texts('session', 'thr_2')).toEqual([]);
});
