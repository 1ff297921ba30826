import {execFileSync} from 'node:child_process';
import {readFile, readdir, stat} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {importFiles} from '../../../src/lab/suite/imports/import-files.ts';
import {LANGUAGES} from '../../../src/lab/suite/polyglot/languages.ts';
import {scratch} from '../../support/scratch.ts';
import {read} from './suite-cases.ts';

const CONFIG = JSON.stringify({files: {solution: ['hello.py'], test: ['hello_test.py'], example: ['.meta/example.py']}});
const EXERCISE = {
  '.meta/config.json': CONFIG,
  '.meta/example.py': 'def hello():\n    return "hello"\n',
  '.docs/instructions.md': '# Instructions\n\nSay hello.\n',
  '.docs/instructions.append.md': '# More\n',
  'hello.py': 'def hello():\n    pass\n',
  'hello_test.py': 'import hello\n',
  'setup.cfg': '[x]\n',
};

async function track(exercise: Readonly<Record<string, string | undefined>>, prefix = 's'): Promise<string> {
  const files = Object.entries(exercise).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return await scratch(Object.fromEntries(files.map(([path, text]) => [`${prefix}/exercises/practice/hello/${path}`, text])));
}

function at(folder: string, paths: readonly string[]): Record<string, string> {
  return Object.fromEntries(paths.map((path) => [`${folder}/${path}`, `${path}\n`]));
}

