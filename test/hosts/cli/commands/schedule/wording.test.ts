import {describe, expect, it} from 'vitest';
import {rightsLine, rightsLines} from '../../../../../src/hosts/cli/commands/schedule/describe-rights.ts';
import {runLine, statusText, STATUS_WORDS} from '../../../../../src/hosts/cli/commands/schedule/describe-run.ts';
import {distanceText} from '../../../../../src/hosts/cli/commands/schedule/moment-text.ts';
import {jobJson, runJson} from '../../../../../src/hosts/cli/commands/schedule/schedule-json.ts';
import {timingOf} from '../../../../../src/hosts/cli/commands/schedule/timing-of.ts';
import {waitingText} from '../../../../../src/hosts/cli/commands/schedule/known-project.ts';
import type {RunRecord} from '../../../../../src/schedule/store/run-record.ts';
import {aJob} from '../../../../schedule/jobs/a-job.ts';

const RUN: RunRecord = {
  id: 12,
  job: 'a',
  due: 0,
  trigger: 'due',
  status: 'failed',
  note: 'the tests fail',
  startedAt: 1000,
  endedAt: 41_400,
};

describe('fettle schedule › words', () => {
  it.each([
    [0, 'now'],
    [999, 'now'],
    [1000, 'in 1 s'],
    [119_000, 'in 119 s'],
    [-120_000, '2 min ago'],
    [-7_199_000, '119 min ago'],
    [7_200_000, 'in 2 h'],
    [172_799_000, 'in 47 h'],
    [172_800_000, 'in 2 d'],
    [-30 * 86_400_000, '30 d ago'],
  ])('%i ms: %s', (ms, text) => {
    expect(distanceText(ms)).toBe(text);
  });

  it.each([
    [RUN, 'failed in 40 s: the tests fail'],
    [{...RUN, note: undefined, endedAt: 1000 + 119_400}, 'failed in 119 s'],
    [{...RUN, note: undefined, endedAt: 1000 + 600_000}, 'failed in 10 min'],
    [{...RUN, note: undefined, endedAt: 1000 + 9_000_000}, 'failed in 2.5 h'],
    [{...RUN, status: 'skipped', startedAt: undefined}, 'left out: the tests fail'],
    [{...RUN, status: 'running', note: undefined, endedAt: undefined}, 'running'],
  ] as const)('%j: %s', (run, text) => {
    expect(statusText(run)).toBe(text);
  });

  it('a run says how it came about', () => {
    const lines = (['due', 'missed', 'hand'] as const).map((trigger) =>
      runLine({...RUN, trigger}, 0).replace(/\d{4}-.*?\d\d:\d\d/, '<time>'),
    );
    expect(lines).toEqual([
      '  12  <time> (now)  failed in 40 s: the tests fail',
      '  12  <time> (now), missed  failed in 40 s: the tests fail',
      '  12  <time> (now), by hand  failed in 40 s: the tests fail',
    ]);
  });

  it('no two statuses have the same words', () => {
    expect(new Set(Object.values(STATUS_WORDS)).size).toBe(Object.keys(STATUS_WORDS).length);
  });

  it('rights are explained', () => {
    const {rights} = aJob();
    expect(rightsLine(rights)).toBe(
      'mode accept-edits, sandbox workspace-write, 1 allow rule, 1 host, verified by `npm test`, openai/gpt-6.2-sol',
    );
    expect(rightsLines({...rights, allow: ['bash:a', 'bash:b'], ask: ['bash:c'], model: undefined}).join('\n')).toMatchInlineSnapshot(`
      "mode      accept-edits: reads and edits in the workspace; commands need an allow rule
      sandbox   workspace-write: commands write in the workspace alone
      allow     bash:a
                bash:b
      ask       bash:c  (nobody is there to ask: denied)
      deny      bash:npm publish *
      hosts     registry.npmjs.org
      verify    npm test
      model     the configured one, toolset fettle
      limits    50 requests, 1000000 tokens, 0.5 US dollars, 1800 s"
    `);
  });

  it('programs get moments in RFC 3339', () => {
    expect([runJson(RUN), jobJson(aJob({timing: {kind: 'every', seconds: 60, anchor: 0}}))]).toMatchObject([
      {id: 12, due: '1970-01-01T00:00:00.000Z', startedAt: '1970-01-01T00:00:01.000Z', endedAt: '1970-01-01T00:00:41.400Z'},
      {createdAt: '2026-11-23T05:50:00.123Z', timing: {kind: 'every', seconds: 60, anchor: '1970-01-01T00:00:00.000Z'}},
    ]);
  });

  it('a project that waits says why', () => {
    expect([
      waitingText({project: undefined}, []),
      waitingText({project: 'x'}, []),
      waitingText({project: 'x'}, ['a is new', 'b is changed', 'c is gone', 'd is new']),
    ]).toEqual([
      'Nobody has accepted the project yet.',
      'The project changed since you accepted it.',
      'The project changed since you accepted it: a is new, b is changed, c is gone, 1 further change.',
    ]);
  });
});

describe('fettle schedule add › times', () => {
  const clock = {now: Date.parse('2026-11-23T12:00:00Z'), timeZone: 'Europe/Berlin'};

  it.each([
    [{every: '2h'}, {kind: 'every', seconds: 7200, anchor: clock.now}],
    [{cron: '0 7 * * 1-5'}, {kind: 'cron', expression: '0 7 * * 1-5', timeZone: 'Europe/Berlin'}],
    [{at: '15:00'}, {kind: 'at', at: Date.parse('2026-11-23T14:00:00Z')}],
    [{at: 'tomorrow 9:00'}, {kind: 'at', at: Date.parse('2026-11-24T08:00:00Z')}],
  ])('%j', (options, timing) => {
    expect(timingOf(options, clock)).toEqual(timing);
  });

  it.each([{}, {every: '2h', at: '15:00'}, {every: '59s'}, {every: 'often'}, {cron: 'x'}, {at: 'x'}])('%j is a usage error', (options) => {
    expect(() => timingOf(options, clock)).toThrow(expect.objectContaining({code: 'USAGE'}));
  });
});
