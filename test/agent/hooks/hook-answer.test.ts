import {describe, expect, it} from 'vitest';
import * as fc from 'fast-check';
import {readAnswer, type HookRun} from '../../../src/agent/hooks/hook-answer.ts';
import {HOOK_EVENTS, hookEventNamed, type HookEvent} from '../../../src/agent/hooks/hook-events.ts';

const run = (over: Partial<HookRun>): HookRun => ({
  exitCode: 0,
  signal: null,
  timedOut: false,
  stdout: '',
  stderr: '',
  truncated: false,
  ...over,
});
const said = (event: HookEvent, over: Partial<HookRun>): object =>
  Object.fromEntries(Object.entries(readAnswer(event, run(over))).filter(([, value]) => value !== undefined));
const json = (value: object): Partial<HookRun> => ({stdout: `\n${JSON.stringify(value)}\n`});

const GUARDS: readonly HookEvent[] = ['user_prompt_submit', 'pre_tool_use', 'permission_request'];
const EVENTS = Object.keys(HOOK_EVENTS) as HookEvent[];

describe('readAnswer: exit codes', () => {
  it.each(EVENTS.filter((event) => 'block' in HOOK_EVENTS[event]))(
    '%s: 2 blocks with what stands on stderr, also with nothing (vtcode: only with text, and only two events)',
    (event) => {
      expect([said(event, {exitCode: 2, stderr: ' no! \n'}), said(event, {exitCode: 2})]).toEqual([
        {verdict: 'deny', reason: 'no!', notices: []},
        {verdict: 'deny', reason: 'a hook blocked it, and gave no reason', notices: []},
      ]);
    },
  );

  it('where there is nothing to block it is shown', () => {
    const shown = EVENTS.filter((event) => !('block' in HOOK_EVENTS[event]));
    expect(shown).toEqual(['session_start', 'session_end', 'post_compact', 'notification']);
    for (const event of shown) expect(said(event, {exitCode: 2, stderr: 'no!'})).toEqual({notices: ['no!']});
  });

  it.each(EVENTS)('%s: other codes are shown, and all goes on', (event) => {
    expect(said(event, {exitCode: 1, stdout: '{"decision":"block"}', stderr: 'jq: not found\nmore'})).toEqual({
      notices: ['exit code 1: jq: not found'],
    });
  });

  it.each(EVENTS)('%s: what guards fails closed on time, signal and broken JSON; the others only say so', (event) => {
    const cases: [Partial<HookRun>, string][] = [
      [{exitCode: null, signal: 'SIGTERM', timedOut: true}, 'it did not answer in time'],
      [{exitCode: null, signal: 'SIGSEGV'}, 'it was ended by SIGSEGV'],
      [{stdout: '{"decision": "block", "reason": "a "quote""}'}, 'what it wrote on stdout begins like JSON, and is none'],
      [{stdout: '{"decision": "bl', truncated: true}, 'what it wrote on stdout begins like JSON, and is none'],
    ];
    for (const [over, why] of cases) {
      expect(said(event, over)).toEqual(GUARDS.includes(event) ? {verdict: 'deny', reason: why, notices: []} : {notices: [why]});
    }
  });
});

describe('readAnswer: stdout', () => {
  it('plain text is context at the start, for a prompt and for a subagent, and nothing elsewhere', () => {
    const context = EVENTS.filter((event) => 'context' in said(event, {stdout: 'the branch is main\n'}));
    expect(context).toEqual(['session_start', 'user_prompt_submit', 'subagent_start']);
  });

  it.each([
    [
      {decision: 'block', reason: 'r'},
      {verdict: 'deny', reason: 'r'},
    ],
    [{decision: 'approve'}, {verdict: 'allow'}],
    [{hookSpecificOutput: {permissionDecision: 'deny', permissionDecisionReason: 'r'}}, {verdict: 'deny', reason: 'r'}],
    [{hookSpecificOutput: {permissionDecision: 'defer'}}, {verdict: 'ask'}],
    [{hook_specific_output: {permission_decision: 'ask', permission_decision_reason: 'r'}}, {verdict: 'ask', reason: 'r'}],
    [{decision: 'approve', hookSpecificOutput: {permissionDecision: 'deny'}}, {verdict: 'deny'}],
    [{hookSpecificOutput: {updatedInput: {command: 'ls'}}}, {input: {command: 'ls'}}],
    [{hookSpecificOutput: {additionalContext: 'see docs/'}}, {context: 'see docs/'}],
    [{hookSpecificOutput: {decision: {behavior: 'deny', message: 'm'}}}, {verdict: 'deny', reason: 'm'}],
    [{hookSpecificOutput: {decision: {behavior: 'allow', updatedInput: {a: 1}}}}, {verdict: 'allow', input: {a: 1}}],
    [{continue: false, stopReason: 'enough'}, {stop: 'enough'}],
    [{continue: false}, {stop: 'a hook ended it'}],
    [{continue: true, suppressOutput: true}, {}],
    [{systemMessage: 'look'}, {notices: ['look']}],
    [{decision: 'maybe'}, {verdict: 'deny', reason: '"maybe" is not a decision'}],
    [{}, {}],
  ])('%j', (stdout, expected) => {
    expect(said('pre_tool_use', json(stdout))).toEqual({notices: [], ...expected});
  });

  it('long texts are bounded', () => {
    const reason = 'x'.repeat(20_000);
    expect(readAnswer('stop', run({exitCode: 2, stderr: reason})).reason).toBe(`${'x'.repeat(10_000)}\n[… 10000 more characters left out]`);
  });

  it('whatever stands on stdout, there is an answer', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...EVENTS),
        fc.oneof(fc.json(), fc.string()),
        fc.constantFrom(0, 1, 2, null),
        (event, stdout, exitCode) => {
          expect(readAnswer(event, run({stdout, exitCode})).notices).toBeInstanceOf(Array);
        },
      ),
    );
  });
});

describe('hookEventNamed', () => {
  it('knows both spellings of each event', () => {
    expect(EVENTS.map((event) => [hookEventNamed(event), hookEventNamed(HOOK_EVENTS[event].theirs)])).toEqual(EVENTS.map((e) => [e, e]));
    expect(hookEventNamed('constructor')).toBeUndefined();
  });
});
