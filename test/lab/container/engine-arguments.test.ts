import {describe, expect, it} from 'vitest';
import {execArguments, removeArguments, runArguments, stopArguments} from '../../../src/lab/container/engine-arguments.ts';

describe('the arguments of an engine', () => {
  it('start a container that waits, with its labels, limits and read-only mounts', () => {
    const spec = {
      name: 'c',
      labels: {'fettle.run': 'r'},
      image: 'sha256:1',
      mounts: [{from: '/a', at: '/b'}],
      network: false,
      cpus: 1.5,
      memory: '512m',
    };
    expect(runArguments(spec).join(' ')).toBe(
      'run --detach --pull never --name c --label fettle.run=r --network none --cpus 1.5 --memory 512m --security-opt label=disable ' +
        '--mount type=bind,source=/a,destination=/b,readonly --entrypoint sh sha256:1 -c while :; do sleep 1000; done',
    );
    expect(runArguments({name: 'c', labels: {}, image: 'i', mounts: [], network: true}).join(' ')).toBe(
      'run --detach --pull never --name c --security-opt label=disable --entrypoint sh i -c while :; do sleep 1000; done',
    );
  });

  it('run a program in it', () => {
    expect(
      execArguments({container: 'c', command: ['bash', '-c', 'x y'], workdir: '/app', env: {A: 'b c'}, hasInput: true, asRoot: true}),
    ).toEqual(['exec', '--interactive', '--user', '0', '--workdir', '/app', '--env', 'A=b c', 'c', 'bash', '-c', 'x y']);
    expect(execArguments({container: 'c', command: ['ls']})).toEqual(['exec', 'c', 'ls']);
  });

  it('end and remove it at once', () => {
    expect(stopArguments('c')).toEqual(['stop', '-t', '0', 'c']);
    expect(removeArguments('docker', ['c', 'd'])).toEqual(['rm', '--force', '--volumes', 'c', 'd']);
    expect(removeArguments('podman', ['c'])).toEqual(['rm', '--force', '--volumes', '-t', '0', 'c']);
  });
});
