import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import type {ModelScript} from '../../src/testing/index.ts';
import {sharedFettle} from './shared-process.ts';
import {eventsOf, fettle, modelServer, place} from './support.ts';

type Row = Record<string, unknown>;

interface Given {
  readonly script: ModelScript;
  readonly args?: readonly string[];
  readonly files?: Readonly<Record<string, string>>;
  readonly config?: string;
}

/** Runs with `--json`: the exit code and what the last event says of the work. */
async function run({script, args = [], files = {}, config = ''}: Given) {
  const server = await modelServer(script);
  const at = await place(files, `${server.config}${config}`);
  const finished = await sharedFettle(at, ['exec', '--json', ...args, 'Do it.']);
  const last = eventsOf(finished).at(-1) ?? {};
  const {
    outcome_code: outcome,
    verified,
    check_changes: changes,
    denied,
    checks,
    open_tasks: tasks,
    failed_agents: agents,
    evaluation,
  } = last;
  return {code: finished.code, outcome, verified, changes, denied, checks, tasks, agents, evaluation, finished, at, server};
}

/** The same for a person: what stands on stderr behind the totals of the turn. */
async function ending({script, args = [], files = {}, config = ''}: Given): Promise<readonly [number | null, string]> {
  const server = await modelServer(script);
  const at = await place(files, `${server.config}${config}`);
  const {code, stderr} = await sharedFettle(at, ['exec', ...args, 'Do it.']);
  const lines = stderr.trimEnd().split('\n');
  return [code, lines.slice(lines.findLastIndex((line) => /^\d+ requests?, \d+ tokens in/.test(line)) + 1).join('\n')];
}

const bash = (command: string) => ({toolCalls: [{name: 'bash', arguments: {command}}]});
const write = (path: string, content: string) => ({toolCalls: [{name: 'write', arguments: {path, content}}]});
const todo = (...todos: Row[]) => ({toolCalls: [{name: 'todo', arguments: {todos} as never}]});
const DONE = {text: 'Done.'};

describe('design 6 › a check that runs nothing is a usage error', () => {
  it.each(['', '  ', '\t\n', '# npm test', 'CI=1', "sh -c ''", '> out.txt'])(
    '--verify %j: exit code 2, and no request',
    async (command) => {
      const server = await modelServer([DONE]);
      const at = await place({}, server.config);
      const {code, stderr} = await sharedFettle(at, ['exec', '--verify', command, '--verify', 'npm test', 'Do it.']);
      expect([code, stderr, server.requests.length]).toEqual([
        2,
        `fettle: The check ${JSON.stringify(command)} runs no command.\n  hint: Name a command that exits with 0 when the work is right, such as --verify "npm test".\n`,
        0,
      ]);
    },
  );

  it('a check of the model that runs nothing, or always passes, verifies nothing', async () => {
    for (const command of ['# tests pass', 'true', 'npm test || true']) {
      const item = {content: 'it', status: 'completed', verify: [command]};
      const {code, verified, checks} = await run({script: [todo(item), DONE, DONE], args: ['--allow', 'bash:*']});
      expect([code, verified, checks]).toEqual([
        6,
        false,
        [{command, named_by: 'model', state: 'failed', exit_code: null, ...(command.startsWith('#') ? {} : {always_passes: true})}],
      ]);
    }
  });

  it('true is a choice of the person, and is said to prove nothing', async () => {
    expect(await ending({script: [DONE], args: ['--verify', 'true']})).toEqual([
      0,
      'Verified after the last change:\n  `true` exited with 0 (it always passes, so it proves nothing)',
    ]);
  });

  it('white space around a command does not make it another one: it is still the check of the person', async () => {
    const {code, verified, checks} = await run({script: [DONE], args: ['--verify', ' touch ran.txt ']});
    expect([code, verified, checks]).toEqual([0, true, [{command: 'touch ran.txt', named_by: 'person', state: 'passed', exit_code: 0}]]);
  });
});

