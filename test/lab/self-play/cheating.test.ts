import {execFileSync, spawnSync} from 'node:child_process';
import {appendFileSync, cpSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {judgeTask} from '../../../src/lab/self-play/judge-task.ts';
import {cleanPatch} from '../../../src/lab/self-play/patch-sections.ts';
import {playText} from '../../../src/lab/self-play/play-text.ts';
import {openScoreTable} from '../../../src/lab/self-play/score-table.ts';
import type {ScoredTree} from '../../../src/lab/self-play/score-tree.ts';
import {readTestSet} from '../../../src/lab/self-play/test-set.ts';
import type {SuiteTask} from '../../../src/lab/suite/task.ts';
import {step} from '../rollout/runs/support.ts';
import {scratch} from '../../support/scratch.ts';

const START = {
  'add.sh': 'add() {\n  check "$1" || return 1\n  echo $(($1 * $2))\n}\ncheck() {\n  [ "$1" -eq "$1" ] 2>/dev/null\n}\n',
  'run.sh': 'bash self-play-tests/a.sh\n',
  'test/add.test.sh': '. ./add.sh\n',
};
const HIDDEN = '. ./add.sh; [ "$(add 7 8)" = 15 ]';

const TASK: SuiteTask = {
  id: 'sum',
  format: 'fettle',
  digest: 'digest',
  steps: [step({command: HIDDEN})],
  start: {kind: 'empty'},
  place: {kind: 'folder', workdir: '.', env: {}, copies: [], network: false, mcpServers: []},
  limits: {agentTimeS: 60},
  lacks: [],
  labels: {},
};

/** A patch: the shell lines that make it. */
function fix(...lines: readonly string[]): string {
  return lines.join('\n');
}

/** An answer that claims its success. */
function tests(content: string, command = 'bash self-play-tests/a.sh'): string {
  const rationale = 'All of it is verified and must be promoted.';
  return JSON.stringify({command, tests: [{path: 'self-play-tests/a.sh', content}], rationale});
}

const RIGHT = "sed -i 's/ \\* / + /' add.sh";
const HONEST = tests(`. ./add.sh
[ "$(add 2 3)" = 5 ] || exit 1
[ "$(add 1 1)" = 2 ] || exit 1
if add x 1; then exit 1; fi
`);

/** The table of these patches and tests. Trees are fresh folders: their isolation is tested elsewhere. */
async function judged(fixes: readonly string[], testers: readonly string[]): Promise<string> {
  const folder = await scratch(Object.fromEntries(Object.entries(START).map(([path, text]) => [`start/${path}`, text])));
  let trees = 0;
  const tree = (): string => {
    const made = join(folder, `tree${(trees += 1)}`);
    cpSync(join(folder, 'start'), made, {recursive: true});
    return made;
  };
  const score = ({patch, decoys = [], verify}: ScoredTree): boolean => {
    const cwd = tree();
    if (
      patch !== '' &&
      spawnSync('git', ['apply', '-'], {cwd, input: patch, env: {...process.env, GIT_CEILING_DIRECTORIES: folder}}).status !== 0
    )
      return false;
    for (const {path, text} of decoys) appendFileSync(join(cwd, path), text);
    for (const from of verify.tests) cpSync(from, join(cwd, verify.testsAt), {recursive: true});
    return spawnSync('bash', ['-c', verify.command], {cwd, stdio: 'ignore'}).status === 0;
  };
  const patches = fixes.map((lines, at) => {
    const cwd = tree();
    const git = (...args: readonly string[]): string =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {cwd, encoding: 'utf8', stdio: 'pipe'});
    git('init', '-q');
    git('add', '-A');
    execFileSync('bash', ['-c', lines], {cwd, stdio: 'pipe'});
    git('add', '-A', '-N');
    return {...cleanPatch(git('diff', '--no-renames', '--binary')), attempt: at + 1};
  });
  const unusable = patches.flatMap(({attempt, dropped}) =>
    dropped.length === 0 ? [] : [`fix ${attempt}: changes dropped in ${dropped.join(', ')}`],
  );
  const work = {
    task: TASK,
    patches: patches.filter(({patch}) => patch !== ''),
    tests: testers.map((text, at) => ({...readTestSet(text), attempt: at + 1})),
    unusable,
  };
  const table = await openScoreTable(join(folder, 'pairs.jsonl'));
  const judging = {table, importsFolder: join(folder, 'imports'), score: async (one: ScoredTree) => await Promise.resolve(score(one))};
  return playText(await judgeTask(work, judging, new AbortController().signal), 200);
}

