import {execFileSync} from 'node:child_process';
import {expect, it} from 'vitest';
import type {SessionSettings} from '../../src/sdk/load-settings.ts';
import {runDiff} from '../../src/sdk/run-diff.ts';
import {kept} from '../workspace/checkpoints/support.ts';

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
});
