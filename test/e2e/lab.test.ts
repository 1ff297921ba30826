import {appendFile, glob, readFile} from 'node:fs/promises';
import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it, onTestFinished} from 'vitest';
import {isJsonObject, parseJson, type Json} from '../../src/base/json.ts';
import {findPostgres, startPostgres} from '../lab/engine/postgres-server.ts';
import {scratch} from '../support/scratch.ts';
import {sharedFettle} from './shared-process.ts';
import {fettle, finished, place, start, type Finished, type Place} from './support.ts';

const HAS_BWRAP = (process.env['PATH'] ?? '').split(':').some((folder) => existsSync(join(folder, 'bwrap')));

/** A script whose first reply writes this text to `answer.txt`, after a delay. */
function script(text: string, delayMs = 0): string {
  return JSON.stringify({
    replies: [
      {
        toolCalls: [{name: 'write', arguments: {path: 'answer.txt', content: text}}],
        usage: {input_tokens: 100, output_tokens: 10},
        delayMs,
      },
      {text: 'Written.', usage: {input_tokens: 120, output_tokens: 5}},
    ],
  });
}

const TOML = `prompt = "Write yes to answer.txt."
verify = "grep -qx yes answer.txt"
[labels]
language = "text"
`;

function suiteFiles(delayMs = 0): Record<string, string> {
  return {
    'suite/right/task.toml': TOML,
    'suite/right/start/readme.md': 'A folder.\n',
    'suite/right/script.json': script('yes\n', delayMs),
    'suite/wrong/task.toml': TOML,
    'suite/wrong/start/readme.md': 'A folder.\n',
    'suite/wrong/script.json': script('no\n', delayMs),
    'suite/needy/task.toml': TOML.replace('[labels]', 'needs = ["no-such-program"]\n[labels]'),
    'suite/needy/start/readme.md': 'A folder.\n',
    'suite/broken/task.toml': 'verify = 3\n',
  };
}

/** The lines of a text, without what differs from run to run. */
function lines(text: string, {work, home}: Place): string[] {
  return text
    .replaceAll(work, '<work>')
    .replaceAll(home, '<home>')
    .replaceAll(/\d+(?:\.\d+)? (?:s|ms|min)\b/g, '<time>')
    .replaceAll(/ · [\d.]+ a minute/g, '')
    .trimEnd()
    .split('\n');
}

async function json(run: Promise<Finished>): Promise<Json | undefined> {
  return parseJson((await run).stdout);
}

