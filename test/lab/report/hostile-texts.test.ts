import {describe, expect, it} from 'vitest';
import {eventLine} from '../../../src/hosts/cli/commands/lab/show-progress.ts';
import {makeReport} from '../../../src/lab/report/make-report.ts';
import {reportPage} from '../../../src/lab/report/page/report-page.ts';
import {showRollout} from '../../../src/lab/report/show/show-rollout.ts';
import {reportText} from '../../../src/lab/report/text/report-text.ts';
import type {RolloutResult} from '../../../src/lab/rollout/rollout.ts';
import {session, sessionLog, storeOf} from '../export/logs.ts';
import {result, runOf} from './results.ts';

/** Issue 19: suites and results of others. It takes a terminal's title, hides what follows, reverses text, begins a line and a tag. */
const EVIL = '\u001b]0;title\u0007\u001b[8mhid\u009b2J\u202eden\r\nforged line <img src=x onerror=alert(1)> "\'&';
/** What steers a terminal; line feeds and tabs do not. */
// oxlint-disable-next-line no-control-regex -- these are what is looked for
const STEERS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

const evil: RolloutResult = result({
  key: {run: 'night', task: EVIL, model: EVIL, toolset: EVIL},
  outcome: 'failed',
  note: EVIL,
  rewards: {[EVIL]: 0.5},
  steps: [
    {name: EVIL, reward: 0},
    {name: 'b', reward: 0},
  ],
  artifacts: {
    'session.jsonl': 'log',
    'verify.txt': 'evil',
    'diff.patch': 'evil',
    'last-message.txt': 'evil',
    [`${EVIL}/verify.txt`]: 'evil',
  },
  version: EVIL,
});
const read = storeOf({log: sessionLog(session(EVIL, {prompt: EVIL, cwd: '/tmp/x'})), evil: EVIL});
const run = {
  ...runOf([evil, result({...evil, key: {...evil.key, attempt: 2}, outcome: 'infrastructure'})]),
  suiteName: EVIL,
  tasks: [{id: EVIL, labels: {language: EVIL, [EVIL]: EVIL}, prompt: EVIL}],
  notRun: [{id: EVIL, reason: EVIL}],
};

describe('texts of others', () => {
  it('steer no terminal, and begin no line of their own in tables and events', async () => {
    const events = (['accepted', 'retried', 'parked'] as const).map((is) => eventLine({is, result: evil, isFirst: true, afterMs: 1}) ?? '');
    const away = eventLine({is: 'unreachable', reason: EVIL}) ?? '';
    const report = reportText(makeReport(run));
    const shown = await showRollout({result: evil, read}, new AbortController().signal);
    for (const text of [...events, away, report, shown]) expect(STEERS.exec(text)).toBe(null);
    for (const text of [...events, away]) expect(text).not.toContain('\n');
    expect(report.split('\n').filter((line) => line.startsWith('forged'))).toEqual([]);
    expect(report).toContain('forged line');
  });

  it('are text in the page', () => {
    const html = reportPage(makeReport(run), run, () => undefined);
    expect([html.includes('<img'), html.includes('&#60;img src=x onerror=alert(1)&#62;'), STEERS.exec(html)]).toEqual([false, true, null]);
  });
});
