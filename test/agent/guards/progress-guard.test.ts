import * as fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import type {ObservedCall, ProgressVerdict} from '../../../src/agent/guards/observed-call.ts';
import {CHECK_STOP_AT} from '../../../src/tools/dispatch/loop-guard.ts';
import {createProgressGuard, END_TURN_AT} from '../../../src/agent/guards/progress-guard.ts';

const call = (args: string, text: string, over: Partial<ObservedCall> = {}): ObservedCall => ({
  toolName: 'read',
  arguments: args,
  text,
  isError: false,
  isRead: true,
  ...over,
});
const command = (line: string, text: string, isError = false): ObservedCall =>
  call(JSON.stringify({command: line}), text, {toolName: 'bash', isRead: false, isError, command: line});

function judgeAll(replies: readonly (readonly ObservedCall[])[]): ProgressVerdict[] {
  const guard = createProgressGuard(() => 0);
  return replies.map((calls) => guard.judge(calls));
}

const circle = (length: number, times: number): ObservedCall[][] =>
  Array.from({length: length * times}, (_, at) => [command(`step ${at % length}`, `output ${at % length}`)]);

describe('no progress', () => {
  it('a circle of six commands is told of, told again, then stopped, and the report says what was done', () => {
    const verdicts = judgeAll(circle(6, 4));
    expect(
      verdicts.flatMap(({note, stop}, at) => (note === undefined && stop === undefined ? [] : [[at + 1, note ?? stop]])).slice(0, 3),
    ).toEqual([
      [
        11,
        '[note: the last 5 replies brought nothing new: bash step 0 (1 ×), bash step 1 (1 ×), bash step 2 (1 ×), bash step 3 (1 ×), bash step 4 (1 ×). After 13 the turn ends. Try another approach, or say what is missing.]',
      ],
      [
        15,
        '[note: the last 9 replies brought nothing new: bash step 0 (2 ×), bash step 1 (2 ×), bash step 2 (2 ×), bash step 3 (1 ×), bash step 4 (1 ×), 1 others. After 13 the turn ends. Try another approach, or say what is missing.]',
      ],
      [
        19,
        'No progress: the last 13 replies brought nothing new. What was called: bash step 0 (3 ×), bash step 1 (2 ×), bash step 2 (2 ×), bash step 3 (2 ×), bash step 4 (2 ×), 1 others. Nothing was changed by them.',
      ],
    ]);
  });

  it('different calls that all fail in the same way are nothing new', () => {
    const replies = Array.from({length: END_TURN_AT + 1}, (_, at) => [command(`tool --try ${at}`, 'tool: not found', true)]);
    expect(judgeAll(replies).at(-1)?.stop).toContain('No progress');
  });

  it('a failure that differs only in the name that the model made up is the same; what it says besides is new', () => {
    const missing = (at: number, more = ''): ObservedCall[] => [
      call(`{"path":"src/${at}.md"}`, `src/${at}.md does not exist.${more}`, {isError: true}),
      call(`{"x": ["${at}"]}`, `There is no tool make_${at}.`, {toolName: `make_${at}`, isError: true}),
    ];
    const replies = Array.from({length: END_TURN_AT + 1}, (_, at) => missing(at));
    expect(judgeAll(replies).at(-1)?.stop).toContain('No progress: the last 13 replies brought nothing new.');
    const near = Array.from({length: 100}, (_, at) => [...missing(at, ` There is other/${at}.md.`), call(`{"path":"${at}"}`, `${at}`)]);
    expect(judgeAll(near).filter(({stop}) => stop !== undefined)).toEqual([]);
  });

  it('a failure that differs only in how long it took is the same', () => {
    const replies = Array.from({length: END_TURN_AT + 1}, (_, at) => [
      command('npm test', `1 failed in ${at}.4 s (at 10:0${at % 10}:00)`, true),
    ]);
    expect(judgeAll(replies)[CHECK_STOP_AT - 1]?.stop).toBe(
      'No progress: `npm test` has failed in the same way 8 times, and no file has changed in between.',
    );
  });

  it('polling with an output that changes is waiting, not a loop', () => {
    const replies = Array.from({length: 100}, (_, at) => [command('tail -1 log', `built ${at} of 100 files`)]);
    expect(judgeAll(replies).filter(({stop}) => stop !== undefined)).toEqual([]);
  });

  it('reading a repository of 500 files is never stopped nor commented (vtcode: 7 in a row, 30 in a run)', () => {
    const replies = Array.from({length: 500}, (_, at) => [call(`{"path":"src/${at}.ts"}`, `text of ${at}`)]);
    expect(judgeAll(replies)).toEqual(replies.map(() => ({note: undefined})));
  });

  it('whatever is repeated besides: with something new in each reply, or before each thirteenth, nothing is stopped', () => {
    const old = fc.array(fc.constantFrom(call('a', 'A'), call('b', 'B'), command('make', 'done')), {maxLength: 3});
    fc.assert(
      fc.property(fc.array(fc.tuple(old, fc.boolean()), {maxLength: 120}), (replies) => {
        let idle = 0;
        const calls = replies.map(([repeated, fresh], at) => {
          idle = fresh || repeated.length === 0 ? 0 : idle + 1;
          const isNew = fresh || repeated.length === 0 || idle >= END_TURN_AT - 1;
          if (isNew) idle = 0;
          return isNew ? [...repeated, call(`{"path":"${at}"}`, `new ${at}`)] : repeated;
        });
        expect(judgeAll(calls).filter(({stop}) => stop !== undefined)).toEqual([]);
      }),
    );
  });

  it('however wide a circle is, it ends', () => {
    fc.assert(
      fc.property(fc.integer({min: 1, max: 60}), (length) => {
        const verdicts = judgeAll(circle(length, Math.ceil(END_TURN_AT / length) + 1));
        expect(verdicts.findIndex(({stop}) => stop !== undefined)).toBe(length + END_TURN_AT - 1);
      }),
    );
  });

  it('what was forgotten is new again', () => {
    const guard = createProgressGuard(() => 0);
    const replies = circle(1, END_TURN_AT);
    for (const calls of replies) guard.judge(calls);
    guard.forget();
    expect(replies.map((calls) => guard.judge(calls).stop).filter((stop) => stop !== undefined)).toEqual([]);
  });
});