describe.skipIf(!HAS_BWRAP)('fettle lab, which needs bubblewrap', () => {
  it('runs a suite, reports it, shows a rollout, and lists what cannot be run', async () => {
    const at = await place(suiteFiles());
    const tasks = await sharedFettle(at, ['lab', 'tasks', 'suite']);
    expect({...tasks, stdout: lines(tasks.stdout, at)}).toEqual({
      code: 1,
      stdout: [
        'needy  cannot be run here: no-such-program is not on PATH.',
        'right  text',
        'wrong  text',
        'broken  cannot be read: <work>/suite/broken/task.toml:1: verify must be text',
      ],
      stderr: '4 tasks, 2 can be run here.\n',
    });

    const run = await fettle(at, ['lab', 'run', 'suite', '--models', 'script', '--attempts', '2', '--workers', '2', '--name', 'first']);
    expect(lines(run.stderr, at).toSorted()).toEqual(
      [
        'Run first: 2 at a time. Ctrl-C stops it; it can be continued.',
        'passed  right/script/fettle/1  <time>',
        'failed  wrong/script/fettle/1  <time>',
        'passed  right/script/fettle/2  <time>',
        'failed  wrong/script/fettle/2  <time>',
        '4 of 4 · 50 % passed',
        'The page with plots: <home>/state/lab/runs/first/report.html',
      ].toSorted(),
    );
    expect([run.code, run.stdout.split('\n').slice(0, 2)]).toEqual([
      0,
      [expect.stringMatching(/^Run first: suite suite, 2 tasks, begun /), '4 of 4 rollouts done: 2 passed, 2 failed'],
    ]);

    const report = await json(sharedFettle(at, ['lab', 'report', '--json']));
    expect(isJsonObject(report) ? [report['run'], report['counts'], report['notRun']] : report).toEqual([
      'first',
      {tasks: 2, tasksNotRun: 2, planned: 4, accepted: 4, missing: 0},
      [
        {task: 'needy', reason: 'no-such-program is not on PATH.'},
        {task: 'broken', reason: expect.stringContaining('task.toml:1: verify')},
      ],
    ]);
    const csv = await sharedFettle(at, ['lab', 'report', 'first', '--csv']);
    expect(csv.stdout.split('\r\n').length).toBe(6);
    expect(await sharedFettle(at, ['lab', 'report', '--html', 'page.html'])).toEqual({
      code: 0,
      stdout: '',
      stderr: `Written: ${at.work}/page.html\n`,
    });
    expect(await readFile(join(at.work, 'page.html'), 'utf8')).toContain('<title>suite: first</title>');

    const shown = await sharedFettle(at, ['lab', 'show', 'right/script/fettle/2']);
    expect([shown.code, shown.stdout.split('\n')[0]]).toEqual([0, 'right, attempt 2: script with fettle, run first']);
    expect(await sharedFettle(at, ['lab', 'show', 'right'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('2 rollouts of first begin with right: right/script/fettle/1, right/script/fettle/2.'),
    });
    expect(await sharedFettle(at, ['lab', 'list'])).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^first {2}\d{4}-\d\d-\d\d \d\d:\d\d UTC {2}4 of 4 done, 2 passed {2}suite {2}script {2}fettle\n$/),
      stderr: '',
    });
  });

  it('answers from a script or a recording of the working folder, which the agent itself does not see', async () => {
    const at = await place({...suiteFiles(), 'own.json': script('yes\n')});
    const models = 'script:own.json,script:../nowhere.json';
    const missing = await sharedFettle(at, ['lab', 'run', 'suite', '--models', models]);
    expect([missing.code, lines(missing.stderr, at)[0]]).toEqual([
      2,
      expect.stringMatching(/^fettle: The script .*nowhere\.json cannot be read/),
    ]);
    const run = await fettle(at, ['lab', 'run', 'suite', '--models', 'script:own.json', '--name', 'own']);
    expect([run.code, lines(run.stderr, at).filter((line) => /^(?:passed|failed)/.test(line))]).toEqual([
      0,
      [`passed  right/script:<work>/own.json/fettle/1  <time>`, `passed  wrong/script:<work>/own.json/fettle/1  <time>`],
    ]);
    const log = await Array.fromAsync(glob(join(at.home, '**/own/artifacts/own/right/*/session.jsonl')));
    const replayed = await fettle(at, ['lab', 'run', 'suite', '--models', `replay:${log[0] ?? ''}`, '--tasks', 'right']);
    expect([replayed.code, replayed.stdout]).toEqual([0, expect.stringContaining('1 of 1 rollout done: 1 passed')]);
  });

  it('goes on where it was killed, and pays nothing twice', async () => {
    const at = await place(suiteFiles(700));
    const child = start(at, ['lab', 'run', 'suite', '--models', 'script', '--attempts', '2', '--workers', '1', '--name', 'cut']);
    const ended = finished(child);
    await new Promise<void>((resolve) => {
      child.stderr?.on('data', (piece: Buffer) => {
        if (piece.toString().includes('passed  right/script/fettle/1')) resolve();
      });
    });
    child.kill('SIGKILL');
    await ended;
    const resumed = await sharedFettle(at, ['lab', 'run', '--resume', '--workers', '2']);
    expect([resumed.code, resumed.stdout.split('\n')[1], resumed.stderr.includes('passed  right/script/fettle/1')]).toEqual([
      0,
      '4 of 4 rollouts done: 2 passed, 2 failed',
      false,
    ]);
  });

  it('stops at Ctrl-C with 130 and says how to continue', async () => {
    const at = await place(suiteFiles(30_000));
    const child = start(at, ['lab', 'run', 'suite', '--models', 'script', '--workers', '1', '--name', 'stopped']);
    const ended = finished(child);
    child.stderr?.once('data', () => child.kill('SIGINT'));
    const {code, stderr} = await ended;
    const said = lines(stderr, at);
    expect([code, said.includes('Cancelling. Press Ctrl-C again to end at once.'), said.at(-1)]).toEqual([
      130,
      true,
      'Stopped. To continue: fettle lab run --resume stopped',
    ]);
  });
});

