import {describe, expect, it} from 'vitest';
import {createProgressGuard} from '../../../src/agent/guards/progress-guard.ts';
import {CIRCLES, NO_CIRCLES, type Reply} from './circles.table.ts';

/** After which replies the model was told something, and after which the turn was over. */
function play(replies: readonly Reply[]): {told: number[]; ends: number | undefined} {
  let now = 0;
  const guard = createProgressGuard(() => now);
  const told: number[] = [];
  for (const [at, {after = 0, calls}] of replies.entries()) {
    now += after;
    const {note, stop} = guard.judge(calls);
    if (stop !== undefined) return {told, ends: at + 1};
    told.push(...(note?.split('\n') ?? []).map(() => at + 1));
  }
  return {told, ends: undefined};
}

describe('circles (issue 14): told, then ended', () => {
  it.each(CIRCLES)('%s', (_name, replies, expected) => {
    expect(play(replies)).toEqual(expected);
  });
});

describe('no circles (issue 14): never ended', () => {
  it.each(NO_CIRCLES)('%s', (_name, replies, told) => {
    expect(play(replies)).toEqual({told, ends: undefined});
  });
});

describe('what the model is told', () => {
  const notes = (replies: readonly Reply[]): string[] => {
    const guard = createProgressGuard(() => 0);
    return replies.flatMap(({calls}) => {
      const {note, stop} = guard.judge(calls);
      return note ?? stop ?? [];
    });
  };
  const replies = (name: string): readonly Reply[] => CIRCLES.find(([args]) => args === name)?.[1] ?? [];

  it('of a check that fails', () => {
    expect(notes(replies('with other files read in between')).slice(0, 2)).toMatchInlineSnapshot(`
      [
        "[note: \`npm test\` has failed in the same way 4 times, and no file has changed in between. Change something first; at 8 the turn is ended.]",
        "No progress: \`npm test\` has failed in the same way 8 times, and no file has changed in between.",
      ]
    `);
  });
  it('of failures that vary', () => {
    expect(notes(replies('failures that vary')).slice(0, 2)).toMatchInlineSnapshot(`
      [
        "[note: the last 8 calls all failed; after 16 the turn is ended. Read the first error again and try something simpler, or say what is missing.]",
        "No progress: the last 16 calls all failed.",
      ]
    `);
  });
  it('of lines that were read before', () => {
    expect(notes(replies('the same lines by other counts')).slice(0, 1)).toMatchInlineSnapshot(`
      [
        "[note: read "a 1-97" returned the same result 4 times; it has not changed since it was shown above.]",
      ]
    `);
  });
});
