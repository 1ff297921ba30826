import {mkdir, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {planPlay, sourcesOf} from '../../../src/lab/self-play/plan-play.ts';
import {agenticTasks, roleTasks, withFindings} from '../../../src/lab/self-play/role-tasks.ts';
import type {Suite, SuiteTask} from '../../../src/lab/suite/task.ts';
import {scratch} from '../../support/scratch.ts';
import {step} from '../rollout/runs/support.ts';

function task(id: string, more: Partial<SuiteTask> = {}): SuiteTask {
  return {
    id,
    format: 'fettle',
    digest: `digest of ${id}`,
    steps: [step({command: 'secret', tests: ['/suite/tests']})],
    start: {kind: 'empty'},
    place: {kind: 'folder', workdir: '.', env: {}, copies: [], network: false, mcpServers: []},
    limits: {agentTimeS: 60},
    lacks: [],
    labels: {},
    ...more,
  };
}

function suite(...tasks: readonly SuiteTask[]): Suite {
  return {name: 'suite', folder: '/suite', tasks, broken: []};
}

const RUN = {models: ['a/b'], toolsets: ['fettle'], name: 'play', runsFolder: '/runs', now: 0, version: '1'};

describe('planPlay', () => {
  it('plans the roles of each task in the order of the curriculum, and says what cannot be used', () => {
    const tasks = suite(
      task('new'),
      task('half'),
      task('steps', {steps: [step({}), step({})]}),
      task('lacking', {lacks: ['go is not on PATH.']}),
      task('boxed', {place: {...task('x').place, container: {image: 'i', buildTimeoutS: 1}}}),
    );
    const rates = new Map([['half', {judged: 2, passed: 1}]]);
    const plan = planPlay({run: {...RUN, suite: tasks}, roles: {attempts: 1, isAgentic: false}, rates});
    expect([plan.tasks.map(({id}) => id), plan.notRun, plan.selfPlay, plan.attempts]).toEqual([
      ['half.localise.1', 'half.fix.1', 'half.test.1', 'new.localise.1', 'new.fix.1', 'new.test.1'],
      [
        {id: 'lacking', reason: 'go is not on PATH.'},
        {id: 'steps', reason: 'it has several steps'},
        {id: 'boxed', reason: 'it runs in a container, and pairs are scored without one'},
      ],
      {attempts: 1, isAgentic: false, sources: ['half', 'new']},
      1,
    ]);
    expect(sourcesOf(plan, tasks).map(({id}) => id)).toEqual(['half', 'new']);
    expect(() => sourcesOf(plan, suite(task('half')))).toThrow('The suite has no task new any more.');
  });

  it('leaves a task without recorded replies out as a whole, and of another one the attempts that were not recorded', async () => {
    const folder = await scratch();
    for (const file of ['none/script.json', 'some/script.json', 'some/self-play/localise-1.json', 'some/self-play/fix-1.json']) {
      await mkdir(dirname(join(folder, file)), {recursive: true});
      await writeFile(join(folder, file), '{}');
    }
    const tasks = suite(...['none', 'some'].map((id) => task(id, {script: join(folder, id, 'script.json')})));
    const plan = planPlay({run: {...RUN, models: ['script'], suite: tasks}, roles: {attempts: 2, isAgentic: false}, rates: new Map()});
    const reason = 'it has no recorded script';
    expect([plan.selfPlay?.sources, plan.tasks.map(({id}) => id), plan.notRun]).toEqual([
      ['some'],
      ['some.localise.1', 'some.fix.1'],
      [
        {id: 'none', reason},
        {id: 'some.localise.2', reason},
        {id: 'some.fix.2', reason},
        {id: 'some.test.1', reason},
        {id: 'some.test.2', reason},
      ],
    ]);
  });

  it('refuses a suite without a task of one step', () => {
    const tasks = suite(task('steps', {steps: [step({}), step({})]}));
    expect(() => planPlay({run: {...RUN, suite: tasks}, roles: {attempts: 1, isAgentic: true}, rates: new Map()})).toThrow(
      'None of the tasks of suite can be used for self-play.',
    );
  });
});

describe('roleTasks', () => {
  it('has nothing of the hidden verification', () => {
    const roles = roleTasks(task('t'), {attempts: 2, isAgentic: true});
    expect([roles.map(({task: {id}}) => id), /secret|suite.tests/.test(JSON.stringify(roles.map((one) => one.task)))]).toEqual([
      ['t.fix.1', 't.fix.2', 't.test.1', 't.test.2'],
      false,
    ]);
  });

  it('is greedy in the first attempt of each stage, and reads only where it localises', () => {
    const roles = {attempts: 2, isAgentic: false, temperature: 0.8};
    const all = [...roleTasks(task('t'), roles), ...agenticTasks(task('t'), roles)];
    expect(all.map(({task: {id, steps}}) => [id, steps[0]?.temperature, steps[0]?.isReadOnly])).toEqual([
      ['t.localise.1', 0, true],
      ['t.localise.2', 0.8, true],
      ['t.fix.1', 0, false],
      ['t.fix.2', 0.8, false],
      ['t.test.1', 0, false],
      ['t.test.2', 0.8, false],
      ['t.fix.3', 0, false],
      ['t.fix.4', 0.8, false],
      ['t.test.3', 0, false],
      ['t.test.4', 0.8, false],
    ]);
    expect(agenticTasks(task('t'), {attempts: 2, isAgentic: true})).toEqual([]);
  });

  it('keeps its digest when a log is handed over, and has another for each role, attempt and task', () => {
    const roles = [task('t'), task('u')].flatMap((source) => roleTasks(source, {attempts: 2, isAgentic: false}));
    expect(new Set(roles.map((one) => one.task.digest)).size).toBe(12);
    const informed = roles.map((one) => withFindings(one, {text: 'LOG', cut: undefined}));
    expect(informed.map((one) => one.task.digest)).toEqual(roles.map((one) => one.task.digest));
    expect(informed.every((one) => one.task.steps[0]?.prompt.endsWith('LOG') === true)).toBe(true);
  });
});