const POSTGRES = findPostgres();

describe.skipIf(!HAS_BWRAP || POSTGRES === undefined)('fettle lab with a queue, which needs PostgreSQL and bubblewrap', () => {
  it('shares a run with a worker of another machine, and exports what came of it', async () => {
    const server = await startPostgres(POSTGRES ?? '');
    onTestFinished(async () => await server.stop());
    const queue = await server.newDatabase();
    const [here, there] = [await place(suiteFiles()), await place()];
    const store = await scratch();
    const worker = start({...there, env: {...there.env, FETTLE_LAB_QUEUE: queue}}, ['lab', 'worker', '--workers', '2']);
    const worked = finished(worker);
    const options = ['--models', 'script', '--workers', '0', '--queue', queue, '--store', store];
    const run = await sharedFettle(here, ['lab', 'run', 'suite', '--name', 'shared', ...options]);
    // The worker reads the suite again: it has changed since it was read.
    await appendFile(join(here.work, 'suite', 'right', 'task.toml'), '\n[limits]\nmax_turns = 9\n');
    const changed = await sharedFettle(here, ['lab', 'run', 'suite', '--name', 'changed', '--tasks', 'right', ...options]);
    expect([changed.code, changed.stdout.split('\n')[1]]).toEqual([0, '1 of 1 rollout done: 1 passed, 0 failed']);
    worker.kill('SIGINT');
    expect([run.code, run.stdout.split('\n')[1]]).toEqual([0, '2 of 2 rollouts done: 1 passed, 1 failed']);
    expect((await worked).stderr.trimEnd().split('\n').at(-1)).toBe('3 results of this worker accepted.');
    const exported = await sharedFettle(here, ['lab', 'export', 'shared', '--format', 'rl', '--out', 'data', '--queue', queue]);
    expect(exported.code).toBe(0);
    const summary = parseJson(await readFile(join(here.work, 'data', 'dataset.json'), 'utf8'));
    expect(isJsonObject(summary) ? [summary['format'], summary['run']] : summary).toEqual(['rl', 'shared']);
  });
});

describe.skipIf(!HAS_BWRAP || POSTGRES === undefined)('fettle lab with a queue that is gone, which needs PostgreSQL and bubblewrap', () => {
  it('stops at Ctrl-C with 130 and says how to continue', async () => {
    const server = await startPostgres(POSTGRES ?? '');
    onTestFinished(async () => await server.stop());
    const at = await place({...suiteFiles(), 'suite/wrong/script.json': script('no\n', 30_000)});
    const options = ['--models', 'script', '--workers', '2', '--name', 'cut', '--queue', await server.newDatabase()];
    const child = start(at, ['lab', 'run', 'suite', ...options]);
    const ended = finished(child);
    child.stderr?.on('data', (piece: Buffer) => {
      if (piece.toString().includes('passed  right')) server.kill();
      if (piece.toString().includes('The database does not answer')) child.kill('SIGINT');
    });
    const {code, stderr} = await ended;
    expect([code, lines(stderr, at).at(-1)]).toEqual([130, 'Stopped. To continue: fettle lab run --resume cut']);
  });
});

