import {execFileSync, spawnSync} from 'node:child_process';
import {chmod, cp, readFile, readdir, rm, stat, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {fettlePaths} from '../../src/config/paths.ts';
import {readSuite} from '../../src/lab/suite/read-suite.ts';
import {tasksFromSessions, type FromSessions, type SessionTask} from '../../src/lab/suite/sessions/from-sessions.ts';
import {scratch} from '../support/scratch.ts';
import {sharedFettle} from './shared-process.ts';
import {place, type Place} from './support.ts';

const SIGNAL = new AbortController().signal;
const FACTS = {programs: new Set(['sh']), importsFolder: '/nonexistent'} as const;

interface GitCall {
  readonly cwd: string;
  readonly date: string;
}

/** The log of HEAD has times in whole seconds, so that they must not depend on how fast the test is. */
function git({cwd, date}: GitCall, ...args: readonly string[]): void {
  const env = {
    PATH: process.env['PATH'],
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    HOME: '/nonexistent',
    GIT_COMMITTER_DATE: date,
  };
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], {cwd, env, stdio: 'pipe'});
}

const [BEFORE, LATER] = ['2020-01-01T00:00:00Z', '2090-01-01T00:00:00Z'];

/** Long enough to have the shape of a key. */
const KEY = `sk-ant-api03-${'a1B2c3D4e5'.repeat(9)}AA`;
const FILES = {
  'add.sh': 'echo $(($1 - $2))\n',
  'test/test_add.sh': 'test "$(sh add.sh 1 2)" = 3\n',
  '.env': `KEY=${KEY}\n`,
  'notes.txt': `the key is ${KEY}\n`,
  '.gitignore': 'node_modules\n.env\n',
};
const ADD = {name: 'write', arguments: {path: 'add.sh', content: 'echo $(($1 + $2))\n'}};
const VERIFY = ['--verify', 'sh test/test_add.sh'];

interface Reply {
  readonly text?: string;
  readonly toolCalls?: readonly {readonly name: string; readonly arguments: object}[];
}

async function project(files: Readonly<Record<string, string>> = FILES): Promise<Place> {
  const at = await place({...files, 'node_modules/p/index.js': '1\n'});
  const then = {cwd: at.work, date: BEFORE};
  git(then, 'init', '-q', '-b', 'main');
  git(then, 'add', '.');
  git(then, 'commit', '-q', '-m', 'start');
  return at;
}

async function run(
  at: Place,
  replies: readonly Reply[],
  options: readonly string[] = VERIFY,
  prompt = `Repair add.sh, my key is ${KEY}.`,
): Promise<number | null> {
  const scripts = await scratch({'script.json': JSON.stringify({replies})});
  const {code} = await sharedFettle(at, ['exec', '--model', `script:${scripts}/script.json`, '--mode', 'full-auto', ...options, prompt]);
  return code;
}

async function tasks({home}: Place, other: Partial<FromSessions> = {}): Promise<{suite: string; made: SessionTask[]}> {
  const suite = other.suite ?? join(await scratch(), 'suite');
  return {
    suite,
    made: await Array.fromAsync(
      tasksFromSessions({stateDir: fettlePaths({env: {FETTLE_HOME: home}, home}).stateDir, suite, verified: true, ...other}, SIGNAL),
    ),
  };
}

async function listing(folder: string): Promise<string[]> {
  const found = await readdir(folder, {recursive: true, withFileTypes: true});
  return found
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .toSorted();
}

/** The exit code of the verification with the files of a task and what was done to them. */
async function judge(folder: string, change: string): Promise<number | null> {
  const work = await scratch();
  await cp(join(folder, 'start'), work, {recursive: true});
  execFileSync('sh', ['-c', change], {cwd: work});
  await cp(join(folder, 'tests'), work, {recursive: true});
  const [task] = (await readSuite(folder, FACTS, SIGNAL)).tasks;
  return spawnSync('sh', ['-c', task?.steps[0]?.verify.command ?? 'exit 9'], {cwd: work}).status;
}

