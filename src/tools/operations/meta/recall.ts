import * as z from 'zod/mini';
import {FettleError} from '../../../base/errors.ts';
import {plainOperation} from '../../operation.ts';
import type {ItemQuery, Passage} from '../../../sessions/search-items.ts';
import type {SessionRecall} from '../../ports/session-recall.ts';

const args = z.object({
  /** Range of item numbers in the log, from 1, inclusive. */
  from: z.optional(z.int().check(z.minimum(1))),
  to: z.optional(z.int().check(z.minimum(1))),
  /** Words to search for. */
  query: z.optional(z.string()),
  /** Items of this tool, or of `person`. */
  tool: z.optional(z.string()),
  /** Items about this file; a part of its path is enough. */
  file: z.optional(z.string()),
});

const result = z.object({
  texts: z.array(z.string()),
  passages: z.array(z.object({item: z.number(), about: z.string(), text: z.string()})),
});

export type RecallArgs = z.infer<typeof args>;
export type RecallResult = z.infer<typeof result>;

/** Most items per call; the result is also bounded like any other. */
const MOST = 20;

/** Shows and finds items of this session that are no longer in the conversation, in its log (VT Code architecture › Compaction / offloading). */
export const recallOperation = plainOperation<RecallArgs, RecallResult>({
  id: 'session.recall',
  permission: 'recall',
  args,
  result,
  sideEffect: 'pure',
  subjects: async () => [],
  async run({from, to = from, query, tool, file}, ctx) {
    if (ctx.recall === undefined) {
      throw new FettleError({
        code: 'UNAVAILABLE',
        message: 'This session has no log.',
        hint: 'Read the file, or run the command again.',
      });
    }
    if (from === undefined || to === undefined) return {texts: [], passages: await passagesOf({query, tool, file}, ctx.recall)};
    return {texts: await itemsOf(from, to, ctx.recall), passages: []};
  },
});

async function passagesOf({query, tool, file}: Partial<ItemQuery>, log: SessionRecall): Promise<Passage[]> {
  if (query === undefined && tool === undefined && file === undefined) {
    const hint = 'Give words (query), a file, a tool, or the number of an item.';
    throw new FettleError({code: 'BAD_ARGS', message: 'Nothing was asked for.', hint});
  }
  const passages = await log.search({query: query ?? '', tool, file});
  if (passages.length > 0) return [...passages];
  const hint = 'Ask with other words, or without a tool and a file.';
  throw new FettleError({code: 'NOT_FOUND', message: 'Nothing in this session contains these words.', hint});
}

async function itemsOf(from: number, to: number, log: SessionRecall): Promise<string[]> {
  if (to < from || to - from >= MOST) {
    throw new FettleError({code: 'BAD_ARGS', message: `At most ${MOST} items at once, in ascending order.`, hint: 'Ask for fewer.'});
  }
  const texts = await log.show(from, to);
  if (texts.length > 0) return [...texts];
  throw new FettleError({code: 'NOT_FOUND', message: `There is no item ${from}.`, hint: 'Numbers begin at 1.'});
}