describe('fettle lab', () => {
  it('lists folders with hostile names as one line each, which steers no terminal', async () => {
    const at = await place({'suite/\u001b]0;x\u0007evil\n9 tasks\u202e/task.toml': 'verify = 3\n'});
    const {code, stdout, stderr} = await fettle(at, ['lab', 'tasks', 'suite']);
    expect([code, stdout.split('\n').length, stdout.startsWith('evil 9 tasks\\u202e  cannot be read: '), stderr]).toEqual([
      1,
      2,
      true,
      '1 task, 0 can be run here.\n',
    ]);
    const run = await fettle(at, ['lab', 'run', 'suite', '--models', 'script']);
    expect([run.code, run.stderr.includes('\u001b'), run.stderr.includes('\u202e')]).toEqual([2, false, false]);
  });

  it('makes tasks of recorded sessions that were verified', async () => {
    const at = await place({'note.txt': 'old\n', 'script.json': script('yes\n')});
    const options = ['--model', 'script:script.json', '--mode', 'accept-edits', '--no-sandbox', '--allow', 'bash:grep *'];
    const ran = await sharedFettle(at, ['exec', ...options, '--verify', 'grep -qx yes answer.txt', 'Write yes to answer.txt.']);
    expect(ran.code).toBe(0);
    const made = await sharedFettle(at, ['lab', 'from-sessions', '--verified', '--out', `${at.home}/mine`]);
    expect([made.code, made.stdout]).toEqual([0, expect.stringMatching(/^thr_\w+ {2}Write yes to answer\.txt\.\n$/)]);
    const tasks = await sharedFettle(at, ['lab', 'tasks', `${at.home}/mine`]);
    expect([tasks.code, tasks.stdout, tasks.stderr]).toEqual([
      0,
      expect.stringMatching(/^thr_\w+ {2}Write yes to answer\.txt\.\n$/),
      '1 task, 1 can be run here.\n',
    ]);
    const later = await sharedFettle(at, ['lab', 'from-sessions', '--since', '2999-01-01', '--out', `${at.home}/mine`]);
    expect([later.code, later.stderr]).toEqual([1, 'No recorded sessions since 2999-01-01: no tasks were made.\n']);
    expect((await sharedFettle(at, ['lab', 'from-sessions', '--verified', '--out', `${at.home}/mine`])).stderr).toContain(
      'a task was made of it before',
    );
  });

  it.each([
    [['lab', 'run'], 'No suite is named.'],
    [['lab', 'run', 'suite'], 'No model is named.'],
    [
      ['lab', 'run', 'suite', '--models', 'script', '--toolsets', 'fettle,auto'],
      'The lab chooses no model and no toolset: auto cannot be run.',
    ],
    [['lab', 'list', '--queue', 'auto'], '--queue auto is for `fettle lab run`.'],
    [['lab', 'run', 'nowhere', '--models', 'script'], 'No suite at'],
    [['lab', 'run', 'suite', '--models', 'script', '--attempts', '0'], '--attempts 0: a whole number from 1 on is needed.'],
    [['lab', 'run', 'suite', '--models', 'script', '--budget', 'much'], '--budget much: an amount of US dollars above 0 is needed.'],
    [['lab', 'run', 'suite', '--models', 'script', '--tasks', 'rihgt'], 'The suite has no task rihgt.\n  hint: Did you mean right?'],
    [['lab', 'run', 'suite', '--models', 'script', '--tasks', 'needy'], 'None of the tasks of suite can be run here.'],
    [['lab', 'run', '--resume', 'x', '--attempts', '2'], 'A run is continued as it was begun: --attempts cannot be given.'],
    [['lab', 'report'], 'No runs yet.'],
    [['lab', 'report', 'other'], 'No run is called other.'],
    [['lab', 'run', 'suite', '--models', 'script', '--workers', '0'], '--workers 0: a whole number from 1 on is needed.'],
    [['lab', 'self-play', 'suite', '--model', 'script', '--workers', '0'], '--workers 0: a whole number from 1 on is needed.'],
    [['lab', 'run', 'suite', '--models', 'script', '--store', 'suite/right/task.toml'], 'Artefacts cannot be kept in'],
    [['lab', 'run', 'suite', '--models', 'script', '--store', 's3://'], 's3:// cannot be a store of artefacts.'],
    [['lab', 'report', '--json', '--csv'], "option '--csv' cannot be used with option '--json'"],
  ])('refuses %j, and leaves no run', async (args, message) => {
    const at = await place(suiteFiles());
    const {code, stderr} = await sharedFettle(at, args);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
    expect((await sharedFettle(at, ['lab', 'list'])).stderr).toBe('No runs yet. Start one: fettle lab run SUITE\n');
  });
});