describe('design 6 › exit code 3: denied, and nothing verified it all the same', () => {
  const SCRIPT = [bash('touch other.txt'), DONE];
  const DENIED = [{tool_name: 'bash', decided_by: 'headless', allow_rules: ['bash:touch *'], allow_mode: 'full-auto'}];

  it('a check of the person that passes makes it 0; the denial is reported', async () => {
    const {code, outcome, verified, denied} = await run({script: SCRIPT, args: ['--verify', 'test ! -e other.txt']});
    expect({code, outcome, verified, denied}).toEqual({code: 0, outcome: 'success', verified: true, denied: DENIED});
    expect(await ending({script: SCRIPT, args: ['--verify', 'test ! -e other.txt']})).toEqual([
      0,
      "Verified after the last change:\n  `test ! -e other.txt` exited with 0\nDenied on the way:\n  bash: allow it with --allow 'bash:touch *', or with --mode full-auto",
    ]);
  });

  it('without a check it stays 3, and names the rule and the mode that would have allowed it', async () => {
    const {code, outcome, verified, denied} = await run({script: SCRIPT});
    expect({code, outcome, verified, denied}).toEqual({code: 3, outcome: 'denied', verified: 'none', denied: DENIED});
    expect(await ending({script: SCRIPT})).toEqual([
      3,
      `Nothing was verified: no check was named (--verify "COMMAND").
fettle: A call was denied: bash.
  hint: bash: allow it with --allow 'bash:touch *', or with --mode full-auto
  The answer is above, but something it needed was not allowed. \`fettle permissions check\` explains a decision.`,
    ]);
  });

  it('a check that only the model named covers no denial', async () => {
    const script = [bash('touch other.txt'), todo({content: 'it', status: 'completed', verify: ['test ! -e x']}), DONE];
    const {code, outcome, verified} = await run({script, args: ['--allow', 'bash:test *']});
    expect({code, outcome, verified}).toEqual({code: 3, outcome: 'denied', verified: true});
  });

  it.each<[string, readonly string[], Row, string]>([
    ['write', [], write('a.txt', 'x'), "write: allow it with --allow 'write:a.txt', or with --mode accept-edits"],
    [
      'deny rule',
      ['--deny', 'bash:touch *', '--mode', 'full-auto'],
      bash('touch a'),
      'bash: the rule bash:touch * denies it in every mode; take that rule away to allow it',
    ],
    [
      'ask rule',
      ['--ask', 'bash:touch *', '--mode', 'full-auto'],
      bash('touch a'),
      'bash: the rule bash:touch * wants a person to be asked in every mode, and nobody was there',
    ],
  ])('what would have allowed it: %s', async (_, args, call, line) => {
    const [code, text] = await ending({script: [call, DONE], args});
    expect([code, text.split('\n').find((one) => one.startsWith('  hint: '))]).toEqual([3, `  hint: ${line}`]);
  });
});

