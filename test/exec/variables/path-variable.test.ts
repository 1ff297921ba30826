import {chmodSync, symlinkSync} from 'node:fs';
import {delimiter, join} from 'node:path';
import {expect, it} from 'vitest';
import {pathWithout, programsNamed} from '../../../src/exec/variables/path-variable.ts';
import {gitFor} from '../../../src/sdk/subagents/child-git.ts';
import {scratch} from '../../support/scratch.ts';

it('leaves out what lies in a folder, also behind a link, and nothing beside it', async () => {
  const root = await scratch({'.venv/bin/git': ''});
  const other = await scratch();
  symlinkSync(join(root, '.venv'), join(other, 'linked'));
  const entries = ['/usr/bin', join(root, '.venv/bin'), join(other, 'linked/bin'), `${root}-beside`, 'relative', root, '/bin'];
  expect(pathWithout(entries.join(delimiter), [root]).split(delimiter)).toEqual(['/usr/bin', `${root}-beside`, '/bin']);
  expect(programsNamed('git', ['/usr/bin', 'relative', '/bin'].join(delimiter))).toEqual(['/usr/bin/git', '/bin/git']);
});

it('git for Fettle itself is not one that a command has put into the virtual environment of the workspace (GHSA-p9g2-cr55-cw9c)', async () => {
  const root = await scratch({'.venv/bin/git': '#!/bin/sh\necho evil\n'});
  chmodSync(join(root, '.venv/bin/git'), 0o755);
  const env = {PATH: `${join(root, '.venv/bin')}${delimiter}${process.env['PATH'] ?? ''}`, HOME: root};
  const trust = {root, state: 'empty', items: [], problems: []} as unknown as Parameters<typeof gitFor>[0]['trust'];
  const git = await gitFor({env, home: root, trust}, {top: root, cwd: root});
  expect(await git.line(['--version'])).toMatch(/^git version /);
});
