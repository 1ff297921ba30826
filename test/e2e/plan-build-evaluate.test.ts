import {readFile, readdir} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {check} from '../checks/atif-check.mjs';
import type {ModelScript} from '../../src/testing/index.ts';
import {sharedFettle} from './shared-process.ts';
import {eventsOf, fettle, modelServer, place, type Finished, type Place} from './support.ts';

type Row = Record<string, unknown>;

const CONFIG = '[harness]\norchestration = "plan_build_evaluate"\n';

async function run(script: ModelScript, {args = [], config = CONFIG}: {args?: readonly string[]; config?: string} = {}) {
  const server = await modelServer(script);
  const at = await place({'a.txt': 'one\n'}, `${server.config}${config}`);
  const finished = await sharedFettle(at, ['exec', '--json', '--mode', 'accept-edits', ...args, 'Make it so.']);
  expect(server.violations).toEqual([]);
  const sent = server.requests.map(({body}) => body['messages'] as {role: string; content: string}[]);
  return {...summary(finished), finished, at, sent, server};
}

/** How it ended, and what the harness said on the way. */
function summary(finished: Finished) {
  const events = eventsOf(finished);
  const {outcome_code: outcome, verified, evaluation} = events.at(-1) ?? {};
  return {end: {code: finished.code, outcome, verified, evaluation}, harness: itemsOf(events, 'harness').map(({event}) => event)};
}

function itemsOf(events: readonly Row[], type: string): Row[] {
  return events
    .filter((event) => event['type'] === 'item.completed')
    .map((event) => event['item'] as Row)
    .filter((item) => item['type'] === type);
}

async function artifact(at: Place, finished: Finished, name: string): Promise<string> {
  return await readFile(join(at.work, '.fettle/tasks', String(eventsOf(finished)[0]?.['thread_id']), `${name}.md`), 'utf8');
}

const PLAN = {
  text: JSON.stringify({
    spec_markdown: '# Goal\n\nThere is a b.txt.',
    contract_markdown: '# Done criteria\n\n- b.txt holds two',
    task_title: 'b',
    items: [{description: 'Write b.txt', files: ['b.txt'], outcome: 'it is there', verify: ['test -f b.txt']}],
  }),
};
const SCORES = {contract_fidelity: 5, functionality: 4, code_quality: 4, verification_integrity: 5};
const evaluation = (over: object = {}) => ({
  text: JSON.stringify({verdict: 'pass', summary: 'It is there.', scorecard: SCORES, findings: [], ...over}),
});
const write = (content: string) => ({toolCalls: [{name: 'write', arguments: {path: 'b.txt', content}}]});
const tick = (...contents: string[]) => ({
  toolCalls: [{name: 'todo', arguments: {todos: contents.map((content) => ({content, status: 'completed'}))} as never}],
});
const BUILD = [write('two\n'), tick('Write b.txt'), {text: 'Done.'}] as const;
const VERIFIED = ['verification_started', 'verification_passed'];