describe('what is repeated between other things: told once, never stopped', () => {
  it('the same part of a file, unchanged', () => {
    const replies = Array.from({length: 10}, (_, at) => [call('{"path":"TODO.md"}', 'todo'), call(`{"path":"${at}"}`, `${at}`)]);
    expect(judgeAll(replies).flatMap(({note, stop}) => note ?? stop ?? [])).toEqual([
      '[note: read {"path":"TODO.md"} returned the same result 4 times; it has not changed since it was shown above.]',
    ]);
  });

  it('the same failure after each edit; a change in it begins anew', () => {
    const edit = (at: number): ObservedCall =>
      call(`{"path":"a","new":"${at}"}`, `Edited ${at}`, {toolName: 'edit', isRead: false, hasChanges: true});
    const failing = (at: number): ObservedCall => command('npm test', `a.ts:${at}: x is not a function`, true);
    const replies = Array.from({length: 8}, (_, at) => [edit(at), failing(at)]);
    const other = [[edit(99), command('npm test', 'another failure', true)]];
    const notes = [...replies.slice(0, 3), ...other, ...replies].map((calls) => calls);
    expect(judgeAll(notes).flatMap(({note}, at) => (note === undefined ? [] : [[at, note]]))).toEqual([
      [
        7,
        '[note: `npm test` has failed in the same way 4 times. Read its first error again, and check what you assume, before you change more.]',
      ],
    ]);
  });
});
