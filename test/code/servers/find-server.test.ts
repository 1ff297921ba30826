import {chmod} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {findServer} from '../../../src/code/servers/find-server.ts';
import {scratch} from '../../support/scratch.ts';

const {signal} = new AbortController();
const SPEC = {name: 'tsc', languages: ['typescript'], command: 'tsc', args: [], versionArgs: ['--version'], versionPattern: /^Version 7\./};

describe('findServer (issue 6: "found on PATH or in node_modules")', () => {
  it('the one of the project goes first; where it is too old, the one on PATH', async () => {
    const path = join(await scratch({tsc: version(7)}), 'tsc');
    await chmod(path, 0o755);
    for (const [inProject, found] of [
      [7, 'project'],
      [5, 'PATH'],
    ] as const) {
      const root = await scratch({'node_modules/.bin/tsc': version(inProject)});
      const own = join(root, 'node_modules/.bin/tsc');
      await chmod(own, 0o755);
      const env = {PATH: `${join(path, '..')}:/usr/bin:/bin`};
      const server = await findServer({language: 'typescript', specs: [SPEC], root, env, mayRunProject: true}, signal);
      expect(server?.program).toBe(found === 'PATH' ? path : own);
    }
  });
});

function version(major: number): string {
  return `#!/bin/sh\necho Version ${major}.0.2\n`;
}
