import {appendFile, readFile} from 'node:fs/promises';
import {describe, expect, it, onTestFinished} from 'vitest';
import {loadSettings, withModel} from '../../../src/sdk/settings/load-settings.ts';
import {openThread} from '../../../src/sdk/thread/open-thread.ts';
import type {ThreadEvent} from '../../../src/protocol/events.ts';
import {encodeLine} from '../../../src/sessions/log-line.ts';
import {startModelServer} from '../../../src/testing/index.ts';
import type {AskUser} from '../../../src/tools/ports/user-questions.ts';
import {scratch} from '../../support/scratch.ts';

const accept: AskUser = async (questions) => ({
  answers: questions.map(({question, options}) => ({question, answer: options[0]?.label ?? '', isOther: false})),
  cancelled: false,
});

interface Again {
  readonly flags?: Record<string, string>;
  readonly env?: Record<string, string>;
  /** The conversation of the first run is shortened away before the second one. */
  readonly forget?: boolean;
}

/** The same session twice: a plan is accepted in the first run, the second one writes. What was told, and what came of the call. */
async function twoRuns(again: Again): Promise<Runs> {
  const server = await startModelServer([
    {toolCalls: [{name: 'exit_plan_mode', arguments: {plan: 'Write b.'}}]},
    {text: 'Accepted.'},
    {toolCalls: [{name: 'write', arguments: {path: 'b.txt', content: 'b\n'}}]},
    {text: 'Done.'},
  ]);
  onTestFinished(() => server.close());
  const [cwd, home] = [await scratch(), await scratch({'config.toml': 'mode = "plan"\n[sandbox]\nprofile = "off"\n'})];
  const events: ThreadEvent[] = [];
  for (const [index, more] of [{}, again].entries()) {
    const env = {
      PATH: process.env['PATH'],
      HOME: home,
      FETTLE_HOME: home,
      FETTLE_MODEL: 'ollama/m',
      OLLAMA_BASE_URL: server.url,
      ...more.env,
    };
    const session = withModel(await loadSettings({cwd, env, home, flags: {...more.flags}}));
    const resume = index === 0 ? undefined : 'latest';
    const thread = await openThread(
      {session, askUser: accept, resume, onEvent: (event) => void events.push(event)},
      new AbortController().signal,
    );
    await thread.close(await thread.run('go', new AbortController().signal));
    if (again.forget === true) await forget(thread.sessionFile);
  }
  expect(server.violations).toEqual([]);
  const told = events.flatMap((event) => {
    if (event.type === 'mode.changed') return [`${event.from} → ${event.to}`];
    return event.type === 'item.completed' && event.item.type === 'tool_output'
      ? [`${event.item.tool_name} ${event.item.is_error ? 'denied' : 'done'}`]
      : [];
  });
  return {told, sent: server.requests.map(({body}) => body['messages'] as Runs['sent'][number])};
}

/** As a compaction leaves a session. */
async function forget(file: string): Promise<void> {
  const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
  const counts = {original_message_count: 6, compacted_message_count: 1};
  const event = {type: 'thread.compact_boundary', thread_id: 'thr_1', trigger: 'manual', mode: 'mechanical', ...counts} as const;
  const messages = [{role: 'user' as const, text: 'What was before.'}];
  await appendFile(file, encodeLine({v: 1, seq: lines.length + 1, ts: new Date().toISOString(), turn: 1, event: {...event, messages}}));
}

interface Runs {
  readonly told: readonly string[];
  /** The messages of each request, the system prompt first. */
  readonly sent: readonly (readonly {readonly role: string; readonly content: string}[])[];
}

const isOfPlan = ({content}: {readonly content: string}): boolean => typeof content === 'string' && content.startsWith('Mode plan:');

describe('the mode of a thread (issue › plan mode: kept on resume)', () => {
  it('is told when a plan is accepted, and is the same when the session goes on', async () => {
    expect((await twoRuns({})).told).toEqual(['plan → accept-edits', 'exit_plan_mode done', 'write done']);
  });

  it('what the mode plan means is said behind the first prompt, once: the system prompt is the same before and after the plan is accepted', async () => {
    const {sent} = await twoRuns({});
    expect(new Set(sent.map(([system]) => system?.content)).size).toBe(1);
    expect(sent.map((messages) => messages.flatMap((message, at) => (isOfPlan(message) ? [at] : [])))).toEqual([[2], [2], [2], [2]]);
    expect(sent[0]?.[2]?.content.replace(/thr_\w+/, 'ID')).toMatchInlineSnapshot(`
      "Mode plan: look and plan; changes are denied until the user accepts a plan. Commands that only look run.
      Keep the plan in .fettle/tasks/ID/plan.md, the one file you may write: what is to be reached, then numbered steps such as
      1. Parse the header -> files: src/header.ts -> verify: npm test -- header
      When it is ready, call exit_plan_mode; without that tool give it as your answer."
    `);
    expect(sent[0]?.[0]?.content).not.toContain('exit_plan_mode');
  });

  it.each([
    ['a flag', {flags: {'--mode': 'plan'}}],
    ['a variable', {env: {FETTLE_MODE: 'plan'}}],
  ])('%s of the run that goes on counts more', async (_, again) => {
    expect((await twoRuns(again)).told).toEqual(['plan → accept-edits', 'exit_plan_mode done', 'write denied']);
  });

  it('a session that goes on with an accepted plan is not told of the mode, though the settings say plan; one that is asked for plan is', async () => {
    const restarted = async (again: Parameters<typeof twoRuns>[0]): Promise<number[]> =>
      (await twoRuns({...again, forget: true})).sent.map((messages) => messages.filter(isOfPlan).length);
    expect([await restarted({}), await restarted({flags: {'--mode': 'plan'}})]).toEqual([
      [1, 1, 0, 0],
      [1, 1, 1, 1],
    ]);
  });
});