describe('design 1.4 › files below a check that the run itself changed are named beside verified', () => {
  const PROJECT = {
    'package.json': '{"scripts": {"test": "sh check.sh"}}',
    'check.sh': 'test -f done.txt\n',
    'test/a.test.js': 'throw new Error()\n',
    'src/a.js': 'export const a = 1\n',
    '.gitignore': 'tools\nnode_modules\n',
    'tools/hidden.sh': 'exit 1\n',
  };
  const ARGS = ['--mode', 'accept-edits', '--allow', 'bash:*', '--verify'];

  it.each<[string, string, readonly Row[], readonly (readonly string[])[]]>([
    ['ordinary work', 'npm test', [write('done.txt', 'x'), write('src/b.js', 'y')], []],
    [
      'the script that the check runs, by a file tool',
      'npm test',
      [write('check.sh', 'exit 0\n')],
      [['check.sh', 'changed', 'named by script "test"']],
    ],
    [
      'package.json, so that the check names another script: by a command',
      'npm test',
      [bash('printf %s \'{"scripts": {"test": "true"}}\' > package.json; rm check.sh')],
      [
        ['check.sh', 'deleted', 'named by script "test"'],
        ['package.json', 'changed', 'script "test" of `npm test`'],
      ],
    ],
    ['a test, deleted by a command', 'test -d src', [bash('rm test/a.test.js')], [['test/a.test.js', 'deleted', 'test']]],
    [
      'what .gitignore hides, by a command',
      'sh tools/hidden.sh',
      [bash('echo exit 0 > tools/hidden.sh')],
      [['tools/hidden.sh', 'changed', 'named by `sh tools/hidden.sh`']],
    ],
    [
      'a configuration that was not there',
      'test -d src',
      [write('vitest.config.js', 'export default {}\n')],
      [['vitest.config.js', 'created', 'test configuration']],
    ],
    [
      'a check that puts itself back while it runs',
      'sh check.sh',
      [bash('cp check.sh .was; echo "mv .was check.sh; exit 0" > check.sh')],
      [['check.sh', 'changed', 'named by `sh check.sh`']],
    ],
    ['changed and changed back', 'test -d src', [write('test/a.test.js', 'x'), write('test/a.test.js', PROJECT['test/a.test.js'])], []],
  ])('%s', async (_, command, calls, expected) => {
    const wanted = expected.map(([path, change, reason]) => ({path, change, reason}));
    const script = [...calls, ...(command === 'npm test' ? [write('done.txt', 'x')] : []), DONE] as never;
    const on = await run({script, files: PROJECT, args: [...ARGS, command]});
    expect([on.code, on.verified, on.changes ?? []]).toEqual([0, true, wanted]);
    const off = await run({script, files: PROJECT, args: [...ARGS, command], config: '[checkpoints]\nkeep = "off"\n'});
    expect([off.code, off.changes ?? []]).toEqual([0, wanted]);
  });

  it('a person reads it, without control characters of a path', async () => {
    const script = [bash('sh edit.sh'), DONE];
    const files = {...PROJECT, 'edit.sh': 'sed -i s/y/x/ test/b*; rm test/a.test.js\n', 'test/b\u001b[31m.test.js': 'y'};
    expect(await ending({script, files, args: ['--mode', 'full-auto', '--no-sandbox', '--verify', 'test -d src']})).toEqual([
      0,
      `Verified after the last change:
  \`test -d src\` exited with 0
Changed by this run, so look at it before you rely on the check:
  test/a.test.js deleted (test)
  test/b.test.js changed (test)`,
    ]);
  });
});

describe('design 1.4 › what was not done is not called done', () => {
  it('nothing verified is said', async () => {
    expect(await ending({script: [DONE]})).toEqual([0, 'Nothing was verified: no check was named (--verify "COMMAND").']);
  });

  it('tasks that were left open, cancelled, or taken out of the list', async () => {
    const emptied = [todo({content: 'write tests', status: 'pending'}, {content: 'fix it', status: 'completed'}), todo(), DONE];
    const cancelled = [todo({content: 'write tests', status: 'cancelled'}, {content: 'fix it', status: 'completed'}), DONE];
    const reworded = [todo({content: 'write tests', status: 'pending'}), todo({content: 'write the tests', status: 'completed'}), DONE];
    expect((await run({script: emptied})).tasks).toEqual([{content: 'write tests', status: 'removed'}]);
    expect((await run({script: cancelled})).tasks).toEqual([{content: 'write tests', status: 'cancelled'}]);
    expect((await run({script: reworded})).tasks).toBeUndefined();
    const left = [todo({content: 'write tests', status: 'pending'}, {content: 'say so', status: 'in_progress'}), DONE];
    expect(await ending({script: left, config: '[harness]\ncontinuation = "off"\n'})).toEqual([
      0,
      `Nothing was verified: no check was named (--verify "COMMAND").
Tasks that were not completed:
  write tests (open)
  say so (begun)`,
    ]);
  });

  it('of several checks the one that was not run is named', async () => {
    const {code, checks} = await run({script: [DONE, DONE], args: ['--verify', 'test -f a', '--verify', 'test -f b']});
    expect([code, checks]).toEqual([
      6,
      [
        {command: 'test -f a', named_by: 'person', state: 'failed', exit_code: 1},
        {command: 'test -f b', named_by: 'person', state: 'not_run', exit_code: null},
      ],
    ]);
  });
});

