import {readdir} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {fillCompileCache} from '../../../../src/lab/rollout/agent/fill-compile-cache.ts';
import {runRollout} from '../../../../src/lab/rollout/run-rollout.ts';
import {bareAgent, lab} from './support.ts';

const signal = new AbortController().signal;

describe('the compiled code of the agent', () => {
  it('is filled once by calls that succeed, and rollouts read it without writing it', async () => {
    const {request, folder, artifact} = await lab({agent: ['echo 42 > answer.txt']});
    const folders = {scratch: join(folder, 'scratch'), compileCache: join(folder, 'cache')};
    expect(await fillCompileCache(request.agent, folders, signal)).toBe(true);
    const files = (await readdir(folders.compileCache, {recursive: true})).toSorted();
    expect(files.length).toBeGreaterThan(20);
    expect(await fillCompileCache({...request.agent, program: '/nonexistent'}, folders, signal)).toBe(true);
    expect(await runRollout({...request, folders: {...request.folders, ...folders}}, signal)).toMatchObject({outcome: 'passed'});
    expect((await readdir(folders.compileCache, {recursive: true})).toSorted()).toEqual(files);
    expect(await readdir(folders.scratch)).toEqual([]);
    expect(await artifact('last-message.txt')).toBe('Done.');
  });

  it('is left out where the agent does not run', async () => {
    const {request, folder} = await lab({agent: bareAgent('exit 1')});
    const folders = {scratch: join(folder, 'scratch'), compileCache: join(folder, 'cache')};
    expect(await fillCompileCache({...request.agent, args: ['-c', 'exit 1']}, folders, signal)).toBe(false);
    expect(await readdir(folders.compileCache)).toEqual([]);
  });
});