describe('VT Code architecture › plan_build_evaluate', () => {
  it('planner, generator, evaluator: artifacts, a task list that is verified, a judgement by the diff', async () => {
    const {end, harness, at, finished, sent} = await run([PLAN, ...BUILD, evaluation()]);
    expect({end, harness}).toEqual({
      end: {code: 0, outcome: 'success', verified: true, evaluation: 'passed'},
      harness: ['planning_started', 'planning_completed', ...VERIFIED, 'evaluation_started', 'evaluation_passed'],
    });
    const id = String(eventsOf(finished)[0]?.['thread_id']);
    expect(await artifact(at, finished, 'spec')).toBe('# Goal\n\nThere is a b.txt.');
    expect(await artifact(at, finished, 'contract')).toBe('# Done criteria\n\n- b.txt holds two');
    expect(await artifact(at, finished, 'task')).toBe(
      '# Tasks\n\n- [x] Write b.txt\n  - files: b.txt\n  - outcome: it is there\n  - verify: test -f b.txt\n',
    );
    expect(await artifact(at, finished, 'evaluation')).toMatch(/^# Verdict\n\npassed \(the evaluator said: pass\)\n/);
    expect(sent[1]?.at(-1)?.content)
      .toBe(`This task was planned. Its steps are in the task list: one at a time, keep the list up to date, and verify. An evaluator will check the result against the contract.
<specification path=".fettle/tasks/${id}/spec.md">
# Goal

There is a b.txt.
</specification>
<contract path=".fettle/tasks/${id}/contract.md">
# Done criteria

- b.txt holds two
</contract>`);
    expect(
      sent
        .at(-1)
        ?.at(-1)
        ?.content.replace(/[\d.]+ s\n/, 'N s\n'),
    ).toBe(`<task>
Make it so.
</task>
<specification>
# Goal

There is a b.txt.
</specification>
<contract>
# Done criteria

- b.txt holds two
</contract>
<task_list>
# Tasks

- [x] Write b.txt
  - files: b.txt
  - outcome: it is there
  - verify: test -f b.txt
</task_list>
<verification>
- \`test -f b.txt\` exited with 0 after N s
</verification>
<warnings>
none
</warnings>
<diff>
created b.txt
--- a/b.txt
+++ b/b.txt
@@ -0,0 +1,1 @@
+two
</diff>`);
    const asked = eventsOf(finished).filter(({type}) => type === 'request.completed');
    expect(asked.map(({agent}) => agent)).toEqual(['planner', undefined, undefined, undefined, 'evaluator']);
    expect(eventsOf(finished).at(-1)).toMatchObject({usage: {input_tokens: 500, output_tokens: 100}});
  });

  it('what planner and evaluator said has logs below that of the thread: listed when asked for, in ATIF, deleted with it (issue 5 › traces)', async () => {
    const {at, finished} = await run([{text: '{"spec_markdown": "x"'}, PLAN, ...BUILD, evaluation()]);
    const id = String(eventsOf(finished)[0]?.['thread_id']);
    const told = eventsOf(finished).filter(({type}) => type === 'agent.status');
    expect(told.map(({agent_id: agent, role, status}) => [agent, role, status])).toEqual([
      ['planner-1', 'planner', 'running'],
      ['planner-1', 'planner', 'completed'],
      ['evaluator-1', 'evaluator', 'running'],
      ['evaluator-1', 'evaluator', 'completed'],
    ]);
    const listed = async (...args: readonly string[]): Promise<string[]> =>
      (await sharedFettle(at, ['sessions', 'list', ...args])).stdout
        .trimEnd()
        .split('\n')
        .map((line) => line.replace(/^\w+ +[\d-]+ [\d:]+ +/, ''));
    expect([await listed(), (await listed('--children')).toSorted()]).toEqual([
      ['success       Make it so.'],
      [
        'success       Make it so.',
        expect.stringMatching(`^success       \\[evaluator of ${id}\\] <task> Make it so`),
        `success       [planner of ${id}] <task> Make it so. </task>`,
      ],
    ]);
    const atif = JSON.parse((await sharedFettle(at, ['sessions', 'export', id, '--format', 'atif'])).stdout) as {
      subagent_trajectories: {steps: {source: string}[]}[];
    };
    expect([check(atif), atif.subagent_trajectories.map(({steps}) => steps.map(({source}) => source))]).toEqual([
      [],
      [
        ['system', 'user', 'agent', 'system', 'agent'],
        ['system', 'user', 'agent'],
      ],
    ]);
    const deleted = await sharedFettle(at, ['sessions', 'delete', id]);
    expect([deleted.stderr, (await sharedFettle(at, ['sessions', 'list', '--children', '--json'])).stdout]).toEqual([
      'Deleted, with 2 logs of subagents.\n',
      '[]\n',
    ]);
  });

  it('findings reach the task list and are worked off (VT Code lost them silently); a claimed pass with a high finding is none', async () => {
    const high = {severity: 'High', title: 'b.txt is wrong', detail: 'it must hold three'};
    const {end, harness, finished, sent} = await run([
      PLAN,
      ...BUILD,
      evaluation({findings: [high], required_tracker_updates: ['Say it in the readme']}),
      {text: 'I think it is fine.'},
      write('three\n'),
      tick('Write b.txt', 'b.txt is wrong: it must hold three', 'Say it in the readme'),
      {text: 'Done.'},
      evaluation(),
    ]);
    expect({end, harness}).toEqual({
      end: {code: 0, outcome: 'success', verified: true, evaluation: 'passed'},
      harness: [
        'planning_started',
        'planning_completed',
        ...VERIFIED,
        'evaluation_started',
        'evaluation_failed',
        'revision_started',
        'continuation_started',
        ...VERIFIED,
        'evaluation_started',
        'evaluation_passed',
      ],
    });
    expect(sent[5]?.at(-1)?.content).toBe(`The evaluation did not pass: It is there.
These items are in the task list now:
- [ ] b.txt is wrong: it must hold three
- [ ] Say it in the readme

Do them, update the list, verify, then answer again.`);
    const lists = itemsOf(eventsOf(finished), 'todo_list').map(({items}) =>
      (items as Row[]).map(({id, status}) => `${String(id)} ${String(status)}`),
    );
    expect(lists).toEqual([
      ['plan-1 pending'],
      ['plan-1 completed'],
      ['plan-1 completed', 'finding-1-1 pending', 'finding-1-2 pending'],
      ['plan-1 completed', 'finding-1-1 completed', 'finding-1-2 completed'],
    ]);
  });

  it('after the last round the run has failed: exit code 1, a handoff', async () => {
    const low = evaluation({scorecard: {...SCORES, functionality: 3}, summary: 'It does too little.'});
    const item = 'The evaluation failed (functionality 3/5): It does too little.';
    const {end, at, finished} = await run([PLAN, ...BUILD, low, write('2\n'), tick('Write b.txt', item), {text: 'Done.'}, low], {
      config: `${CONFIG}max_revision_rounds = 1\n`,
    });
    expect(end).toEqual({code: 1, outcome: 'failed', verified: true, evaluation: 'failed'});
    expect(finished.stderr).toContain('The evaluation did not pass, nor after 1 revision: It does too little.');
    expect(await artifact(at, finished, 'blocked')).toContain('\n# What blocks\n\nThe evaluation did not pass, nor after 1 revision');
  });

  it('JSON that does not fit is repaired once', async () => {
    const {end, harness, sent} = await run([
      {text: 'Sure! ```json\n{"spec_markdown": "x"'},
      PLAN,
      ...BUILD,
      {text: '{"verdict": "pass", "summary": "ok", "scorecard": {"functionality": 9}}'},
      evaluation(),
    ]);
    expect({end, skipped: harness.includes('evaluation_skipped')}).toEqual({
      end: {code: 0, outcome: 'success', verified: true, evaluation: 'passed'},
      skipped: false,
    });
    expect(sent[1]?.at(-1)?.content).toMatch(/^This does not fit: .+\. Answer again, with the one JSON object and nothing else\.$/);
    expect(sent[6]?.at(-1)?.content).toContain('scorecard.functionality');
  });

  it('malformed twice, the planner is done without, and the evaluator says nothing: never "passed", exit code 1 (design 1.4)', async () => {
    const junk = {text: 'I would rather talk about it.'};
    const {end, harness, at, finished} = await run([junk, {text: ''}, write('x'), tick('Make it so.'), {text: 'Done.'}, junk, junk]);
    expect({end, harness}).toEqual({
      end: {code: 1, outcome: 'failed', verified: 'none', evaluation: 'not_evaluated'},
      harness: ['planning_started', 'planning_completed', 'evaluation_started', 'evaluation_skipped', 'blocked_handoff_written'],
    });
    expect(await artifact(at, finished, 'spec')).toMatch(/^# Goal\n\nMake it so\.\n/);
    expect(await artifact(at, finished, 'evaluation')).toMatch(/^# Verdict\n\nnot evaluated\n/);
  });

  it('a planner whose provider fails is not a plan', async () => {
    const {end, harness} = await run([{status: 401}, write('x'), tick('Make it so.'), {text: 'Done.'}, evaluation()]);
    expect({end, begin: harness.slice(0, 2)}).toEqual({
      end: {code: 0, outcome: 'success', verified: 'none', evaluation: 'passed'},
      begin: ['planning_started', 'planning_completed'],
    });
  });

  it('the planner reads the folder before it plans, and can do nothing else (issue 14.7); the evaluator has no tools', async () => {
    const looks = [
      {name: 'read', arguments: {path: 'a.txt'}},
      {name: 'glob', arguments: {pattern: '*'}},
      {name: 'bash', arguments: {command: 'touch c.txt'}},
      {name: 'write', arguments: {path: 'c.txt', content: 'x'}},
      {name: 'read', arguments: {path: '.env'}},
    ];
    const {end, at, sent, server, finished} = await run([{toolCalls: looks}, PLAN, ...BUILD, evaluation()], {
      args: ['--deny', 'read:.env'],
    });
    expect(end).toEqual({code: 0, outcome: 'success', verified: true, evaluation: 'passed'});
    const tools = server.requests.map(({body}) =>
      ((body['tools'] ?? []) as {function: {name: string}}[]).map((tool) => tool.function.name),
    );
    expect([tools[0], tools.at(-1)]).toEqual([['read', 'glob', 'grep', 'ls'], []]);
    const results = sent[1]?.filter(({role}) => role === 'tool').map(({content}) => content.split('\n', 1)[0]);
    expect(results).toEqual([
      '1\tone',
      'a.txt',
      'Error: There is no tool "bash" here; several toolsets have one.',
      'Error: write may not be used here.',
      'Error: Denied: .env is denied by read:.env (--deny).',
    ]);
    expect((await readdir(at.work)).toSorted()).toEqual(['.fettle', 'a.txt', 'b.txt']);
    // In the log of the planner, and not in that of the thread.
    expect(itemsOf(eventsOf(finished), 'tool_invocation').map(({tool_name: name}) => name)).toEqual(['write', 'todo']);
    const planner = String(eventsOf(finished).find(({type}) => type === 'agent.status')?.['child_thread_id']);
    const log = (await sharedFettle(at, ['sessions', 'export', planner, '--format', 'jsonl'])).stdout.trimEnd().split('\n');
    const called = itemsOf(
      log.map((line) => (JSON.parse(line) as {event: Row}).event),
      'tool_invocation',
    ).map(({tool_name: name}) => name);
    expect(called).toEqual(looks.map(({name}) => name));
  });

  it('each role has its own model', async () => {
    const {server} = await run([PLAN, ...BUILD, evaluation()], {
      config: `${CONFIG}[harness.models]\nplanner = "test/model-p"\nevaluator = "test/model-e"\n`,
    });
    expect(server.requests.map(({body}) => body['model'])).toEqual(['model-p', 'model-1', 'model-1', 'model-1', 'model-e']);
  });

  it('a resumed session goes on with its plan; the artifacts are still there', async () => {
    const server = await modelServer([PLAN, {text: 'Done.'}, {text: 'Done!'}, ...BUILD, evaluation()]);
    const at = await place({}, `${server.config}${CONFIG}`);
    const first = await sharedFettle(at, ['exec', '--json', '--mode', 'accept-edits', 'Make it so.']);
    const id = String(eventsOf(first)[0]?.['thread_id']);
    const second = await fettle(at, ['exec', '--json', '--mode', 'accept-edits', '--resume', id, 'Go on.']);
    expect([summary(first).end, summary(second)]).toEqual([
      {code: 6, outcome: 'blocked', verified: false, evaluation: undefined},
      {
        end: {code: 0, outcome: 'success', verified: true, evaluation: 'passed'},
        harness: ['planning_completed', ...VERIFIED, 'evaluation_started', 'evaluation_passed'],
      },
    ]);
    expect(JSON.stringify(server.requests.at(-1)?.body)).toContain('b.txt holds two');
  });

  it('not in the mode plan, and not where continuation is off', async () => {
    expect((await run([{text: 'A plan.'}], {args: ['--mode', 'plan']})).harness).toEqual([]);
    expect((await run([{text: 'Done.'}], {config: `${CONFIG}continuation = "off"\n`})).harness).toEqual([]);
  });

  it('the limits of the run hold for the roles, too', async () => {
    const {end} = await run([PLAN, write('x')], {args: ['--max-turns', '2']});
    expect(end).toEqual({code: 4, outcome: 'turn_limit_reached', verified: false, evaluation: undefined});
  });
});
