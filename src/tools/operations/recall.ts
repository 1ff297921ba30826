import * as z from 'zod/mini';
import {FettleError} from '../../base/errors.ts';
import type {Operation} from '../operation.ts';

const args = z.object({
  /** Numbers among the finished items of the log, from 1, both included. */
  from: z.int().check(z.minimum(1)),
  to: z.int().check(z.minimum(1)),
});

const result = z.object({texts: z.array(z.string())});

export type RecallArgs = z.infer<typeof args>;
export type RecallResult = z.infer<typeof result>;

/** As many as are read at once; a result is bounded like any other. */
const MOST = 20;

/** Items of this session that are no longer in the conversation, from its log (VT Code architecture › Compaction / offloading). */
export const recall: Operation<RecallArgs, RecallResult> = {
  id: 'session.recall',
  permission: 'recall',
  args,
  result,
  sideEffect: 'pure',
  subjects: async () => [],
  async run({from, to}, ctx) {
    if (ctx.recall === undefined) {
      throw new FettleError({
        code: 'UNAVAILABLE',
        message: 'There is no log of this session.',
        hint: 'Read the file, or run the command again.',
      });
    }
    if (to < from || to - from >= MOST) {
      throw new FettleError({code: 'BAD_ARGS', message: `At most ${MOST} items at once, the first number first.`, hint: 'Ask for fewer.'});
    }
    const texts = await ctx.recall(from, to);
    if (texts.length === 0) throw new FettleError({code: 'NOT_FOUND', message: `There is no item ${from}.`, hint: 'Numbers begin at 1.'});
    return {texts: [...texts]};
  },
};
