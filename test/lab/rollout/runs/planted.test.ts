import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {runRollout} from '../../../../src/lab/rollout/run-rollout.ts';
import {scratch} from '../../../support/scratch.ts';
import {bareAgent, lab} from './support.ts';

const signal = new AbortController().signal;
const FAILED = {outcome: 'failed', failure: 'wrong-answer'};

describe('the folder of a file that test runners load', () => {
  it('may have become a link to another place: nothing is written or removed there', async () => {
    const outside = await scratch({'config.toml': 'mine', 'sub/conftest.py': 'mine'});
    const start = {'.cargo/config.toml': 'theirs', 'sub/conftest.py': 'theirs', 'x/pytest.ini': 'theirs'};
    // The links lead out of the scratch folder, as an agent without isolation, or one that knows the machine, can make them.
    const agent = bareAgent(`rm -r .cargo sub x; ln -s '${outside}' .cargo; ln -s '${outside}/sub' sub; echo 42 > answer.txt`);
    const command = 'test "$(cat .cargo/config.toml sub/conftest.py x/pytest.ini)" = theirstheirstheirs && bash check.sh';
    const {request} = await lab({agent, start, verify: {command}});
    expect(await runRollout(request, signal)).toMatchObject({outcome: 'passed'});
    const kept = await Promise.all(['config.toml', 'sub/conftest.py'].map(async (name) => await readFile(join(outside, name), 'utf8')));
    expect(kept).toEqual(['mine', 'mine']);
  });
});

describe('the folder of the session logs', () => {
  it('may have become a link to those of the person: none of them is kept', async () => {
    const outside = await scratch({'sessions/2026-01-01/thr_mine.jsonl': '{"private":1}\n'});
    const started = JSON.stringify({
      type: 'thread.started',
      schema_version: '1.0.0',
      thread_id: 'thr_1',
      cwd: '/',
      toolset: 'x',
      fettle_version: '1',
      model: 'x',
      resumed: false,
    });
    const agent = bareAgent(`echo 42 > answer.txt; echo '${started}'; ln -s '${outside}' "$FETTLE_HOME/state"`);
    const {request} = await lab({agent});
    const {outcome, artifacts} = await runRollout(request, signal);
    expect([outcome, Object.keys(artifacts).toSorted()]).toEqual([
      'passed',
      ['diff.patch', 'events.jsonl', 'last-message.txt', 'verify.txt'],
    ]);
  });
});

describe('an agent that plants what a verification would take for its own', () => {
  it('is judged by its answer: configuration that is larger than configuration is', async () => {
    const plant = `{ echo 'import os; os._exit(0)'; head -c 1100000 /dev/zero | tr '\\0' '#'; } > conftest.py; cp conftest.py package.json`;
    const agent = bareAgent(`echo 41 > answer.txt; ${plant}`);
    const verify = {command: 'test -e conftest.py || [ $(wc -c < package.json) -gt 9 ] || bash check.sh'};
    const {request} = await lab({agent, start: {'package.json': '{}'}, verify});
    expect(await runRollout(request, signal)).toMatchObject(FAILED);
  });

  it('is judged by its answer: compiled modules that Python takes without a look at their source (PEP 552)', async () => {
    const agent = bareAgent(`
      echo 41 > answer.txt; cd tests
      printf 'import unittest\\nclass Test(unittest.TestCase):\\n    def test(self): pass\\n' > test_answer.py
      python3 -c 'import py_compile; py_compile.compile("test_answer.py", invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)'
      rm test_answer.py; [ -d __pycache__ ]`);
    const tests = {
      'test_answer.py':
        'import unittest\nclass Test(unittest.TestCase):\n    def test(self):\n        self.assertEqual(open("answer.txt").read(), "42\\n")\n',
    };
    const verify = {testsAt: 'tests', command: 'python3 -m unittest tests.test_answer'};
    const {request, artifact} = await lab({agent, start: {'tests/__init__.py': ''}, tests, verify});
    expect(await runRollout(request, signal)).toMatchObject(FAILED);
    expect(await artifact('verify.txt')).toContain("'41\\n' != '42\\n'");
  });
});

describe('a tree of a first step that stops the lab', () => {
  it.each([
    ['nested deeper than a path can say', `python3 -c "import os\nfor i in range(20): os.mkdir('d' * 250); os.chdir('d' * 250)"`, 0],
    ['with a repository that git does not take', 'git init -q sub', 0.5],
  ])('%s, is judged all the same: it is no failure of the infrastructure', async (_, planted, reward) => {
    const made = await lab({agent: bareAgent(`${planted}; [ ! -e seen ] || echo 42 > answer.txt; touch seen`)});
    const [first] = made.request.task.steps;
    const steps = first === undefined ? [] : [first, {...first, name: 'second'}];
    const {outcome, reward: found} = await runRollout({...made.request, task: {...made.request.task, steps}}, signal);
    expect([outcome, found]).toEqual(['failed', reward]);
  });
});

describe('a module by the name of a hidden test', () => {
  it('is not loaded instead of it', async () => {
    const plant = `mkdir test_answer; printf 'import unittest\\nclass Test(unittest.TestCase):\\n    def test(self): pass\\n' > test_answer/__init__.py`;
    const tests = {
      'test_answer.py':
        'import unittest\nclass Test(unittest.TestCase):\n    def test(self):\n        self.assertEqual(open("answer.txt").read(), "42\\n")\n',
    };
    const {request} = await lab({
      agent: bareAgent(`${plant}; echo 41 > answer.txt`),
      tests,
      verify: {command: 'python3 -m unittest test_answer'},
    });
    expect(await runRollout(request, signal)).toMatchObject(FAILED);
  });
});
