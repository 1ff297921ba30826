import {describe, expect, it} from 'vitest';
import {fettlePaths} from '../../../../src/config/paths.ts';
import {listLabRuns} from '../../../../src/hosts/cli/commands/lab/list-runs.ts';
import {createRun} from '../../../../src/lab/run/run-folder.ts';
import type {RunPlan} from '../../../../src/lab/run/run-plan.ts';
import {scratch} from '../../../support/scratch.ts';
import {capturedIo} from '../captured-io.ts';

const PLAN: RunPlan = {
  name: 'here',
  suite: '/suite',
  suiteName: 'suite',
  tasks: [{id: 't', digest: 'd', labels: {}, prompt: 'p'}],
  notRun: [],
  models: ['script'],
  toolsets: ['fettle'],
  attempts: 2,
  store: '/store',
  isShared: false,
  createdAt: 2,
  version: '1',
};

describe('fettle lab list', () => {
  it('counts runs of this machine also where a queue is configured, and those of a queue only with its address', async () => {
    const home = await scratch({});
    const at = {home, cwd: home};
    const {stateDir} = fettlePaths({env: {FETTLE_HOME: home}, home});
    await createRun(stateDir, PLAN);
    const configured = capturedIo({...at, env: {FETTLE_HOME: home, FETTLE_LAB_QUEUE: 'postgres://nobody@127.0.0.1:9/none'}});
    await listLabRuns(configured.io, {});
    await createRun(stateDir, {...PLAN, name: 'shared', isShared: true, createdAt: 1});
    const without = capturedIo({...at, env: {FETTLE_HOME: home}});
    await listLabRuns(without.io, {});
    expect([configured.stdout(), without.stdout()]).toEqual([
      'here  1970-01-01 00:00 UTC  0 of 2 done, 0 passed  suite  script  fettle\n',
      'here    1970-01-01 00:00 UTC  0 of 2 done, 0 passed                   suite  script  fettle\n' +
        'shared  1970-01-01 00:00 UTC  2 in a queue (--queue URL counts them)  suite  script  fettle\n',
    ]);
  });
});
