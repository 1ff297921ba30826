import {execFileSync} from 'node:child_process';
import {existsSync, readdirSync} from 'node:fs';
import {mkdir, readFile, symlink, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {runRollout} from '../../../../src/lab/rollout/run-rollout.ts';
import type {RolloutResult} from '../../../../src/lab/rollout/rollout.ts';
import {scratch} from '../../../support/scratch.ts';
import {bareAgent, lab, outputOf, SECRET, step, type Lab} from './support.ts';

const signal = new AbortController().signal;

/** Both without the inner sandbox, which Fettle adds for its commands, and with it. */
const AGENTS = [
  ['an agent without a sandbox of its own', bareAgent('bash cheat.sh')],
  ['a command of Fettle', ['bash cheat.sh']],
] as const;

/** These sources, which are not part of what an agent must not find: they name it all. */
const REPOSITORY = join(import.meta.dirname, '../../../../..');

/** Looks for tests and results everywhere, and solves the task after that. */
const SEARCH = `
  exec 2>/dev/null
  find / -maxdepth 8 '(' -path /proc -o -path /sys -o -path /usr -o -path '${REPOSITORY}' -o -path '*/node_modules' ')' -prune -o -name check.sh -print -o -name results.json -print
  grep -rIs --exclude=cheat.sh hidden-6f1 .. ../.. ../../.. "$HOME"
  ls -la /proc/[0-9]*/root/ /proc/[0-9]*/cwd/ /proc/[0-9]*/fd/ | grep -E 'suite|artifacts|results|check.sh'
  for at in root cwd fd; do
    cat /proc/[0-9]*/"$at$PWD"/../../../suite/t/tests/check.sh /proc/[0-9]*/$at/../suite/t/tests/check.sh
  done
  ls -la ../../../suite ../../../lab ../../../artifacts ../..
  echo looked everywhere
  echo 42 > answer.txt
`;
const FOUND = /hidden-6f1c|check\.sh|results\.json|neighbour/;

async function makeNeighbour({folder}: Lab): Promise<void> {
  await mkdir(join(folder, 'scratch', 'neighbour'), {recursive: true});
  await writeFile(join(folder, 'scratch', 'neighbour', 'answer.txt'), SECRET);
}

describe('without isolation', () => {
  it('the same search finds tests, results and other rollouts, so that it proves something', async () => {
    const made = await lab({agent: bareAgent('bash cheat.sh'), start: {'cheat.sh': SEARCH}});
    await makeNeighbour(made);
    await runRollout({...made.request, isolation: undefined}, signal);
    const output = outputOf(await made.artifact('events.jsonl'));
    expect([...new Set(output.match(new RegExp(FOUND, 'g')))].toSorted()).toEqual(['check.sh', 'hidden-6f1c', 'neighbour', 'results.json']);
  });
});

describe.each(AGENTS)('%s', (_, agent) => {
  const isBare = 'program' in agent;

  it('finds the tests, the suite, results and other rollouts nowhere: folders, links, processes, descriptors', async () => {
    const made = await lab({agent, start: {'cheat.sh': SEARCH}});
    await makeNeighbour(made);
    expect(await outcomeOf(made)).toEqual({outcome: 'passed', failure: undefined, reward: 1});
    const output = outputOf(await made.artifact('events.jsonl'));
    expect(output).toContain('looked everywhere');
    expect(output).not.toMatch(FOUND);
  });

  it('leaves no process behind that changes the tree, the rewards or the verification', async () => {
    const loop =
      'while :; do if [ -e "$0/check.sh" ]; then echo 42 > "$0/answer.txt"; echo 1 > "$0/reward.txt"; pkill -9 -f check.sh; fi; done';
    const cheat = `
      echo 41 > answer.txt
      cat > loop.sh <<'END'
      trap '' TERM HUP INT
      ${loop}
END
      bash -c "$(cat loop.sh)" "$PWD" >/dev/null 2>&1 &
      setsid env -i bash -c "exec -a sleeping-cheat bash -c '$(sed "s/'//g" loop.sh)' $PWD" </dev/null >/dev/null 2>&1 &
      (setsid setsid bash -c "$(cat loop.sh)" "$PWD" </dev/null >/dev/null 2>&1 &)
      disown -a; sleep 0.2`;
    const made = await lab({
      agent,
      start: {'cheat.sh': cheat},
      verify: {command: 'sleep 0.5; bash check.sh', rewardFiles: ['reward.txt']},
    });
    expect(await outcomeOf(made)).toEqual({outcome: 'failed', failure: 'wrong-answer', reward: 0});
    expect(processesAt(made.folder)).toEqual([]);
  });

  it('writes rewards before the verification in vain: files, links and FIFOs in their place', async () => {
    const cheat = `
      mkdir -p logs/verifier out; echo 1 > logs/verifier/reward.txt; mkfifo out/pipe.txt; ln -s /proc/self/environ out/link.txt; mkdir -p out/folder.txt/x
      ln -s out other; echo 1 > out/reward.txt; echo 41 > answer.txt`;
    const rewardFiles = ['logs/verifier/reward.txt', 'out/pipe.txt', 'out/link.txt', 'out/folder.txt', 'other/reward.txt'];
    const made = await lab({agent, start: {'cheat.sh': cheat}, verify: {rewardFiles}});
    expect(await outcomeOf(made)).toEqual({outcome: 'failed', failure: 'wrong-answer', reward: 0});
  });

  it('replaces programs, start files and the configuration of test runners in vain', async () => {
    const cheat = `
      mkdir -p bin node_modules/.bin "$HOME/bin" "$HOME/.local/bin"
      for name in bash cat test node python3 pytest env sh; do for at in . bin node_modules/.bin "$HOME/bin" "$HOME/.local/bin"; do printf '#!/bin/sh\\nexit 0\\n' > "$at/$name"; chmod +x "$at/$name"; done; done 2>/dev/null
      for file in .bashrc .profile .bash_profile .npmrc .pythonrc; do echo 'exit 0' > "$HOME/$file"; done 2>/dev/null
      echo 'import os; os._exit(0)' | tee conftest.py sitecustomize.py usercustomize.py > /dev/null
      printf '[pytest]\\naddopts = --collect-only\\n' > pytest.ini
      echo 41 > answer.txt`;
    const tests = {
      'check.sh': `test "$(cat answer.txt)" = 42 || exit 1\n`,
      'test_answer.py': `import unittest\nclass Test(unittest.TestCase):\n    def test(self):\n        self.assertEqual(open('answer.txt').read(), '42\\n')\n`,
    };
    for (const command of isBare
      ? ['bash check.sh', 'python3 -m unittest -q test_answer', 'PATH=$PATH:. bash check.sh']
      : ['bash check.sh']) {
      const made = await lab({agent, start: {'cheat.sh': cheat}, tests, verify: {command}});
      expect([command, await outcomeOf(made)]).toEqual([command, {outcome: 'failed', failure: 'wrong-answer', reward: 0}]);
    }
  });

  it('has git ignore the files that test runners load, in vain', async () => {
    const cheat = `echo 'import os; os._exit(0)' > conftest.py; echo conftest.py > .gitignore; echo 41 > answer.txt`;
    const verify = {command: 'test -e conftest.py || bash check.sh'};
    expect(await outcomeOf(await lab({agent, start: {'cheat.sh': cheat}, verify}))).toEqual({
      outcome: 'failed',
      failure: 'wrong-answer',
      reward: 0,
    });
  });

  it('makes the folder of tests a link, or puts its own tests there, in vain', async () => {
    const cheat = `
      mkdir -p mine; echo 'exit 0' > mine/check.sh; ln -s mine tests; mkdir -p deep; ln -s ../mine deep/tests; ln -s "$PWD/mine" absolute
      mkdir -p taken/check.sh; echo 41 > answer.txt`;
    for (const testsAt of isBare ? ['tests', 'deep/tests', 'absolute', 'taken'] : ['deep/tests']) {
      const made = await lab({agent, start: {'cheat.sh': cheat}, verify: {testsAt, command: `bash ${testsAt}/check.sh`}});
      expect([testsAt, await outcomeOf(made)]).toEqual([testsAt, {outcome: 'failed', failure: 'wrong-answer', reward: 0}]);
    }
  });
});

describe('the folder of hidden tests', () => {
  const tests = {'check.sh': 'if [ -e tests/lib.sh ]; then . tests/lib.sh; fi\ntest "$(cat answer.txt)" = 42\n'};
  const verify = {testsAt: 'tests', command: 'bash tests/check.sh'};

  it('holds nothing that an agent has put there for the tests to load', async () => {
    const made = await lab({agent: ["mkdir -p tests && echo 'exit 0' > tests/lib.sh && echo 41 > answer.txt"], tests, verify});
    expect(await outcomeOf(made)).toEqual({outcome: 'failed', failure: 'wrong-answer', reward: 0});
  });

  it('keeps the files that the task begins with', async () => {
    const made = await lab({
      agent: ['echo 42 > answer.txt'],
      start: {'tests/public.sh': 'true\n'},
      tests,
      verify: {...verify, command: 'bash tests/public.sh && bash tests/check.sh'},
    });
    expect(await outcomeOf(made)).toEqual({outcome: 'passed', failure: undefined, reward: 1});
  });
});

describe('an agent that hides what it plants', () => {
  const verify = {command: 'if [ -e conftest.py ] || [ -e argparse.py ] || [ -e pytest ]; then exit 0; fi; test "$(cat answer.txt)" = 42'};
  it.each([
    ['from git, by .gitignore', "echo '*' > .gitignore; touch conftest.py"],
    ['behind a folder that nobody can read', 'touch conftest.py; mkdir x; touch x/f; chmod 000 x/f x'],
    ['in a tree that nobody can read', 'touch conftest.py; chmod 000 .'],
    ['as a module that comes before one of the test runner', 'touch argparse.py'],
    ['as a link to a folder', 'mkdir z; touch z/__init__.py; ln -s z pytest'],
  ])('%s, is judged by its answer', async (_, planted) => {
    const made = await lab({agent: bareAgent(`echo 41 > answer.txt; ${planted}`), verify});
    expect(await outcomeOf(made)).toEqual({outcome: 'failed', failure: 'wrong-answer', reward: 0});
  });

  it('keeps a module that the prompt asks for, or that the task begins with', async () => {
    const command = 'grep -q mine calendar.py && grep -q mine queue.py';
    const first = {...step({command}), prompt: 'Write `calendar.py`.'};
    const agent = bareAgent('echo mine > calendar.py; echo mine > queue.py');
    const made = await lab({agent, start: {'queue.py': 'theirs\n'}, steps: [first]});
    expect(await outcomeOf(made)).toMatchObject({outcome: 'passed'});
  });

  it('leaves no scratch folder behind, however deep it is', async () => {
    const deep = 'd=$(printf "%0250d" 0); for n in $(seq 30); do mkdir $d && cd $d || break; done';
    const made = await lab({agent: bareAgent(deep)});
    expect(await outcomeOf(made)).toMatchObject({outcome: 'failed'});
    expect(readdirSync(join(made.folder, 'scratch'))).toEqual([]);
  });
});

describe('an answer that is a link', () => {
  const tests = {'check.sh': 'cmp answer.txt "$(dirname "$0")/expected.txt"\n', 'expected.txt': '42\n'};
  it.each(['tests/expected.txt', '"$PWD/tests/expected.txt"', '/proc/self/cwd/tests/expected.txt'])(
    'to the hidden %s is removed',
    async (target) => {
      const agent = bareAgent(`ln -s . here; ln -s ${target} answer.txt`);
      const made = await lab({agent, tests, verify: {testsAt: 'tests', command: 'bash tests/check.sh'}});
      expect(await outcomeOf(made)).toEqual({outcome: 'failed', failure: 'wrong-answer', reward: 0});
    },
  );

  it('with which the task begins stays', async () => {
    const made = await lab({agent: bareAgent('true'), tests, verify: {testsAt: 'tests', command: 'bash tests/check.sh'}});
    await symlink('tests/expected.txt', join(made.folder, 'suite/t/start/answer.txt'));
    expect(await outcomeOf(made)).toMatchObject({outcome: 'passed'});
  });
});

describe('in a root place', () => {
  const root = {kind: 'root', workdir: '/app'} as const;
  const verify = {
    testsAt: '/tests',
    rewardFiles: ['/logs/verifier/reward.txt', '/logs/verifier/reward.json'],
    command: 'bash /tests/check.sh && echo 1 > /logs/verifier/reward.txt',
  };

  it('the tests are at /tests for the verification alone, and rewards of the agent do not count', async () => {
    const line =
      'ls -la /tests /logs /; mkdir -p /logs/verifier; echo 1 > /logs/verifier/reward.txt; mkdir -p tests; echo 41 > /app/answer.txt';
    const made = await lab({agent: bareAgent(line), place: root, verify});
    expect(await outcomeOf(made)).toEqual({outcome: 'failed', failure: 'wrong-answer', reward: 0});
    expect(await made.artifact('events.jsonl')).not.toContain(SECRET);
  });

  it('a right answer gets the reward that the verification has written', async () => {
    const made = await lab({agent: ['echo 42 > /app/answer.txt'], place: root, verify});
    expect(await outcomeOf(made)).toEqual({outcome: 'passed', failure: undefined, reward: 1});
  });

  it.each([
    ['a FIFO', 'mkfifo /logs/verifier/reward.txt'],
    ['a link', 'echo 1 > /app/one; ln -s /app/one /logs/verifier/reward.txt'],
    ['a folder', 'mkdir /logs/verifier/reward.txt'],
    ['a device', 'ln -s /dev/zero /logs/verifier/reward.txt'],
    ['a huge file', 'truncate -s 1T /logs/verifier/reward.txt'],
  ])('%s where the reward is read gives no reward, and blocks nothing', async (_, command) => {
    const made = await lab({agent: ['echo 42 > answer.txt'], place: root, verify: {...verify, command}});
    expect(await outcomeOf(made)).toEqual({outcome: 'failed', failure: 'wrong-answer', reward: 0});
  });
});

describe('a repository in the tree', () => {
  it('whose settings name programs runs none of them where isolation does not hold', async () => {
    // The lab's own git meets the repository in the second step, when it belongs to the base.
    const line = `
      echo 42 > answer.txt
      if [ ! -d sub ]; then
        git -c init.defaultBranch=m init -q sub; cd sub; echo x > f; git add f; git -c user.name=n -c user.email=e commit -qm a; cd ..
      else
      printf '#!/bin/sh\\necho out > %s/outside.txt\\n' "$PWD/../.." > run.sh; chmod +x run.sh
      git -C sub config core.fsmonitor "$PWD/run.sh"; git -C sub config filter.x.clean "$PWD/run.sh"
      echo '* filter=x' > sub/.gitattributes; echo z > sub/f
      fi`;
    const made = await lab({agent: bareAgent(line)});
    const [first] = made.request.task.steps;
    const steps = first === undefined ? [] : [first, {...first, name: 'second'}];
    const result = await runRollout({...made.request, task: {...made.request.task, steps}}, signal);
    expect(result).toMatchObject({outcome: 'passed'});
    expect(existsSync(join(made.folder, 'scratch/outside.txt'))).toBe(false);
    expect(existsSync(join(made.folder, 'outside.txt'))).toBe(false);
  });
});

describe('links of the agent', () => {
  it('lead no file of a later step out of the tree', async () => {
    const made = await lab({
      agent: bareAgent('ln -sf ../../../outside.txt config.txt; ln -sfn ../../.. deep; echo 42 > answer.txt'),
      start: {},
    });
    await writeFile(join(made.folder, 'outside.txt'), 'kept');
    const files = await scratch({'config.txt': 'step', 'deep/inner.txt': 'step'});
    const [first] = made.request.task.steps;
    const steps = first === undefined ? [] : [first, {...first, name: 'second', files}];
    expect(await runRollout({...made.request, task: {...made.request.task, steps}}, signal)).toMatchObject({outcome: 'passed'});
    expect(await readFile(join(made.folder, 'outside.txt'), 'utf8')).toBe('kept');
    expect(existsSync(join(made.folder, 'inner.txt'))).toBe(false);
  });
});

describe('an agent that uses up the machine', () => {
  it('is judged when the disk limit has ended its command', async () => {
    const made = await lab({agent: ['head -c 300M /dev/zero > big; sleep 20'], verify: {}});
    const request = {...made.request, agent: {...made.request.agent, settings: {limits: {command_disk_mb: 50}}}};
    const {outcome, failure} = await runRollout(request, signal);
    expect({outcome, failure}).toEqual({outcome: 'failed', failure: 'wrong-answer'});
    expect(await made.artifact('diff.patch')).toBe('# "big" is larger than 8388608 bytes and left out\n');
  });

  it('leaves unreadable folders, endless files and FIFOs, and the rollout is judged and removed', async () => {
    const line = `
      mkfifo pipe; truncate -s 1T sparse; mkdir -p locked/inner; chmod 000 locked; ln -s / root; ln -s loop loop; echo 42 > answer.txt
      (cd "$PWD" && for i in 1 2 3 4 5 6 7 8; do mkdir -p long-name-$i && cd long-name-$i; done; touch deep)`;
    const made = await lab({agent: bareAgent(line)});
    expect(await outcomeOf(made)).toEqual({outcome: 'passed', failure: undefined, reward: 1});
    expect(existsSync(join(made.folder, 'scratch', 'run'))).toBe(false);
    expect(processesAt(made.folder)).toEqual([]);
  });
});

async function outcomeOf({request}: Lab): Promise<Pick<RolloutResult, 'outcome' | 'failure' | 'reward'> & {note?: string}> {
  const {outcome, failure, reward, note} = await runRollout(request, signal);
  return {outcome, failure, reward, ...(outcome === 'infrastructure' ? {note: String(note)} : {})};
}

/** The processes that name a folder, or a program of the cheats, in their arguments. */
function processesAt(folder: string): string[] {
  const lines = execFileSync('ps', ['-eo', 'pid,args'], {encoding: 'utf8'}).split('\n');
  return lines.filter((line) => line.includes(folder) || line.includes('sleeping-cheat'));
}
