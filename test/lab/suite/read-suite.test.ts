import {chmod, symlink, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {readSuite} from '../../../src/lab/suite/read-suite.ts';
import {scratch} from '../../support/scratch.ts';
import {FACTS, read} from './suite-cases.ts';

const TASK = 'prompt = "Do it."\nverify = "sh hidden-tests/check.sh"\n';

describe('a task that would fail at every start', () => {
  it('is listed with its problem: a script that cannot be played, a shell line that no system takes', async () => {
    const folder = await scratch({
      's/a/task.toml': TASK,
      's/a/script.json': '{not json',
      's/b/task.toml': TASK,
      's/b/script.json': '{"replies": [{"toolCalls": [{"name": 5}]}]}',
      's/c/task.toml': TASK,
      's/c/script.json': '{"replies": []}',
      's/d/task.toml': 'prompt = "Do it."\nverify = "a\\u0000b"\n',
      's/f/task.toml': 'prompt = "Do it."\nverify = """\r\necho a\r\necho b"""\r\n',
      's/e/task.toml': `prompt = "Do it."\nverify = "${'x'.repeat(100_001)}"\n`,
    });
    const {tasks, broken} = await read(join(folder, 's'));
    expect(tasks).toEqual([]);
    expect(broken.map(({problem}) => problem.replaceAll(folder, '<in>'))).toMatchInlineSnapshot(`
      [
        "<in>/s/a/script.json: Expected property name or '}' in JSON at position 1 (line 1 column 2)",
        "<in>/s/b/script.json: replies[0].toolCalls[0].name: expected string.",
        "<in>/s/c/script.json: it has no replies",
        "the shell line "a\\u0000b" has a NUL character",
        "the shell line "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"… has 100001 bytes, at most 100000: put it into a script beside the tests",
        "the shell line "echo a\\r\\necho b"… has lines that end with CR LF, which bash does not understand: write it with LF",
      ]
    `);
  });
});

describe("a task in Fettle's own format", () => {
  it('is read with its defaults', async () => {
    const folder = await scratch({'s/one/task.toml': TASK});
    const {name, tasks, broken} = await read(join(folder, 's'));
    const [task] = tasks;
    expect({name, broken, task: {...task, digest: task?.digest.length}}).toEqual({
      name: 's',
      broken: [],
      task: {
        id: 'one',
        format: 'fettle',
        digest: 64,
        steps: [
          {
            name: 'task',
            prompt: 'Do it.',
            setUp: [],
            verify: {
              command: 'sh hidden-tests/check.sh',
              tests: [],
              testsAt: 'hidden-tests',
              rewardFiles: [],
              timeoutS: 120,
              env: {},
            },
          },
        ],
        start: {kind: 'empty'},
        place: {kind: 'folder', workdir: '.', env: {}, copies: [], network: false, mcpServers: []},
        limits: {agentTimeS: 600},
        lacks: [],
        labels: {},
      },
    });
  });

  it('may have a long prompt, files, hidden tests, limits, labels, and a script', async () => {
    const folder = await scratch({
      'one/task.toml': `verify = "true"\nset_up = ["mkdir x"]\ntests_at = "checks/hidden"\nneeds = ["sh", "g++-99"]\nnetwork = true
[env]\nLANG = "C"\n[labels]\nlanguage = "shell"\n[limits]\nagent_time_s = 5\nverify_time_s = 2.5\nmax_cost_usd = 0.1\nmax_turns = 3\n`,
      'one/prompt.md': 'Long.\n',
      'one/start/a.txt': 'a',
      'one/tests/check.sh': 'true',
      'one/script.json': '{"replies": [{"text": "Done."}]}',
    });
    const [task] = (await read(folder)).tasks;
    const one = join(folder, 'one');
    expect({...task, digest: ''}).toEqual({
      id: 'one',
      format: 'fettle',
      digest: '',
      steps: [
        {
          name: 'task',
          prompt: 'Long.\n',
          setUp: ['mkdir x'],
          verify: {command: 'true', tests: [join(one, 'tests')], testsAt: 'checks/hidden', rewardFiles: [], timeoutS: 2.5, env: {}},
        },
      ],
      start: {kind: 'folder', folder: join(one, 'start')},
      place: {kind: 'folder', workdir: '.', env: {LANG: 'C'}, copies: [], network: true, mcpServers: []},
      limits: {agentTimeS: 5, maxCostUsd: 0.1, maxTurns: 3},
      lacks: ['g++-99 is not on PATH.'],
      labels: {language: 'shell'},
      script: join(one, 'script.json'),
    });
  });

  it('is read alone, too', async () => {
    const folder = await scratch({'one/task.toml': TASK});
    expect((await read(join(folder, 'one'))).tasks.map(({id}) => id)).toEqual(['one']);
  });

  it.each([
    ['no TOML', 'prompt = ', /^task\.toml:1: not valid TOML: .* \(column 10\)$/],
    ['an unknown key', `${TASK}setup = ["x"]`, 'task.toml:3: unknown key setup; did you mean set_up?'],
    [
      'an unknown key of a table',
      `${TASK}[limits]\nagent_time = 3`,
      'task.toml:4: unknown key limits.agent_time; did you mean limits.agent_time_s?',
    ],
    ['no verify', 'prompt = "x"', 'task.toml:1: verify is missing: it must be text'],
    ['a prompt of the wrong kind', 'prompt = 3\nverify = "x"', 'task.toml:1: prompt must be text'],
    ['no prompt', 'verify = "true"', 'task.toml: no prompt: neither the key prompt nor a file prompt.md'],
    ['tests that lead out', `${TASK}tests_at = "../x"`, 'task.toml:3: tests_at must be a relative path of plain names, without ".."'],
    ['tests at an absolute path', `${TASK}tests_at = "/etc"`, 'task.toml:3: tests_at must be a relative path of plain names, without ".."'],
    ['no time', `${TASK}[limits]\nagent_time_s = 0`, 'task.toml:4: limits.agent_time_s must be a number above 0 and at most 604800'],
    ['variables that run code', `${TASK}[env]\nNODE_OPTIONS = "-r x"`, 'task.toml:4: env.NODE_OPTIONS decides which programs run'],
    ['a date', `${TASK}labels = 2020-01-01`, 'task.toml:3: labels must be a table'],
  ])('with %s is broken, and says where', async (_, toml, problem) => {
    const folder = await scratch({'s/one/task.toml': toml});
    const {tasks, broken} = await read(join(folder, 's'));
    const said = broken[0]?.problem.replace(`${folder}/s/one/`, '');
    expect({tasks, id: broken[0]?.id}).toEqual({tasks: [], id: 'one'});
    if (typeof problem === 'string') expect(said).toBe(problem);
    else expect(said).toMatch(problem);
  });

  it('may not have two prompts', async () => {
    const folder = await scratch({'s/one/task.toml': TASK, 's/one/prompt.md': 'x'});
    expect((await read(join(folder, 's'))).broken).toEqual([
      {id: 'one', problem: `${folder}/s/one/task.toml:1: prompt is set here and in prompt.md`},
    ]);
  });

  it('may not have a starting tree with the folder of hidden tests', async () => {
    const folder = await scratch({'s/one/task.toml': `${TASK}tests_at = "tests"`, 's/one/start/tests/x': ''});
    expect((await read(join(folder, 's'))).broken).toEqual([
      {
        id: 'one',
        problem: `${folder}/s/one/task.toml:3: tests_at is tests, which the starting tree already has; hidden tests need a place of their own`,
      },
    ]);
  });
});

describe('a suite', () => {
  it('keeps its other tasks if one is broken, in the order of their names', async () => {
    const folder = await scratch({
      's/c/task.toml': TASK,
      's/a/task.toml': TASK,
      's/b/task.toml': '[',
      's/README.md': '',
      's/notes/x': '',
      's/.git/task.toml': TASK,
    });
    const {tasks, broken} = await read(join(folder, 's'));
    expect([tasks.map(({id}) => id), broken.map(({id}) => id)]).toEqual([['a', 'c'], ['b']]);
  });

  it('without a task is an error, and so is none at all', async () => {
    const folder = await scratch({'s/x': ''});
    await expect(read(join(folder, 's'))).rejects.toMatchObject({
      code: 'BAD_ARGS',
      message: `${folder}/s is not a suite: it has no task.`,
    });
    await expect(read(join(folder, 's/x'))).rejects.toMatchObject({code: 'BAD_ARGS'});
    await expect(read(join(folder, 'gone'))).rejects.toMatchObject({code: 'NOT_FOUND', message: `No suite at ${folder}/gone.`});
  });

  it('names tasks of Terminal-Bench 1, which it does not read, and how to convert them (Harbor › Migration)', async () => {
    const folder = await scratch({'s/a/task.yaml': 'instruction: x\n', 's/b/task.toml': TASK, 's/c/README.md': ''});
    const {tasks, broken} = await read(join(folder, 's'));
    expect([tasks.map(({id}) => id), broken]).toEqual([
      ['b'],
      [
        {
          id: 'a',
          problem: `${folder}/s/a/task.yaml: a task of Terminal-Bench 1, whose format is not read. Convert it: harbor tasks migrate -i FOLDER -o NEW-FOLDER`,
        },
      ],
    ]);
  });

  it('refuses names that cannot be keys, and task folders that are links', async () => {
    const folder = await scratch({'s/a b/task.toml': TASK, 's/-x/task.toml': TASK, 'other/task.toml': TASK});
    await symlink(join(folder, 'other'), join(folder, 's/linked'));
    expect((await read(join(folder, 's'))).broken).toEqual([
      {
        id: '-x',
        problem: '"-x" cannot be the id of a task: letters, digits, ".", "_" and "-", at most 200, the first a letter or digit. Rename it.',
      },
      {
        id: 'a b',
        problem:
          '"a b" cannot be the id of a task: letters, digits, ".", "_" and "-", at most 200, the first a letter or digit. Rename it.',
      },
      {id: 'linked', problem: `${folder}/s/linked: a link; a task must be a folder of the suite`},
    ]);
  });

  it('keeps its other tasks where the system does not let a folder be read', async (context) => {
    context.skip(process.getuid?.() === 0, 'root can read every folder');
    const folder = await scratch({'s/a/task.toml': TASK, 's/a/start/x/y': '', 's/b/task.toml': TASK});
    await chmod(join(folder, 's/a/start/x'), 0o000);
    const {tasks, broken} = await read(join(folder, 's'));
    await chmod(join(folder, 's/a/start/x'), 0o755);
    expect([tasks.map(({id}) => id), broken.map(({id}) => id)]).toEqual([['b'], ['a']]);
  });

  it.each(['start', 'tests', 'prompt.md', 'script.json', 'task.toml'])('takes no link in the place of %s', async (name) => {
    const folder = await scratch({'secret/x': 'x', 's/a/verify': '', ...(name === 'task.toml' ? {} : {'s/a/task.toml': 'verify = "x"\n'})});
    if (name !== 'prompt.md') await writeFile(join(folder, 's/a/prompt.md'), 'x');
    await symlink(name.includes('.') ? '../../secret/x' : '../../secret', join(folder, 's/a', name));
    const place = `${folder}/s/a/${name}:`;
    expect((await read(join(folder, 's'))).broken.map(({id, problem}) => [id, problem.slice(0, place.length)])).toEqual([['a', place]]);
  });

  it('stops when it is cancelled', async () => {
    const folder = await scratch({'s/a/task.toml': TASK});
    const signal = AbortSignal.abort();
    await expect(readSuite(join(folder, 's'), FACTS, signal)).rejects.toMatchObject({code: 'CANCELLED'});
  });
});

describe('the digest of a task', () => {
  const digestOf = async (files: Readonly<Record<string, string>>): Promise<string | undefined> => {
    const folder = await scratch(Object.fromEntries(Object.entries(files).map(([path, text]) => [`one/${path}`, text])));
    return (await read(join(folder, 'one'))).tasks[0]?.digest;
  };
  const FILES = {'task.toml': TASK, 'start/a.txt': 'a', 'tests/check.sh': 'true'};

  it('is the same for a copy elsewhere, and does not depend on labels, scripts or programs', async () => {
    const first = await digestOf(FILES);
    expect(await digestOf(FILES)).toBe(first);
    const other = {
      ...FILES,
      'task.toml': `${TASK}needs = ["none-such"]\n[labels]\nx = "y"\n`,
      'script.json': '{"replies": [{"text": "Done."}]}',
      'README.md': '',
    };
    expect(await digestOf(other)).toBe(first);
  });

  it.each([
    ['the prompt', {'task.toml': TASK.replace('it', 'that')}],
    ['the verification', {'task.toml': TASK.replace('sh ', 'bash ')}],
    ['a limit', {'task.toml': `${TASK}[limits]\nmax_turns = 1`}],
    ['the start', {'start/a.txt': 'b'}],
    ['a name of the start', {'start/b.txt': ''}],
    ['a hidden test', {'tests/check.sh': 'false'}],
  ])('changes with %s', async (_, change) => {
    expect(await digestOf({...FILES, ...change})).not.toBe(await digestOf(FILES));
  });
});
