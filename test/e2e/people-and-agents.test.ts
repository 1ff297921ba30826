import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import type {ModelScript} from '../../src/testing/index.ts';
import {check} from '../checks/atif-check.mjs';
import {eventsOf, fettle, finished, modelServer, place, start, type Finished} from './support.ts';

/** Runs one task under the toolset that has tools for people and agents. */
async function run(
  script: ModelScript,
  {args = [], files = {}, config = ''}: {args?: string[]; files?: Record<string, string>; config?: string} = {},
) {
  const server = await modelServer(script);
  const at = await place(files, `${server.config}${config}`);
  return {finished: await fettle(at, ['exec', '--toolset', 'vibe', '--json', ...args, 'Do it.']), server, at};
}

type Item = Record<string, unknown>;

function itemsOf(finished: Finished, type: string): Item[] {
  return eventsOf(finished)
    .filter((event) => event['type'] === 'item.completed')
    .map((event) => event['item'] as Item)
    .filter((item) => item['type'] === type);
}

const outputs = (finished: Finished): unknown[] => itemsOf(finished, 'tool_output').map(({tool_name: name, output}) => [name, output]);
const TASK = {toolCalls: [{name: 'task', arguments: {task: 'Find the needle.'}}]};
const SEARCH = {toolCalls: [{name: 'grep', arguments: {pattern: 'needle'}}]};
const FILES = {'hay.txt': 'straw\nneedle\n'};

