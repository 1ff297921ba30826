import {describe, expect, it, onTestFinished} from 'vitest';
import {loadSettings, withModel} from '../../src/sdk/load-settings.ts';
import {openThread} from '../../src/sdk/open-thread.ts';
import type {ThreadEvent} from '../../src/protocol/events.ts';
import {startModelServer} from '../../src/testing/index.ts';
import type {AskUser} from '../../src/tools/user-questions.ts';
import {scratch} from '../support/scratch.ts';

const accept: AskUser = async (questions) => ({
  answers: questions.map(({question, options}) => ({question, answer: options[0]?.label ?? '', isOther: false})),
  cancelled: false,
});

/** The same session twice: a plan is accepted in the first run, the second one writes. What was told, and what came of the call. */
async function twoRuns(again: {flags?: Record<string, string>; env?: Record<string, string>}): Promise<unknown[]> {
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
  }
  expect(server.violations).toEqual([]);
  return events.flatMap((event) => {
    if (event.type === 'mode.changed') return [`${event.from} → ${event.to}`];
    return event.type === 'item.completed' && event.item.type === 'tool_output'
      ? [`${event.item.tool_name} ${event.item.is_error ? 'denied' : 'done'}`]
      : [];
  });
}

describe('the mode of a thread (issue › plan mode: kept on resume)', () => {
  it('is told when a plan is accepted, and is the same when the session goes on', async () => {
    expect(await twoRuns({})).toEqual(['plan → accept-edits', 'exit_plan_mode done', 'write done']);
  });

  it.each([
    ['a flag', {flags: {'--mode': 'plan'}}],
    ['a variable', {env: {FETTLE_MODE: 'plan'}}],
  ])('%s of the run that goes on counts more', async (_, again) => {
    expect(await twoRuns(again)).toEqual(['plan → accept-edits', 'exit_plan_mode done', 'write denied']);
  });
});
