import {existsSync} from 'node:fs';
import {readdir, readFile, rm} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import type {Json} from '../../src/base/json.ts';
import {fettle, finished, place, start} from './support.ts';

const HAS_BWRAP = (process.env['PATH'] ?? '').split(':').some((folder) => existsSync(join(folder, 'bwrap')));
const usage = {input_tokens: 100, output_tokens: 10};

/** A role that runs these shell lines and ends with this answer. The prompt must have the text `expected`. */
function role(lines: readonly string[], answer: object, expected: string): string {
  const calls = lines.map((command) => ({toolCalls: [{name: 'bash', arguments: {command}}], usage}));
  const [first, ...others] = [...calls, {text: JSON.stringify(answer), usage}];
  return JSON.stringify({replies: [{...first, expect: expected}, ...others]});
}

/** A role that reads a file, tries to change it, and ends with this answer: it has no tools that change anything. */
function searching(path: string, answer: object): string {
  const calls = [
    {toolCalls: [{name: 'read', arguments: {path}}], usage, expect: 'Find the files'},
    {
      toolCalls: [
        {name: 'write', arguments: {path, content: 'x'}},
        {name: 'bash', arguments: {command: `rm ${path}`}},
      ],
      usage,
    },
  ];
  return JSON.stringify({replies: [...calls, {text: JSON.stringify(answer), usage}]});
}

/** A role whose first answer has not the form that was asked for. */
function askedAgain(answer: object, expected: string): string {
  return JSON.stringify({
    replies: [
      {text: 'The tests are written.', usage, expect: expected},
      {text: JSON.stringify(answer), usage},
    ],
  });
}

function tests(command: string, content = ''): object {
  return {command, tests: [{path: 'self-play-tests/a.mjs', content}], rationale: 'Sums.'};
}

const HONEST = `import assert from 'node:assert';
import {add} from '../add.mjs';
assert.equal(add(2, 3), 5);
assert.equal(add(1, 1), 2);
`;

/** Notices that the source has changed, and nothing more. */
const BLIND = `import {readFileSync} from 'node:fs';
if (readFileSync('add.mjs', 'utf8').includes('a * b')) process.exit(1);
`;

const FOUND = 'Log of a run that looked for the cause';
const RUN_TESTS = 'node self-play-tests/a.mjs';

/** The prompts of the roles that follow must have the text `expected`. */
function suiteFiles(expected: string): Record<string, string> {
  const of = 'suite/sum';
  const because = {rationale: 'It multiplied.'};
  const found = {files: ['add.mjs'], cause: 'It multiplies.'};
  return {
    [`${of}/task.toml`]: 'prompt = "add(a, b) returns the product. Fix it."\nverify = "node hidden-tests/check.mjs"\n',
    [`${of}/start/add.mjs`]: 'export function add(a, b) {\n  return a * b;\n}\n',
    [`${of}/start/test/add.test.mjs`]: "import '../add.mjs';\n",
    [`${of}/tests/check.mjs`]: "import {add} from '../add.mjs';\nprocess.exit(add(7, 8) === 15 ? 0 : 1);\n",
    [`${of}/script.json`]: JSON.stringify({replies: [{text: 'Not asked.'}]}),
    [`${of}/self-play/localise-1.json`]: searching('add.mjs', found),
    [`${of}/self-play/localise-2.json`]: role([], found, 'Find the files'),
    [`${of}/self-play/localise-3.json`]: role([], found, 'Find the files'),
    [`${of}/self-play/localise-4.json`]: role([], found, 'Find the files'),
    // Right; its change of a test is dropped.
    [`${of}/self-play/fix-4.json`]: role(["sed -i 's/a \\* b/a + b/' add.mjs", 'echo >> test/add.test.mjs'], because, expected),
    // Knows the one example.
    [`${of}/self-play/fix-2.json`]: role(["sed -i 's/a \\* b/5/' add.mjs"], because, expected),
    // Only works on how it is judged.
    [`${of}/self-play/fix-3.json`]: role(
      ['rm test/add.test.mjs', 'mkdir self-play-tests && echo > self-play-tests/a.mjs'],
      because,
      expected,
    ),
    // Ends every test as if it had passed.
    [`${of}/self-play/fix-1.json`]: role(["sed -i 's/a \\* b/process.exit(0)/' add.mjs"], because, expected),
    [`${of}/self-play/test-1.json`]: askedAgain(tests(RUN_TESTS, HONEST), expected),
    // Always passes, and writes a patch instead.
    [`${of}/self-play/test-2.json`]: role(["sed -i 's/a \\* b/a + b/' add.mjs"], tests('true'), expected),
    [`${of}/self-play/test-3.json`]: role([], tests(RUN_TESTS, BLIND), expected),
    // No files, but a path that leads out.
    [`${of}/self-play/test-4.json`]: role([], {command: 'true', tests: [{path: '../add.mjs', content: ''}], rationale: ''}, expected),
  };
}

const TABLE = `sum
                 before  fix 1  fix 2  fix 4
  test 1           fail   pass   fail   pass
  test 2           pass   pass   pass   pass
  test 3           fail   pass   pass   pass
  changed lines              2      2      2
  fix 3: changes dropped in self-play-tests/a.mjs, test/add.test.mjs
  fix 3: it changes no sources
  fix 4: changes dropped in test/add.test.mjs
  test 4: No test set: "../add.mjs" is not a path below self-play-tests/.
  test 2: does not count, since it passes before any patch
  test 3: does not count, since it reads the text of the sources: a comment in
    them changes its result
  fix 1: rejected, since its tests pass with it even when they are changed
  Promoted: fix 4, with test 1; 1 of 1 mutation noticed.
  The hidden verification passes.
`;

