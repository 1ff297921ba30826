import {execFileSync, spawnSync} from 'node:child_process';
import {cp, mkdir, readFile, symlink, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import type {SuiteTask} from '../../../src/lab/suite/task.ts';
import {scratch} from '../../support/scratch.ts';
import {read} from './suite-cases.ts';

const ENV = {PATH: process.env['PATH'] ?? '', GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1', HOME: '/nonexistent'};

function git(cwd: string, ...args: readonly string[]): string {
  return execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], {cwd, env: ENV, encoding: 'utf8'});
}

interface Mirror {
  /** The folder of the suite. */
  readonly folder: string;
  readonly commit: string;
  readonly patch: string;
  readonly testPatch: string;
}

/** A mirror of a project in which `add` is wrong, its repair, and the tests of that. */
async function mirror(): Promise<Mirror> {
  const folder = await scratch({'work/add.sh': 'echo $(($1 - $2))\n', 'work/tests/test_old.sh': 'true\n', 'work/tests/gone.sh': 'true\n'});
  const work = join(folder, 'work');
  git(work, 'init', '-q', '-b', 'main');
  git(work, 'add', '.');
  git(work, 'commit', '-q', '-m', 'start');
  const commit = git(work, 'rev-parse', 'HEAD').trim();
  await writeFile(join(work, 'add.sh'), 'echo $(($1 + $2))\n');
  const patch = git(work, 'diff');
  git(work, 'checkout', '-q', '.');
  await writeFile(join(work, 'tests/test_add.sh'), 'test "$(sh add.sh 1 2)" = 3\n');
  await writeFile(join(work, 'tests/test_old.sh'), 'test "$(sh add.sh 2 2)" = 4\n');
  git(work, 'rm', '-q', 'tests/gone.sh');
  git(work, 'add', '.');
  const testPatch = git(work, 'diff', '--cached');
  git(work, 'reset', '-q', '--hard');
  await mkdir(join(folder, 's/repos'), {recursive: true});
  git(folder, 'clone', '-q', '--mirror', work, 's/repos/org__adder.git');
  return {folder: join(folder, 's'), commit, patch, testPatch};
}

function instance({commit, patch, testPatch}: Mirror, other: object = {}): string {
  const all = {
    instance_id: 'org__adder-1',
    repo: 'org/adder',
    base_commit: commit,
    problem_statement: 'It subtracts.',
    hints_text: 'a hint',
    patch,
    test_patch: testPatch,
    FAIL_TO_PASS: '["adds"]',
    PASS_TO_PASS: '["old"]',
    version: '1.0',
    test_cmd: 'sh tests/test_add.sh && sh tests/test_old.sh',
    ...other,
  };
  return `${JSON.stringify(all)}\n`;
}

/** The exit code of the verification in a checkout of the start in which an agent has done `change`. */
async function judge({start, steps: [step]}: SuiteTask, change: string): Promise<number | null> {
  if (start.kind !== 'git' || step === undefined) throw new Error('no commit');
  const work = await scratch();
  git(work, 'clone', '-q', start.repository, '.');
  git(work, 'checkout', '-q', start.commit);
  execFileSync('sh', ['-c', change], {cwd: work});
  for (const folder of step.verify.tests) await cp(folder, join(work, step.verify.testsAt), {recursive: true});
  return spawnSync('sh', ['-c', step.verify.command], {cwd: work, env: ENV}).status;
}

