import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {realScreen, type RealScreen} from './screen-support.ts';
import {modelServer, place} from './support.ts';

const PLAN = '# Move it\n\n1. Cut `a.txt`\n2. Paste\n';
const PROPOSED = {toolCalls: [{name: 'exit_plan_mode', arguments: {plan: PLAN}}]};
const DOWN = '\x1b[B';

/** The plan with its second line chosen: a key counts once the plan has stood there for a while, and is pressed until it does. */
async function answerable(screen: RealScreen): Promise<void> {
  await screen.shows('Tab answers');
  await expect
    .poll(
      () => {
        if (!screen.screen().includes('▸ 2. Paste')) screen.type('G');
        return screen.screen();
      },
      {interval: 600, timeout: 20_000},
    )
    .toMatch('▸ 2. Paste');
}

/** What the model was told of its plan in the last request. */
function told(requests: readonly {readonly body: unknown}[]): string {
  const {messages} = (requests.at(-1)?.body ?? {messages: []}) as {messages: {role: string; content: string}[]};
  return messages.findLast(({role}) => role === 'tool')?.content ?? '';
}

describe('a plan on the screen', () => {
  it.each([
    [
      'sent back with a comment',
      ['\r', 'comment:', 'Use a zip.', 'comment: Use a zip.', '\r', '└ Use a zip.', '\t', '▸ Send back with 1 comment', '\r'],
      'plan',
      'The plan is not accepted: keep planning. They commented on it:\n\nOn line 4:\n> 2. Paste\nUse a zip.',
    ],
    [
      'accepted with a comment',
      ['\r', 'comment:', 'Use a zip.', 'comment: Use a zip.', '\r', '└ Use a zip.', '\t\x1b[A', '▸ Yes, ask me, with 1 comment', '\r'],
      'ask',
      'The user accepted the plan. The mode is ask now: carry it out as they commented. Its 2 steps are the task list now: keep it up to date.\n\nOn line 4:\n> 2. Paste\nUse a zip.',
    ],
    [
      'accepted',
      ['\t', '▸ Yes, accept edits', '\r'],
      'accept-edits',
      'The user accepted the plan. The mode is accept-edits now: carry it out. Its 2 steps are the task list now: keep it up to date.',
    ],
    ['left as it is', ['\x1b'], 'plan', 'The plan is not accepted: keep planning. Change nothing yet.'],
    ['kept', [`\t${DOWN}${DOWN}`, '▸ Keep planning', '\r'], 'plan', 'The plan is not accepted: keep planning. Change nothing yet.'],
  ])('%s', async (_, steps, mode, text) => {
    const server = await modelServer([PROPOSED, {text: 'Understood.'}]);
    const at = await place({'a.txt': 'a\n'}, server.config);
    const screen = realScreen(at, {args: ['--mode', 'plan', 'plan it']});
    await answerable(screen);
    for (const [index, step] of steps.entries()) await (index % 2 === 0 ? screen.type(step) : screen.shows(step));
    await screen.shows('Understood.');
    await screen.shows(new RegExp(`^${mode} · `, 'm'));
    // What came too soon for the plan stands on the line.
    screen.type('\x15\x04');
    const code = await screen.ended;
    const [, file = ''] = /Keep the plan in (\S+), the one/.exec(JSON.stringify(server.requests[0]?.body)) ?? [];
    expect({code, told: told(server.requests), plan: await readFile(join(at.work, file), 'utf8')}).toEqual({
      code: 0,
      told: text,
      plan: PLAN,
    });
  });

  it('in plain lines the plan is a question, as ever', async () => {
    const server = await modelServer([PROPOSED, {text: 'Understood.'}]);
    const at = await place({'a.txt': 'a\n'}, server.config);
    const screen = realScreen(at, {args: ['--surface', 'lines', '--mode', 'plan', 'plan it']});
    await screen.shows('A number, or your own answer:');
    screen.type('2\r');
    await screen.shows('Understood.');
    expect(told(server.requests)).toMatch(/^The user accepted the plan\. The mode is ask now: carry it out\./);
  });
});