const PLAY = ['lab', 'self-play', 'suite', '--model', 'script', '--workers', '2', '--name', 'play'];

describe.skipIf(!HAS_BWRAP)('fettle lab self-play, which needs bubblewrap', () => {
  it('promotes the patch that honest tests prove, whatever else the roles try, and goes on where it was killed', async () => {
    const at = await place(suiteFiles(FOUND));
    const child = start(at, [...PLAY, '--attempts', '4']);
    const ended = finished(child);
    child.stderr?.on('data', (piece: Buffer) => piece.toString().includes('Scoring the pairs') && child.kill('SIGKILL'));
    await ended;
    // A role that ran again would find no replies.
    await rm(join(at.work, 'suite/sum/self-play'), {recursive: true});
    const run = await fettle(at, ['lab', 'self-play', '--resume']);
    expect([run.code, run.stdout, run.code === 0 ? '' : run.stderr]).toEqual([0, TABLE, '']);
    const folder = join(at.home, 'state/lab/runs/play');
    expect(await readFile(join(folder, 'promoted/sum.patch'), 'utf8')).toMatchInlineSnapshot(`
      "diff --git a/add.mjs b/add.mjs
      index d0ac4b9..7d65831 100644
      --- a/add.mjs
      +++ b/add.mjs
      @@ -1,3 +1,3 @@
       export function add(a, b) {
      -  return a * b;
      +  return a + b;
       }
      "
    `);
    const texts = await Promise.all(
      (await readdir(join(folder, 'data'))).map(async (name) => await readFile(join(folder, 'data', name), 'utf8')),
    );
    const lines = texts.flatMap((text) => text.split('\n')).filter((line) => line.startsWith('{"run"'));
    const records = lines.map((line) => JSON.parse(line) as Record<string, Json>);
    expect(records.map(({run: of, task, step, attempt, model}) => [of, task, step, attempt, model])).toEqual([
      ['play', 'sum', 'test', 1, 'script'],
      ['play', 'sum', 'fix', 4, 'script'],
    ]);
    expect(new Set(records.map(({task_digest: digest}) => digest)).size).toBe(1);

    const kept = (await readdir(join(folder, 'artifacts'), {recursive: true})).filter((path) => path.includes('sum.localise.1'));
    const [patch, events] = await Promise.all(
      ['diff.patch', 'events.jsonl'].map(
        async (name) => await readFile(join(folder, 'artifacts', kept.find((path) => path.endsWith(name)) ?? ''), 'utf8'),
      ),
    );
    const outputs = (events ?? '')
      .split('\n')
      .filter((line) => line.includes('"tool_output"') && line.startsWith('{"type":"item.completed"'));
    expect([patch, outputs.map((line) => line.includes('"is_error":true'))]).toEqual(['', [false, true, true]]);

    const scores = await readFile(join(folder, 'pairs.jsonl'), 'utf8');
    expect([
      (await fettle(at, ['lab', 'self-play', '--resume', 'play'])).stdout,
      await readFile(join(folder, 'pairs.jsonl'), 'utf8'),
    ]).toEqual([TABLE, scores]);
  });

  it('gives each role the whole task with --agentic, and promotes nothing without tests that count', async () => {
    const files = suiteFiles('# Task');
    const at = await place({...files, 'suite/sum/self-play/test-1.json': role([], tests('false'), '# Task')});
    const run = await fettle(at, [...PLAY, '--attempts', '1', '--agentic']);
    expect([run.code, run.stdout]).toEqual([
      0,
      `sum
                 before  fix 1
  test 1           fail   fail
  changed lines              2
  test 1: does not count, since it passes with no patch
  Nothing is promoted: there are no tests that count.
`,
    ]);
    expect((await fettle(at, ['lab', 'run', '--resume', 'play'])).stderr).toContain('The run play is a run of self-play.');
  });

  it('stops at Ctrl-C with 130 and says how to continue', async () => {
    const at = await place(suiteFiles('# Task'));
    const child = start(at, [...PLAY, '--attempts', '1']);
    const ended = finished(child);
    child.stderr?.once('data', () => child.kill('SIGINT'));
    const {code, stderr} = await ended;
    expect([code, stderr.trimEnd().split('\n').at(-1)]).toEqual([130, 'Stopped. To continue: fettle lab self-play --resume play']);
  });
});

describe('fettle lab self-play', () => {
  it.each([
    [['self-play'], 'No suite is named.'],
    [['self-play', 'suite', '--model', 'script', '--attempts', '0'], '--attempts 0: a whole number from 1 on is needed.'],
    [['self-play', '--resume'], 'No runs of self-play yet.'],
    [['self-play', '--resume', '--model', 'x/y'], 'A run is continued as it was begun: --model cannot be given.'],
  ])('refuses %j', async (args, message) => {
    const at = await place(suiteFiles('# Task'));
    const {code, stderr} = await fettle(at, ['lab', ...args]);
    expect([code !== 0, stderr.split('\n')[0]]).toEqual([true, `fettle: ${message}`]);
  });
});
