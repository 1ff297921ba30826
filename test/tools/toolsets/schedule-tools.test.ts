import {describe, expect, it} from 'vitest';
import {estimateTokens} from '../../../src/context/compaction/estimate-tokens.ts';
import type {Mode} from '../../../src/policy/decision.ts';
import {createSessionSchedule} from '../../../src/schedule/session/session-schedule.ts';
import {toolSchemas} from '../../../src/tools/arguments/schema.ts';
import {loadToolsetByName} from '../../../src/tools/toolsets/load-toolset.ts';
import {SCHEDULE_TOOLS} from '../../../src/tools/toolsets/schedule-tools.ts';
import {manualClock} from '../../schedule/session/manual-clock.ts';
import {scratch} from '../../support/scratch.ts';
import {openToolset, type OpenedToolset} from '../support/open-toolset.ts';

/** A Monday, 10:00 in Berlin. */
const NOW = Date.parse('2026-11-23T10:00:00+01:00');

function sessionTasks() {
  let ids = 0;
  const newId = (): string => `0000000${(ids += 1)}`;
  return createSessionSchedule({onDue: () => undefined, clock: manualClock(NOW), timeZone: 'Europe/Berlin', newId});
}

async function openTools(mode: Mode = 'full-auto'): Promise<OpenedToolset & {readonly asked: string[]}> {
  const asked: string[] = [];
  const tools = await openToolset('fettle', await scratch({}), {
    context: {schedule: sessionTasks()},
    policy: () => ({mode, rules: [], fallback: 'ask'}),
    approve: async ({toolName}) => {
      asked.push(toolName);
      return {decision: 'deny'};
    },
  });
  return {...tools, asked};
}

describe('cron_create, cron_list, cron_delete (VT Code architecture › Scheduling)', () => {
  it('what a model reads', async () => {
    const tools = await openTools();
    const texts = [
      await tools.text('cron_list', {}),
      await tools.text('cron_create', {prompt: 'check the build', every: '7m'}),
      await tools.text('cron_create', {prompt: 'write the report', cron: '30 12 * * 1-5', name: 'report'}),
      await tools.text('cron_create', {prompt: 'run the tests', delay_minutes: 20}),
      await tools.text('CronCreate', {prompt: `review\n${'every file '.repeat(30)}`, run_at: 'tomorrow 9:15'}),
      await tools.text('cron_list', {}),
      await tools.text('cron_delete', {id: '00000002'}),
      await tools.text('cron_delete', {id: '00000002'}),
      await tools.text('cron_create', {prompt: 'x'}),
      await tools.text('cron_create', {prompt: 'x', every: '1h', delay_minutes: 5}),
      await tools.text('cron_create', {prompt: 'x', run_at: '15:00', delay_minutes: 5}),
      await tools.text('cron_create', {prompt: 'x', every: '3 days'}),
    ];
    expect(texts).toMatchInlineSnapshot(`
      [
        "Nothing is scheduled.",
        "Scheduled 00000001: every 6 minutes, next 2026-11-23 10:06. Every 7 minutes becomes every 6 minutes.",
        "Scheduled 00000002: 30 12 * * 1-5 Europe/Berlin, next 2026-11-23 12:30.",
        "Scheduled 00000003: once, next 2026-11-23 10:20.",
        "Scheduled 00000004: once, next 2026-11-24 09:15.",
        "00000001  every 6 minutes, next 2026-11-23 10:06: check the build
      00000003  once, next 2026-11-23 10:20: run the tests
      00000002  30 12 * * 1-5 Europe/Berlin, next 2026-11-23 12:30: write the report
      00000004  once, next 2026-11-24 09:15: review every file every file every file every file every file every file every file every file every file every file eve…",
        "Cancelled 00000002: report",
        "Error: There is no scheduled task "00000002" in this session.
      List the scheduled tasks to see their ids.",
        "Error: A task needs exactly one of an interval, a cron expression and a moment.
      Give one: every "10m", cron "0 9 * * 1-5" or at "15:00".",
        "Error: A task needs exactly one of an interval, a cron expression and a moment.
      Give one: every "10m", cron "0 9 * * 1-5" or at "15:00".",
        "Error: "in 5 minutes 15:00" is not a date or time that Fettle understands.
      Examples: "15:00", "in 20 minutes", "tomorrow 9:00", "friday 9:00", "2026-12-01 09:00", "2026-12-01T09:00:00+01:00".",
        "Error: A task of a session repeats at least once a day.
      For longer intervals add a durable job: fettle schedule add --every … --prompt …",
      ]
    `);
  });

  it.each<[Mode, readonly string[], string]>([
    ['ask', ['cron_create', 'cron_delete'], 'asks'],
    ['accept-edits', ['cron_create', 'cron_delete'], 'asks'],
    ['plan', [], 'denies'],
    ['full-auto', [], 'allows'],
  ])('the mode %s %s', async (mode, expected) => {
    const tools = await openTools(mode);
    const results = [
      await tools.call('cron_create', {prompt: 'check', every: '10m'}),
      await tools.call('cron_delete', {id: '00000001'}),
      await tools.call('cron_list', {}),
    ];
    const ends = mode === 'full-auto' ? 'success' : 'denied';
    expect([tools.asked, results.map(({outcome}) => outcome)]).toEqual([expected, [ends, ends, 'success']]);
  });

  it('a rule for "schedule" means all three', async () => {
    const tools = await openToolset('fettle', await scratch({}), {
      context: {schedule: sessionTasks()},
      policy: () => ({mode: 'full-auto', rules: [{text: 'schedule', effect: 'deny', source: 'test'}], fallback: 'ask'}),
    });
    const calls = [
      ['cron_create', {prompt: 'x', every: '1h'}],
      ['cron_list', {}],
      ['cron_delete', {id: '00000001'}],
    ] as const;
    const outcomes: string[] = [];
    for (const [name, args] of calls) outcomes.push((await tools.call(name, args)).outcome);
    expect(outcomes).toEqual(['denied', 'denied', 'denied']);
  });

  it('a run that ends with its answer has none of them: they are not found, and a call says why', async () => {
    const tools = await openToolset('fettle', await scratch({}));
    expect(await tools.text('tool_search', {query: 'cron_create schedule'})).not.toContain('cron');
    expect(await tools.text('cron_create', {prompt: 'x', every: '1h'})).toBe(
      'Error: This run ends with its answer: nothing can be scheduled in it.\nTell the user to add a durable job: fettle schedule add --help',
    );
  });

  it('are found where there is a schedule, and cost the first request nothing', async () => {
    const {tools: shown} = await loadToolsetByName('fettle');
    const found = await openToolset('fettle', await scratch({}), {
      context: {schedule: sessionTasks(), capabilities: new Set(['schedule' as const])},
    });
    expect(shown.filter(({requires}) => requires === 'schedule')).toEqual([]);
    expect(await found.text('tool_search', {query: 'remind me every hour'})).toContain('cron_create');
    expect(estimateTokens(JSON.stringify(toolSchemas({tools: SCHEDULE_TOOLS})))).toBeLessThan(420);
  });

  it('toolset vtcode runs them, too', async () => {
    const tools = await openToolset('vtcode', await scratch({}), {context: {schedule: sessionTasks()}});
    expect(await tools.text('cron_create', {prompt: 'check', every: '10m'})).toBe(
      'Scheduled 00000001: every 10 minutes, next 2026-11-23 10:10.',
    );
  });
});