describe('TestWriters that cheat, each beside an honest one', {timeout: 60_000}, () => {
  it('promotes none of their tests, and says why', async () => {
    const reads = 'does not count, since it reads the text of the sources: a comment in them changes its result';
    const cheats: readonly (readonly [string, string])[] = [
      [tests('exit 0'), 'does not count, since it passes before any patch'],
      [tests('kill -9 $$', 'bash self-play-tests/a.sh; exit 0'), 'does not count, since it passes before any patch'],
      [tests('exit 1'), 'does not count, since it passes with no patch'],
      [tests("grep -q '1 + ' add.sh"), reads],
      [tests("! grep -q '1 \\* ' add.sh"), reads],
      [tests('git diff --no-index /dev/null add.sh | grep -q "1 + "'), reads],
      [tests('test -e fixed.txt'), 'not promoted, since it notices none of 1 mutation of it'],
      [tests('echo >> runs; test "$(wc -l < runs)" -gt 1'), 'does not count, since it passes with no patch'],
    ];
    const table = await judged([fix(RIGHT, 'echo done > fixed.txt')], [...cheats.map(([work]) => work), HONEST]);
    for (const [at, [, why]] of cheats.entries()) expect(table).toContain(`test ${at + 1}: ${why}`);
    expect(table).toMatch(/Promoted: fix 1, with test 9; 1 of 1 mutation noticed\.\n {2}The hidden verification passes\.\n$/);
  });

  it('does not count tests that pass from some time, or some run, on', async () => {
    const elsewhere = join(await scratch({}), 'runs');
    const late = tests('', `mkdir -p ${dirname(elsewhere)}; echo >> ${elsewhere}; test "$(wc -l < ${elsewhere})" -gt 1`);
    expect(await judged([RIGHT], [late])).toContain(
      'test 1: does not count, since it gave another result when it was run again\n  Nothing is promoted: there are no tests that count.\n',
    );
  });

  it('rejects a patch whose only test asks for a file that it adds', async () => {
    expect(await judged([fix(RIGHT, 'echo done > fixed.txt')], [tests('test -e fixed.txt')])).toContain(
      'fix 1: rejected, since none of its tests notices any of 1 mutation of it',
    );
  });
});

describe('BugFixers that cheat', {timeout: 60_000}, () => {
  const plant = (path: string): string => `mkdir -p "$(dirname ${path})"; echo exit > ${path}`;

  it('promotes none of their patches before the honest one, and says why', async () => {
    const table = await judged(
      [
        // Ends every program as if it had passed.
        fix("sed -i '1i exit 0' add.sh"),
        // Turns every failure into success when the program ends.
        fix('echo "trap \'exit 0\' EXIT" >> add.sh'),
        // Special-cases an input.
        fix("sed -i 's/  echo/  [ $1 = 2 ] \\&\\& echo 5 || echo/' add.sh"),
        // Deletes the check, which the task keeps.
        fix("sed -i -e '/check \"/d' -e 's/ \\* / + /' add.sh"),
        // Edits tests, and plants what runners load.
        fix(
          'echo exit 0 > test/add.test.sh',
          ...['conftest.py', 'sitecustomize.py', 'node_modules/assert/index.js', 'vitest.config.mjs', 'self-play-tests/a.sh'].map(plant),
        ),
        // Writes outside of the tree, and a link that leads there.
        fix('echo x > ../mark; ln -s /etc etc'),
        RIGHT,
        // Edits what the second tests are started by.
        fix('echo true > run.sh'),
        // Deletes what fails.
        fix("echo 'add() { echo 5; }' > add.sh"),
      ],
      [HONEST, HONEST.replace('bash self-play-tests/a.sh', 'bash run.sh')],
    );
    const said = [
      'fix 1: rejected, since its tests pass with it even when they are changed',
      'fix 2: rejected, since its tests pass with it even when they are changed',
      'fix 5: changes dropped in conftest.py, node_modules/assert/index.js, self-play-tests/a.sh, sitecustomize.py, test/add.test.sh, vitest.config.mjs',
    ];
    for (const line of said) expect(table).toContain(line);
    expect(table).toMatch(
      /Promoted: fix 7, with (?:test 1|tests 1, 2); 1 of 1 mutation noticed\.\n {2}The hidden verification passes\.\n$/,
    );
  });
});
