import * as z from 'zod/mini';
import {counted} from '../../base/counted.ts';
import {recallOperation} from '../operations/meta/recall.ts';
import {defineTool} from '../toolset.ts';
import * as alias from '../compat/parameter-aliases.ts';

/** Every toolset advertises it once a conversation was compacted; before that, a call by name works. */
export const recallTool = defineTool({
  name: 'recall',
  description: 'Find what left the conversation to save room: search this session by words, or show items by number.',
  input: z.object({
    query: z.optional(z.string().check(z.describe('words to find in it'))),
    tool: z.optional(z.string().check(z.describe('results of this tool alone; person: messages of the user'))),
    file: z.optional(z.string().check(z.describe('calls about this file alone'))),
    item: z.optional(z.int().check(z.minimum(1))),
    to: z.optional(z.int().check(z.minimum(1), z.describe('up to this item, at most 20'))),
  }),
  aliases: alias.aliasesOf({
    item: ['from', 'number', 'id'],
    to: ['until', 'last'],
    query: ['words', 'search', 'text', 'q'],
    file: ['path'],
  }),
  operation: recallOperation,
  toArgs: ({item, to, query, tool, file}) => ({from: item, to: to ?? item, query, tool, file}),
  render: ({texts, passages}) =>
    passages.length > 0
      ? {
          text: passages.map(({item, about, text}) => `[item ${item}: ${about}]\n${text}`).join('\n\n'),
          summary: `found ${counted(passages.length, 'passage')}`,
        }
      : {text: texts.join('\n\n'), summary: `recalled ${texts.length === 1 ? 'an item' : `${texts.length} items`}`},
});