describe('a JSONL file of SWE-bench', () => {
  it('with a local mirror gives tasks whose hidden tests are the files that test_patch leaves', async () => {
    const made = await mirror();
    const importsFolder = await scratch();
    await writeFile(join(made.folder, 'test.jsonl'), instance(made));
    const {tasks, broken} = await read(made.folder, {importsFolder});
    const [task] = tasks;
    if (task === undefined) throw new Error(broken[0]?.problem);
    const [tests = ''] = task.steps[0]?.verify.tests ?? [];
    expect({...task, digest: task.digest.length, script: typeof task.script}).toEqual({
      id: 'org__adder-1',
      format: 'swe-bench',
      digest: 64,
      steps: [
        {
          name: 'task',
          prompt: 'Resolve this issue of the project in the working folder. Hidden tests decide whether it is resolved.\n\nIt subtracts.',
          setUp: [],
          verify: {
            command: "rm -f -- 'tests/gone.sh' && sh tests/test_add.sh && sh tests/test_old.sh",
            tests: [tests],
            testsAt: '.',
            rewardFiles: [],
            timeoutS: 1800,
            env: {},
          },
        },
      ],
      start: {kind: 'git', repository: join(made.folder, 'repos/org__adder.git'), commit: made.commit},
      place: {kind: 'folder', workdir: '.', env: {}, copies: [], network: false, mcpServers: []},
      limits: {agentTimeS: 1800},
      lacks: [],
      labels: {repo: 'org/adder', version: '1.0'},
      script: 'string',
    });
    expect(await readFile(join(tests, 'tests/test_old.sh'), 'utf8')).toBe('test "$(sh add.sh 2 2)" = 4\n');
    expect(await judge(task, 'true')).toBeGreaterThan(0);
    expect(await judge(task, 'echo true > tests/test_add.sh; chmod a-w tests/test_old.sh')).toBeGreaterThan(0);
    expect(await judge(task, `printf 'echo $(($1 + $2))\\n' > add.sh`)).toBe(0);
    const script = JSON.parse(await readFile(task.script ?? '', 'utf8')) as {replies: {toolCalls?: {arguments: object}[]}[]};
    expect(script.replies[0]?.toolCalls?.[0]?.arguments).toEqual({path: 'known-solution.patch', content: made.patch});
    // Read again, from what is kept, and as a file.
    expect(await read(join(made.folder, 'test.jsonl'), {importsFolder})).toMatchObject({tasks: [{digest: task.digest, steps: task.steps}]});
  });

  it('runs names of pytest as they are', async () => {
    const made = await mirror();
    const importsFolder = await scratch();
    const names = {FAIL_TO_PASS: ['tests/test_a.py::test_b[x y]'], PASS_TO_PASS: [], test_cmd: 'pytest'};
    await writeFile(join(made.folder, 'test.jsonl'), instance(made, names));
    const [task] = (await read(made.folder, {importsFolder})).tasks;
    const verify = task?.steps[0]?.verify;
    expect(verify?.command).toBe(
      "rm -f -- 'tests/gone.sh' && tr '\\n' '\\0' < .fettle-test-names | xargs -0 python3 -m pytest -q -p no:cacheprovider",
    );
    expect(await readFile(join(verify?.tests[0] ?? '', '.fettle-test-names'), 'utf8')).toBe('tests/test_a.py::test_b[x y]\n');
    expect(task?.lacks).toEqual(['pytest is not on PATH.']);
  });

  it('says what is missing; the digest does not depend on it', async () => {
    const made = await mirror();
    const alone = await scratch();
    const importsFolder = await scratch();
    const later = {instance_id: 'b', base_commit: 'f'.repeat(40), test_cmd: undefined};
    const lines = instance(made) + instance(made, later);
    await writeFile(join(alone, 'test.jsonl'), lines);
    await writeFile(join(made.folder, 'test.jsonl'), lines);
    const [without, within] = [await read(alone, {importsFolder}), await read(made.folder, {importsFolder})];
    const none = 'No mirror of org/adder: git clone --mirror it to repos/org__adder.git beside the file.';
    const command = 'Its tests are not those of pytest, and it has no test_cmd to run them.';
    expect(without.tasks.map(({lacks}) => lacks)).toEqual([[none], [none, command]]);
    expect(within.tasks.map(({lacks}) => lacks)).toEqual([[], ['The mirror of org/adder has no commit ffffffffffff; fetch it.', command]]);
    expect(without.tasks.map(({digest}) => digest)).toEqual(within.tasks.map(({digest}) => digest));
  });

  it('names the lines that are broken, and keeps the others', async () => {
    const made = await mirror();
    const lines = [
      '{',
      instance(made, {problem_statement: undefined}),
      instance(made, {repo: '../../etc'}),
      instance(made, {repo: 'org/..'}),
      instance(made, {base_commit: 'HEAD'}),
      instance(made, {FAIL_TO_PASS: '[]'}),
      instance(made, {FAIL_TO_PASS: 'x'}),
      instance(made, {instance_id: '../x'}),
      instance(made),
      instance(made),
      instance(made, {instance_id: 'c', test_patch: made.testPatch.replaceAll('tests/', '../tests/')}),
      instance(made, {instance_id: 'd', test_patch: made.testPatch.replace('-true', '-false')}),
      instance(made, {instance_id: 'e', test_patch: made.testPatch.replace('new file mode 100644', 'new file mode 120000')}),
    ];
    await writeFile(join(made.folder, 'test.jsonl'), `${lines.map((line) => line.trim()).join('\r\n')}\n\n`);
    const {tasks, broken} = await read(made.folder, {importsFolder: await scratch()});
    expect(tasks.map(({id}) => id)).toEqual(['org__adder-1']);
    expect(
      broken.map(({id, problem}) => [id, problem.replace(`${made.folder}/`, '').replace(/ (?:git apply failed|error|patch).*/, '…')]),
    ).toEqual([
      ['line-1', 'test.jsonl:1: not a JSON object'],
      ['line-2', 'test.jsonl:2: problem_statement is missing, or not text'],
      ['line-3', 'test.jsonl:3: repo must be owner/name'],
      ['line-4', 'test.jsonl:4: repo must be owner/name'],
      ['line-5', 'test.jsonl:5: base_commit must be a whole commit id'],
      ['line-6', 'test.jsonl:6: FAIL_TO_PASS is empty'],
      ['line-7', 'test.jsonl:7: FAIL_TO_PASS and PASS_TO_PASS must be lists of names'],
      [
        '../x',
        'test.jsonl:8: "../x" cannot be the id of a task: letters, digits, ".", "_" and "-", at most 200, the first a letter or digit. Rename it.',
      ],
      ['line-10', 'test.jsonl:10: org__adder-1 is already on line 9'],
      ['c', 'test.jsonl:11: test_patch does not apply:…'],
      ['d', 'test.jsonl:12: test_patch does not apply:…'],
      ['e', 'test.jsonl:13: test_patch: tests/test_add.sh is a link or a submodule'],
    ]);
  });

  it('may begin with a byte order mark', async () => {
    const made = await mirror();
    await writeFile(join(made.folder, 'test.jsonl'), `\uFEFF${instance(made)}`);
    expect(await read(made.folder, {importsFolder: await scratch()})).toMatchObject({tasks: [{id: 'org__adder-1'}], broken: []});
  });

  it('takes no mirror that is a link to another place', async () => {
    const made = await mirror();
    const folder = await scratch({'s/test.jsonl': instance(made), 's/repos/x': ''});
    await symlink(join(made.folder, 'repos/org__adder.git'), join(folder, 's/repos/org__adder'));
    expect((await read(join(folder, 's'), {importsFolder: await scratch()})).broken).toEqual([
      {id: 'org__adder-1', problem: `${folder}/s/test.jsonl:1: ${folder}/s/repos/org__adder: a link, which a task may not have here`},
    ]);
  });
});
