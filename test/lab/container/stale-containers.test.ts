import {spawnSync} from 'node:child_process';
import {describe, expect, it} from 'vitest';
import {identityOf, type ProcessIdentity} from '../../../src/exec/process/process-identity.ts';
import {labelsOf, removeStale} from '../../../src/lab/container/stale-containers.ts';
import {fakeEngine} from './fake-engine.ts';

const signal = new AbortController().signal;

function own(): ProcessIdentity {
  const identity = identityOf(process.pid);
  if (identity === undefined) throw new Error('This process has no identity.');
  return identity;
}

function ownerLabel(owner: ProcessIdentity): string {
  return labelsOf({lab: 'l', run: 'r', owner})['fettle.owner'] ?? '';
}

describe('containers of killed processes', () => {
  it('are removed; those of living ones, and those whose owner cannot be read, stay', async () => {
    const dead = {...own(), pid: spawnSync('true').pid};
    const lines = [
      `one ${ownerLabel(own())}`,
      `two ${ownerLabel(dead)}`,
      'three <no value>',
      `four ${ownerLabel({...own(), space: 'other'})}`,
    ];
    const {env, calls} = await fakeEngine({
      docker: `case $1 in ps) echo one; echo two;; container) cat <<'E'\n${lines.join('\n')}\nE\n;; esac`.replace('cat', '/bin/cat'),
    });
    expect(await removeStale({program: 'docker', version: '1', env}, 'l', signal)).toBe(1);
    expect(await calls()).toEqual([
      'docker ps --all --quiet --no-trunc --filter label=fettle.lab=l',
      'docker container inspect --format {{.Id}} {{index .Config.Labels "fettle.owner"}} one two',
      'docker rm --force --volumes two',
    ]);
  });

  it('are not asked about where there are none', async () => {
    const {env, calls} = await fakeEngine({docker: 'exit 0'});
    expect(await removeStale({program: 'docker', version: '1', env}, 'l', signal)).toBe(0);
    expect(await calls()).toHaveLength(1);
  });
});