describe('vibe tool system › Task Tool: a task given to explore', () => {
  it('runs on the same loop, and all that it uses counts for the turn and the session', async () => {
    const script = [TASK, SEARCH, {text: 'hay.txt:2'}, {text: 'Found it.'}];
    const {finished, server, at} = await run(script, {files: FILES});
    expect({code: finished.code, violations: server.violations}).toEqual({code: 0, violations: []});
    expect(outputs(finished)).toEqual([['task', 'response: hay.txt:2\nturns_used: 2\ncompleted: true']]);
    const events = eventsOf(finished);
    expect(events.filter(({type}) => type === 'request.completed').map(({agent}) => agent)).toEqual([
      undefined,
      'explore',
      'explore',
      undefined,
    ]);
    const spent = {input_tokens: 400, output_tokens: 80};
    expect(events.find(({type}) => type === 'turn.completed')).toMatchObject({num_requests: 4, usage: spent});
    expect(events.at(-1)).toMatchObject({type: 'thread.completed', usage: spent});
    expect(events.filter(({stream}) => stream === 'progress').map(({delta}) => delta)).toEqual(['grep: 1 match\n']);
    expect(itemsOf(finished, 'harness').map(({message}) => message)).toEqual(['explore: 2 requests, 1 call, 200 tokens in, 40 out']);
    const exported = await fettle(at, ['sessions', 'export', String(events[0]?.['thread_id']), '--format', 'atif']);
    expect(check(JSON.parse(exported.stdout))).toEqual([]);
    // The totals are those of the steps that are there; the task has a trajectory of its own.
    expect(JSON.parse(exported.stdout)).toMatchObject({
      final_metrics: {total_prompt_tokens: 200, extra: {with_subagents: {num_requests: 4, prompt_tokens: 400, completion_tokens: 80}}},
      subagent_trajectories: [{final_metrics: {total_prompt_tokens: 200, extra: {num_requests: 2, outcome: 'success'}}}],
    });
  });

  it('on stderr its steps are lines', async () => {
    const server = await modelServer([TASK, SEARCH, {text: 'hay.txt:2'}, {text: 'Found it.'}]);
    const at = await place(FILES, server.config);
    const {code, stdout, stderr} = await fettle(at, ['exec', '--toolset', 'vibe', 'Do it.']);
    expect({code, stdout}).toEqual({code: 0, stdout: 'Found it.\n'});
    expect(stderr).toContain('  grep: 1 match\nexplore: 2 requests, 1 call, 200 tokens in, 40 out\n  2 turns\n');
  });

  it('cannot go beyond the limits of the run that started it', async () => {
    const {finished} = await run([TASK, SEARCH, SEARCH, {text: 'never'}], {files: FILES, args: ['--max-turns', '3']});
    expect({code: finished.code, requests: eventsOf(finished).filter(({type}) => type === 'request.completed').length}).toEqual({
      code: 4,
      requests: 3,
    });
    expect(outputs(finished)).toEqual([
      ['task', 'response: [The subagent stopped: The limit of 3 turns is reached.]\nturns_used: 2\ncompleted: false'],
    ]);
    expect(eventsOf(finished).find(({type}) => type === 'turn.failed')).toMatchObject({
      outcome_code: 'turn_limit_reached',
      num_requests: 3,
    });
  });

  it('what it is denied is denied to the run: exit code 3, and the rule is named', async () => {
    const secret = {toolCalls: [{name: 'read_file', arguments: {path: 'key.pem'}}]};
    const {finished} = await run([TASK, secret, {text: 'I may not.'}, {text: 'It is not allowed.'}], {
      files: {'key.pem': 'x'},
      args: ['--deny', 'read:*.pem'],
    });
    expect(finished.code).toBe(3);
    expect(outputs(finished)).toEqual([
      ['task', 'response: I may not.\n\n[A call was denied: read_file.]\nturns_used: 2\ncompleted: false'],
    ]);
    expect(eventsOf(finished).filter(({type}) => type === 'permission.resolved')).toMatchObject([
      {agent: 'explore', tool_name: 'read_file', decision: 'deny', rule: 'read:*.pem'},
    ]);
  });

  it('Ctrl-C cancels the subagent with the run: exit code 130, and the log ends as it should', async () => {
    const asked = Promise.withResolvers<void>();
    const server = await modelServer([TASK, SEARCH, () => (asked.resolve(), {text: 'slow', stallAfter: 1})]);
    const at = await place(FILES, server.config);
    const child = start(at, ['exec', '--toolset', 'vibe', '--json', 'Do it.']);
    const end = finished(child);
    await asked.promise;
    child.kill('SIGINT');
    const result = await end;
    expect({code: result.code, violations: server.violations}).toEqual({code: 130, violations: []});
    expect(itemsOf(result, 'tool_invocation')).toMatchObject([{tool_name: 'task', outcome: 'cancelled'}]);
    // That the subagent is closed is said when it is: at the latest before the thread ends.
    const [failed, completed] = eventsOf(result)
      .filter(({type}) => type !== 'agent.status')
      .slice(-2);
    expect(failed).toMatchObject({type: 'turn.failed', outcome_code: 'cancelled', num_requests: 2});
    expect(completed).toMatchObject({type: 'thread.completed', outcome_code: 'cancelled'});
  });

  it('two tasks of one reply are worked on at the same time', async () => {
    const both = Promise.withResolvers<void>();
    let waiting = 0;
    const meet = async () => {
      waiting += 1;
      if (waiting === 2) both.resolve();
      await both.promise;
      return {text: `answer ${waiting}`};
    };
    const tasks = ['one', 'two'].map((task) => ({name: 'task', arguments: {task}}));
    const {finished: ended} = await run([{toolCalls: tasks}, meet, meet, {text: 'Both.'}]);
    expect({code: ended.code, outputs: outputs(ended).length, requests: waiting}).toEqual({code: 0, outputs: 2, requests: 2});
  });

  it('"only AgentType.SUBAGENT profiles allowed"', async () => {
    const main = {toolCalls: [{name: 'task', arguments: {task: 'All of it.', agent: 'default'}}]};
    const {finished, server} = await run([main, {text: 'I see.'}]);
    expect(server.violations).toEqual([]);
    const [[, output = ''] = []] = outputs(finished) as string[][];
    expect(output).toContain('default is not a subagent');
    expect(output).toContain('Subagents: explore, worker, reviewer.');
  });
});