describe('design 1.4 › an evaluator that gave no verdict is not a pass', () => {
  const CONFIG = '[harness]\norchestration = "plan_build_evaluate"\n';
  const PLAN = {text: JSON.stringify({spec_markdown: '# Goal', contract_markdown: '# Done', items: [{description: 'Write b.txt'}]})};
  const WORK = [PLAN, write('b.txt', 'x'), todo({content: 'Write b.txt', status: 'completed'}), DONE];
  const SCORES = {contract_fidelity: 5, functionality: 5, code_quality: 5, verification_integrity: 5};
  const PASS = {text: JSON.stringify({verdict: 'pass', summary: 'ok', scorecard: SCORES, findings: []})};
  const args = ['--mode', 'accept-edits'];

  it.each<[string, readonly Row[], string]>([
    ['words', [{text: 'Looks fine to me, pass!'}, {text: 'pass'}], ''],
    ['nothing', [{text: ''}, {text: ''}], ''],
    ['JSON that breaks off', [{text: '{"verdict": "pass", "summary": "o'}, {text: '{"verdict": "pass"'}], ''],
    ['another verdict', [{text: '{"verdict": "maybe"}'}, {text: '{"verdict": true}'}], ''],
    ['a provider that refuses', [{status: 401}], ''],
    ['a model that cannot be opened later', [], '[harness.models]\nevaluator = "nowhere/model"\n'],
  ])('%s: exit code 1', async (_, replies, config) => {
    const {code, outcome, evaluation} = await run({script: [...WORK, ...replies] as never, args, config: `${CONFIG}${config}`});
    if (config === '') expect({code, outcome, evaluation}).toEqual({code: 1, outcome: 'failed', evaluation: 'not_evaluated'});
    else expect(code).not.toBe(0);
  });

  it('a check that passed does not stand in for it; the session goes on to be evaluated', async () => {
    const server = await modelServer([...WORK, {text: 'no'}, {text: 'no'}, DONE, PASS]);
    const at = await place({}, `${server.config}${CONFIG}`);
    const first = await sharedFettle(at, ['exec', '--json', ...args, '--verify', 'test -f b.txt', 'Do it.']);
    const end = eventsOf(first).at(-1) ?? {};
    expect([first.code, end['verified'], end['evaluation']]).toEqual([1, true, 'not_evaluated']);
    const id = String(eventsOf(first)[0]?.['thread_id']);
    const second = await fettle(at, ['exec', '--json', ...args, '--resume', id, 'Go on.']);
    expect([second.code, eventsOf(second).at(-1)?.['evaluation']]).toEqual([0, 'passed']);
  });
});

describe('design 1.4 › a check that did not finish did not pass', () => {
  it('a folder that is gone verifies nothing', async () => {
    const server = await modelServer([bash('mv "$PWD" "$PWD.gone"'), DONE, DONE]);
    const at = await place({'a.txt': 'x'}, server.config);
    await writeFile(join(at.work, 'b.txt'), 'y');
    const finished = await sharedFettle(at, ['exec', '--json', '--allow', 'bash:*', '--verify', 'true', 'Do it.']);
    expect([finished.code === 0, eventsOf(finished).at(-1)?.['verified']]).toEqual([false, false]);
  });
});
