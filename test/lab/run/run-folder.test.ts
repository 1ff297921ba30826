import {mkdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {createRun, listRuns, openRun, runsFolder} from '../../../src/lab/run/run-folder.ts';
import type {RunPlan} from '../../../src/lab/run/run-plan.ts';
import {scratch} from '../../support/scratch.ts';

function plan(name: string, createdAt: number): RunPlan {
  return {
    name,
    suite: '/s',
    suiteName: 's',
    tasks: [{id: 'fix-date', digest: 'a', labels: {language: 'python'}, prompt: 'p'}],
    notRun: [],
    models: ['script'],
    toolsets: ['fettle'],
    attempts: 1,
    store: '/store',
    isShared: false,
    createdAt,
    version: '0.1.0',
  };
}

describe('the folder of a run', () => {
  it('is found by its name, and without a name the newest is', async () => {
    const state = await scratch();
    await createRun(state, plan('old', 1));
    await createRun(state, {...plan('new', 2), budgetUsd: 3});
    expect((await openRun(state, undefined)).plan).toEqual({...plan('new', 2), budgetUsd: 3});
    expect((await openRun(state, 'old')).plan).toEqual(plan('old', 1));
    expect((await listRuns(state)).map(({plan: {name}}) => name)).toEqual(['new', 'old']);
  });

  it('is never overwritten', async () => {
    const state = await scratch();
    await createRun(state, plan('one', 1));
    await expect(createRun(state, plan('one', 2))).rejects.toMatchObject({
      code: 'USAGE',
      message: 'There is a run one already.',
      hint: 'Choose another name, or continue that run: fettle lab run --resume one',
    });
  });

  it('gets a number where nobody chose its name, since two runs may begin in the same second', async () => {
    const state = await scratch();
    const own = (name: string): RunPlan => ({...plan(name, 1), store: join(runsFolder(state), name, 'artifacts')});
    const made = await Promise.all([1, 2, 3].map(async () => (await createRun(state, own('s-1'), {isFinal: false})).plan));
    expect(made.toSorted((a, b) => a.name.localeCompare(b.name))).toEqual([own('s-1'), own('s-1-2'), own('s-1-3')]);
    expect((await createRun(state, plan('s-1', 1), {isFinal: false})).plan).toEqual(plan('s-1-4', 1));
    expect((await openRun(state, 's-1-3')).plan).toEqual(own('s-1-3'));
  });

  it.each(['../other', 'a/b', '', '.hidden', 'UPPER', 'x'.repeat(81)])('refuses the name %j', async (name) => {
    await expect(createRun(await scratch(), plan(name, 1))).rejects.toMatchObject({code: 'USAGE'});
    await expect(openRun(await scratch(), name)).rejects.toMatchObject({code: 'USAGE'});
  });

  it('names the newest runs when there is none of a name', async () => {
    const state = await scratch();
    await expect(openRun(state, undefined)).rejects.toMatchObject({code: 'NOT_FOUND', message: 'No runs yet.'});
    await createRun(state, plan('one', 1));
    await expect(openRun(state, 'two')).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: 'No run is called two.',
      hint: 'The newest runs are one.',
    });
  });

  it('does not list a folder whose plan is broken, or of another name', async () => {
    const state = await scratch();
    await createRun(state, plan('one', 1));
    await mkdir(join(runsFolder(state), 'broken'));
    await writeFile(join(runsFolder(state), 'broken', 'run.json'), '{"name": "broken"}');
    await mkdir(join(runsFolder(state), 'other'));
    await writeFile(join(runsFolder(state), 'other', 'run.json'), JSON.stringify(plan('one', 9)));
    expect((await listRuns(state)).map(({plan: {name}}) => name)).toEqual(['one']);
  });
});