describe('tasks of recorded sessions', () => {
  it('have the folder as it was, the prompt without secrets, and the check that passed', async () => {
    const at = await project();
    expect(await run(at, [{text: 'I repair it.', toolCalls: [ADD]}, {text: 'Done.'}])).toBe(0);
    // Whatever happened later does not count.
    await writeFile(join(at.work, 'later.txt'), '');
    await writeFile(join(at.work, 'notes.txt'), 'other\n');
    git({cwd: at.work, date: LATER}, 'add', '.');
    git({cwd: at.work, date: LATER}, 'commit', '-q', '-m', 'later');
    const {suite, made} = await tasks(at);
    const [task] = made;
    if (task === undefined || !('folder' in task)) throw new Error(JSON.stringify(made));
    expect({...task, session: ''}).toEqual({
      session: '',
      title: expect.stringContaining('Repair add.sh') as string,
      folder: join(suite, task.session),
      notes: ['Secrets were taken out: notes.txt', 'The prompt had a secret in it.'],
    });
    expect(await listing(task.folder)).toEqual([
      'prompt.md',
      'script.json',
      'start/.gitignore',
      'start/add.sh',
      'start/node_modules/p/index.js',
      'start/notes.txt',
      'start/test/test_add.sh',
      'task.toml',
      'tests/test/test_add.sh',
    ]);
    const start = (name: string): Promise<string> => readFile(join(task.folder, 'start', name), 'utf8');
    expect([await start('add.sh'), await start('test/test_add.sh')]).toEqual([FILES['add.sh'], FILES['test/test_add.sh']]);
    const texts = [
      await start('notes.txt'),
      await readFile(join(task.folder, 'prompt.md'), 'utf8'),
      await readFile(join(task.folder, 'script.json'), 'utf8'),
    ];
    expect(texts.filter((text) => text.includes(KEY))).toEqual([]);
    expect(texts[1]).toMatch(/^Repair add\.sh, my key is \[redacted.*\]\.\n$/);
    expect((await stat(suite)).mode & 0o777).toBe(0o700);
    const read = (await readSuite(suite, FACTS, SIGNAL)).tasks[0];
    expect([read?.format, read?.id, read?.steps[0]?.verify, read?.labels['source']]).toEqual([
      'session',
      task.session,
      {command: 'sh test/test_add.sh', tests: [join(task.folder, 'tests')], testsAt: '.', rewardFiles: [], timeoutS: 120, env: {}},
      'session',
    ]);
    expect([await judge(task.folder, 'true'), await judge(task.folder, 'echo true > test/test_add.sh')]).toEqual([1, 1]);
    expect(await judge(task.folder, `printf 'echo $(($1 + $2))\\n' > add.sh`)).toBe(0);
    // The recorded replies solve it again.
    const again = await place();
    await cp(join(task.folder, 'start'), again.work, {recursive: true});
    const {code} = await sharedFettle(again, ['exec', '--model', `script:${task.folder}/script.json`, '--mode', 'full-auto', 'x']);
    expect([code, await readFile(join(again.work, 'add.sh'), 'utf8')]).toEqual([0, 'echo $(($1 + $2))\n']);
    expect((await tasks(at, {suite})).made.map((one) => ('reason' in one ? one.reason : ''))).toEqual(['a task was made of it before']);
  });

  it('take tests that the session wrote as they were then, and nothing that has changed since', async () => {
    const at = await project({'add.sh': 'echo\n'});
    const wrote = [ADD, {name: 'write', arguments: {path: 'test/test_new.sh', content: 'test "$(sh add.sh 2 2)" = 4\n'}}];
    expect(await run(at, [{toolCalls: wrote}, {text: 'Done.'}], ['--verify', 'sh test/test_new.sh'])).toBe(0);
    const [task] = (await tasks(at)).made;
    if (task === undefined || !('folder' in task)) throw new Error(JSON.stringify(task));
    expect(await listing(join(task.folder, 'tests'))).toEqual(['test/test_new.sh']);
    expect(await listing(join(task.folder, 'start'))).toEqual(['add.sh', 'node_modules/p/index.js']);
    expect([await judge(task.folder, 'true'), await judge(task.folder, `printf 'echo $(($1 + $2))\\n' > add.sh`)]).toEqual([1, 0]);
    await writeFile(join(at.work, 'test/test_new.sh'), 'true\n');
    expect((await tasks(at)).made).toMatchObject([{reason: 'its test test/test_new.sh has changed since'}]);
  });

  it('of one folder begin each with what was there then, committed or not', async () => {
    const at = await project();
    await run(at, [{toolCalls: [ADD]}, {text: 'Done.'}]);
    const other = {name: 'write', arguments: {path: 'add.sh', content: '# sum\necho $(($1 + $2))\n'}};
    await run(at, [{toolCalls: [other]}, {text: 'Done.'}]);
    const {made} = await tasks(at);
    const starts = await Promise.all(
      made.map(async (task) => ('folder' in task ? await readFile(join(task.folder, 'start/add.sh'), 'utf8') : task.reason)),
    );
    expect(starts).toEqual(['echo $(($1 + $2))\n', FILES['add.sh']]);
  });

  it('are made of folders without a repository, too', async () => {
    const at = await place({'add.sh': 'echo\n', 'test_add.sh': 'test "$(sh add.sh 1 2)" = 3\n'});
    await chmod(join(at.work, 'add.sh'), 0o755);
    expect(await run(at, [{toolCalls: [ADD]}, {text: 'Done.'}], ['--verify', 'sh test_add.sh'])).toBe(0);
    const [task] = (await tasks(at)).made;
    if (task === undefined || !('folder' in task)) throw new Error(JSON.stringify(task));
    expect(await readFile(join(task.folder, 'start/add.sh'), 'utf8')).toBe('echo\n');
    expect(await listing(join(task.folder, 'tests'))).toEqual(['test_add.sh']);
  });

  it('are made of sessions whose own test run passed, unless they must be verified', async () => {
    const at = await project({'add.sh': 'echo\n', 'test.sh': 'true\n', Makefile: 'test:\n\tsh test.sh\n'});
    const test = {name: 'bash', arguments: {command: 'make test'}};
    expect(await run(at, [{toolCalls: [ADD]}, {toolCalls: [test]}, {text: 'Done.'}], [])).toBe(0);
    expect((await tasks(at)).made).toMatchObject([{reason: 'no command was named that verified its first turn'}]);
    const [task] = (await tasks(at, {verified: false})).made;
    if (task === undefined || !('folder' in task)) throw new Error(JSON.stringify(task));
    expect(await readFile(join(task.folder, 'task.toml'), 'utf8')).toContain('verify = "make test"\n');
  });

  it('are not made of others, and each has its reason', async () => {
    const at = await project();
    await run(at, [{text: 'Nothing to do.'}], []);
    await run(at, [{toolCalls: [ADD]}, {text: 'Done.'}], ['--verify', 'sh test/test_add.sh || true']);
    await run(
      at,
      [
        {toolCalls: [{name: 'write', arguments: {path: 'x.txt', content: '1'}}]},
        {toolCalls: [{name: 'bash', arguments: {command: 'make test'}}]},
      ],
      [],
    );
    const gone = await project();
    await run(gone, [{toolCalls: [ADD]}, {text: 'Done.'}]);
    await rm(gone.work, {recursive: true});
    const reasons = (made: readonly SessionTask[]): readonly string[] => made.map((one) => ('reason' in one ? one.reason : one.folder));
    expect(reasons((await tasks(at, {verified: false})).made).toSorted()).toEqual([
      'its first turn changed no file',
      'its first turn did not end',
      'no check passed after its last change',
    ]);
    expect(reasons((await tasks(gone)).made)).toEqual([`its folder ${gone.work} is gone`]);
    expect((await tasks(at, {since: Date.now() + 60_000})).made).toEqual([]);
  });
});