describe('exercises of a track', () => {
  it('hide their tests and examples; build files are put back, the example becomes a script', async () => {
    const folder = await track(EXERCISE);
    const importsFolder = await scratch();
    const {tasks, broken} = await read(join(folder, 's'), {importsFolder, programs: new Set(['python3'])});
    const [task] = tasks;
    const own = join(folder, 's/exercises/practice/hello');
    const [hidden = ''] = task?.steps[0]?.verify.tests ?? [];
    expect({broken, task: {...task, digest: task?.digest.length, script: typeof task?.script}}).toEqual({
      broken: [],
      task: {
        id: 'hello',
        format: 'polyglot',
        digest: 64,
        steps: [
          {
            name: 'task',
            prompt:
              '# Instructions\n\nSay hello.\n\n# More\n\nWrite the solution in hello.py. Keep the names that are there: hidden tests use them.',
            setUp: [],
            verify: {
              command: "python3 -m pytest -q -p no:cacheprovider 'hello_test.py'",
              tests: [hidden],
              testsAt: '.',
              rewardFiles: [],
              timeoutS: 300,
              env: {},
            },
          },
        ],
        start: {kind: 'empty'},
        place: {
          kind: 'folder',
          workdir: '.',
          env: {},
          copies: ['.docs', 'hello.py', 'setup.cfg'].map((name) => ({from: join(own, name), to: name})),
          network: false,
          mcpServers: [],
        },
        limits: {agentTimeS: 600},
        lacks: ['pytest is not on PATH.'],
        labels: {language: 'python'},
        script: 'string',
      },
    });
    expect((await readdir(hidden)).toSorted()).toEqual(['hello_test.py', 'setup.cfg']);
    const script = JSON.parse(await readFile(task?.script ?? '', 'utf8')) as {replies: {toolCalls?: unknown}[]};
    expect(script.replies[0]?.toolCalls).toEqual([{name: 'write', arguments: {path: 'hello.py', content: EXERCISE['.meta/example.py']}}]);
  });

  it('of several tracks have the name of the track in front', async () => {
    const folder = await track(EXERCISE, 's/python');
    expect((await read(join(folder, 's'), {importsFolder: await scratch()})).tasks.map(({id}) => id)).toEqual(['python-hello']);
  });

  it('hide the cases of tests in Go, and put back what tests run with in folders, before what build tools would load (Exercism › config.json)', async () => {
    const go = {solution: ['hello.go'], test: ['hello_test.go'], editor: ['cases_test.go', 'shown.go'], example: []};
    const c = {solution: ['hello.c', 'sub/b.c'], test: ['test_hello.c'], example: []};
    const folder = await scratch({
      's/go/exercises/practice/hello/.meta/config.json': JSON.stringify({files: go}),
      ...at('s/go/exercises/practice/hello', ['hello.go', 'hello_test.go', 'cases_test.go', 'shown.go', '.docs/instructions.md']),
      's/c/exercises/practice/hello/.meta/config.json': JSON.stringify({files: c}),
      ...at('s/c/exercises/practice/hello', ['hello.c', 'sub/b.c', 'sub/c.h', 'test_hello.c', 'test-framework/unity.c', 'makefile']),
      ...at('s/c/exercises/practice/hello', ['.docs/instructions.md', 'node_modules/x/y']),
    });
    const {tasks} = await read(join(folder, 's'), {importsFolder: await scratch()});
    const shown = tasks.map(({id, place, steps: [step]}) => ({id, copies: place.copies.map(({to}) => to), command: step?.verify.command}));
    expect(shown).toEqual([
      {
        id: 'c-hello',
        copies: ['.docs', 'hello.c', 'makefile', 'node_modules', 'sub', 'test-framework'],
        command: "rm -rf -- 'GNUmakefile' 'Makefile' && make",
      },
      {id: 'go-hello', copies: ['.docs', 'hello.go', 'shown.go'], command: 'GOFLAGS=-mod=mod GOPROXY=off go test ./...'},
    ]);
    const hidden = tasks.map(async ({steps: [step]}) => (await readdir(step?.verify.tests[0] ?? '', {recursive: true})).toSorted());
    expect(await Promise.all(hidden)).toEqual([
      ['makefile', 'sub', 'sub/c.h', 'test-framework', 'test-framework/unity.c', 'test_hello.c'],
      ['cases_test.go', 'hello_test.go', 'shown.go'],
    ]);
  });

  it('with tests in a folder of the solution lose them before the agent starts', async () => {
    const config = JSON.stringify({files: {solution: ['src/hello.c'], test: ['src/test_hello.c'], example: []}});
    const folder = await track({
      ...EXERCISE,
      '.meta/config.json': config,
      'src/hello.c': '',
      'src/test_hello.c': 'TEST_IGNORE(); // next\nint x;\n',
    });
    const [task] = (await read(join(folder, 's'), {importsFolder: await scratch()})).tasks;
    expect([task?.steps[0]?.setUp, task?.labels, task?.script]).toEqual([["rm -f -- 'src/test_hello.c'"], {language: 'c'}, undefined]);
    expect(await readFile(join(task?.steps[0]?.verify.tests[0] ?? '', 'src/test_hello.c'), 'utf8')).toBe('\nint x;\n');
  });

  it.each([
    ['no test', JSON.stringify({files: {solution: ['hello.py'], test: []}}), 'files.test is empty'],
    [
      'a path that leads out',
      JSON.stringify({files: {solution: ['hello.py'], test: ['../x.py']}}),
      'files.test must be a list of relative paths',
    ],
    ['a file that is missing', JSON.stringify({files: {solution: ['x.py'], test: ['hello_test.py']}}), 'files.solution: x.py is missing'],
    ['no files', '{}', 'no files'],
  ])('with %s are broken', async (_, config, problem) => {
    const folder = await track({...EXERCISE, '.meta/config.json': config});
    const file = join(folder, 's/exercises/practice/hello/.meta/config.json');
    expect((await read(join(folder, 's'), {importsFolder: await scratch()})).broken).toEqual([
      {id: 'hello', problem: `${file}: ${problem}`},
    ]);
  });

  it('need packages that are installed, for JavaScript', async () => {
    const config = JSON.stringify({files: {solution: ['a.js'], test: ['a.spec.js'], example: []}});
    const folder = await track({...EXERCISE, '.meta/config.json': config, 'a.js': '', 'a.spec.js': ''});
    const [task] = (await read(join(folder, 's'), {importsFolder: await scratch(), programs: new Set(['node'])})).tasks;
    expect(task?.lacks).toEqual(['Its tests need the packages of its package.json in node_modules; nothing is installed here.']);
  });

  it('have all tests switched on', () => {
    expect(LANGUAGES.get('.js')?.unskip?.("xtest('a', f); it.skip('b'); exit('c'); xdescribe('d')")).toBe(
      "test('a', f); it('b'); exit('c'); describe('d')",
    );
    expect(LANGUAGES.get('.java')?.unskip?.('@Disabled("Remove to run test")\n@Test')).toBe('\n@Test');
  });
});

describe('imported files', () => {
  it('are written once, for the owner alone, and only at plain paths', async () => {
    const folder = await scratch();
    const files = [
      {path: 'a/b', bytes: Buffer.from('x'), isProgram: true},
      {path: 'c', bytes: Buffer.from('y')},
    ];
    const [first, second] = await Promise.all([importFiles(join(folder, 'i'), files), importFiles(join(folder, 'i'), files.toReversed())]);
    expect(second).toBe(first);
    expect(await readdir(join(folder, 'i'))).toHaveLength(1);
    expect(execFileSync('sh', ['-c', 'stat -c %a . a a/b c 2>/dev/null || stat -f %Lp . a a/b c'], {cwd: first, encoding: 'utf8'})).toBe(
      '700\n700\n700\n600\n',
    );
    expect((await stat(join(folder, 'i'))).mode & 0o777).toBe(0o700);
    for (const path of ['../x', '/x', 'a/../../x', '.git/config', 'a//b', '']) {
      await expect(importFiles(folder, [{path, bytes: Buffer.from('')}])).rejects.toMatchObject({code: 'BAD_ARGS'});
    }
  });
});
