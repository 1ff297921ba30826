import {realpathSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {assertMountable, mountAgent} from '../../../src/lab/container/agent-mounts.ts';
import {scratch} from '../../support/scratch.ts';

const NODE = {from: realpathSync(process.execPath), at: '/opt/fettle/bin/node'};

describe('the agent in a container', () => {
  it('has its package and the packages that this loads, nested as they are here', async () => {
    const root = await scratch({
      'node_modules/outer/package.json': '{}',
      'app/node_modules/fettle/package.json': '{}',
      'app/node_modules/fettle/bin/fettle.cjs': '',
      'app/node_modules/fettle/node_modules/inner/package.json': '{}',
    });
    const file = join(root, 'app/node_modules/fettle/bin/fettle.cjs');
    expect(mountAgent({program: process.execPath, args: ['--no-warnings', file]})).toEqual({
      node: NODE,
      program: NODE.at,
      args: ['--no-warnings', '/opt/fettle/app/l1/l2/package/bin/fettle.cjs'],
      mounts: [
        NODE,
        {from: join(root, 'app/node_modules/fettle'), at: '/opt/fettle/app/l1/l2/package'},
        {from: join(root, 'app/node_modules'), at: '/opt/fettle/app/l1/l2/node_modules'},
        {from: join(root, 'node_modules'), at: '/opt/fettle/app/l1/node_modules'},
      ],
    });
  });

  it('is a program of the image, where its name is not a path', () => {
    expect(mountAgent({program: 'bash', args: ['-c', 'x']})).toEqual({node: NODE, program: 'bash', args: ['-c', 'x'], mounts: [NODE]});
  });

  it('is not shown together with what agents must not see, or by a path that engines would take apart', () => {
    const mounts = [{from: '/repo/node_modules', at: '/x'}];
    expect(() => assertMountable(mounts, ['/repo', '/repo/suite', '/repo/node_modules-other'])).not.toThrow();
    expect(() => assertMountable(mounts, ['/repo/node_modules/suite'])).toThrow(
      '/repo/node_modules, which containers need, contains /repo/node_modules/suite, which agents must not see.',
    );
    expect(() => assertMountable([{from: '/a,b', at: '/x'}], [])).toThrow('/a,b cannot be shown to a container');
  });
});
