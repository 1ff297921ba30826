import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, it} from 'vitest';
import type {ThreadEvent} from '../../../src/protocol/events.ts';
import {loadSettings} from '../../../src/sdk/index.ts';
import {openVerification} from '../../../src/sdk/verification/open-verification.ts';
import {scratch} from '../../support/scratch.ts';

it('says that changes are not known where a run has filled a folder that undo does not cover (guide continuation › up to 20,000 entries)', async () => {
  const [home, root] = [
    await scratch({'config.toml': '[checkpoints]\nkeep = "off"\n'}),
    await scratch({'a.test.js': 'throw new Error()\n'}),
  ];
  const session = await loadSettings({cwd: root, env: {FETTLE_HOME: home}, home});
  const events: ThreadEvent[] = [];
  const dispatcher = {context: {workspace: {root}}};
  const parts = {session, threadId: 't', verify: ['node run.js'], dispatcher, emit: (event: ThreadEvent) => void events.push(event)};
  const proof = openVerification(parts as never, () => parts.verify);
  const {signal} = new AbortController();
  await proof.begin(signal);
  await proof.atChecks(signal);
  writeFileSync(join(root, 'a.test.js'), '');
  await proof.end(true);
  expect(proof.report([])).toMatchObject({check_changes: [{path: 'a.test.js', change: 'changed', reason: 'test'}]});
  expect([proof.report([]).check_changes_unknown, events]).toEqual([undefined, []]);

  for (let n = 0; n <= 20_000; n += 1) writeFileSync(join(root, `f${n}`), '');
  await proof.end(true);
  expect(proof.report([])).toMatchObject({check_changes_unknown: true});
  expect(events).toMatchObject([
    {
      item: {
        event: 'check_changes_unknown',
        message: 'Unknown which files of the checks were changed: the folder is too large to be compared.',
      },
    },
  ]);
});