describe('vibe tool system › Todo Tool', () => {
  const todos = [
    {id: '1', content: 'Look', status: 'completed', priority: 'medium'},
    {id: '2', content: 'Mend', status: 'in_progress', priority: 'high'},
  ];
  const write = {toolCalls: [{name: 'todo', arguments: {action: 'write', todos}}]};
  const read = {toolCalls: [{name: 'todo', arguments: {action: 'read'}}]};

  it('the list is an item of the events, a line for people, and survives --resume', async () => {
    const server = await modelServer([write, {text: 'Planned.'}, read, {text: 'Two items.'}]);
    // Else a run that leaves the list open is not over (test/e2e/continuation.test.ts).
    const at = await place({}, `${server.config}[harness]\ncontinuation = "off"\n`);
    const first = await fettle(at, ['exec', '--toolset', 'vibe', 'Plan it.']);
    expect({code: first.code, line: first.stderr.includes('  todo 1/2 · Mend\n')}).toEqual({code: 0, line: true});
    const again = await fettle(at, ['exec', '--toolset', 'vibe', '--json', '--last', 'What is left?']);
    expect(again.code).toBe(0);
    const [[, output = ''] = []] = outputs(again) as string[][];
    expect(output).toContain('Retrieved 2 todos');
    expect(output).toContain('Mend');
    expect(output).toContain('total_count: 2');
  });

  it('101 items are refused, and the list stays', async () => {
    const many = Array.from({length: 101}, (_, index) => ({id: String(index), content: 'x'}));
    const {finished} = await run([write, {toolCalls: [{name: 'todo', arguments: {action: 'write', todos: many}}]}, read, {text: 'Well.'}]);
    const texts = outputs(finished).map((output) => (output as string[])[1]);
    expect(texts[1]).toContain('101 items');
    expect(texts[2]).toContain('total_count: 2');
    expect(itemsOf(finished, 'todo_list').map(({items}) => items)).toEqual([todos]);
  });
});

describe('vibe tool system › Ask User Question Tool', () => {
  it('"Requires interactive UI": headless the model is told that nobody is there, and the run goes on', async () => {
    const questions = [{question: 'Which?', header: 'Which', options: [{label: 'a'}, {label: 'b'}]}];
    const {finished, server} = await run([{toolCalls: [{name: 'ask_user_question', arguments: {questions}}]}, {text: 'I took a.'}]);
    expect({code: finished.code, violations: server.violations}).toEqual({code: 0, violations: []});
    const [[, output = ''] = []] = outputs(finished) as string[][];
    expect(output).toContain('Nobody is here to answer questions.');
    expect(output).toContain('Decide yourself');
    // Nor is it shown the tool.
    expect(JSON.stringify(server.requests[0]?.body['tools'])).not.toContain('ask_user_question');
    expect(itemsOf(finished, 'tool_invocation')).toMatchObject([{status: 'failed', outcome: 'error'}]);
  });
});

describe('zblade tool calls › Editor and UI Interaction Tools, without a front end', () => {
  it('the calls of one reply act on one editor, in order; the file is written as it is stored, and front ends are told', async () => {
    const calls: [string, Record<string, string | number>][] = [
      ['open_file', {path: 'a.txt'}],
      ['goto_line', {line: 2}],
      ['insert_at_cursor', {content: 'new\n'}],
      ['get_editor_state', {}],
    ];
    const server = await modelServer([{toolCalls: calls.map(([name, input]) => ({name, arguments: input}))}, {text: 'Inserted.'}]);
    const at = await place({'a.txt': 'one\r\ntwo\r\n'}, server.config);
    const finished = await fettle(at, ['exec', '--toolset', 'blade', '--mode', 'accept-edits', '--json', 'Insert it.']);
    expect({code: finished.code, file: await readFile(join(at.work, 'a.txt'), 'utf8')}).toEqual({code: 0, file: 'one\r\nnew\r\ntwo\r\n'});
    expect(itemsOf(finished, 'editor_action').map(({action, path, line, content}) => [action, path ?? line, content])).toEqual([
      ['open_file', 'a.txt', undefined],
      ['goto_line', 2, undefined],
      ['insert_at_cursor', 'a.txt', 'new\n'],
    ]);
    expect(JSON.parse(String((outputs(finished).at(-1) as string[])[1]))).toEqual({
      active_file: 'a.txt',
      open_files: ['a.txt'],
      active_tab_index: 0,
      cursor_line: 3,
      cursor_column: 1,
      selection_start_line: null,
      selection_end_line: null,
    });
  });
});
