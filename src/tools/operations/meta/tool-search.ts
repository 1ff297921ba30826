import * as z from 'zod/mini';
import type {JsonObject} from '../../../base/json.ts';
import {plainOperation, type Operation} from '../../operation.ts';
import {shownSchema} from '../../arguments/schema.ts';
import type {Tool} from '../../toolset.ts';

const args = z.object({
  /** Words, or names of tools. */
  query: z.string(),
  limit: z.number(),
});

const result = z.object({
  tools: z.array(z.object({name: z.string(), description: z.string(), parameters: z.custom<JsonObject>()})),
  /** The names of all tools that can be found. */
  names: z.array(z.string()),
});

export type ToolSearchArgs = z.infer<typeof args>;
export type ToolSearchResult = z.infer<typeof result>;

/** Finds tools that are not advertised, by words of their names, descriptions and parameters. Without a match, returns the names of all. */
export function toolSearch(load: () => Promise<readonly Tool[]>): Operation<ToolSearchArgs, ToolSearchResult> {
  return plainOperation({
    id: 'meta.find-tools',
    permission: 'tool_search',
    args,
    result,
    sideEffect: 'pure',
    subjects: async () => [],
    async run({query, limit}, {capabilities}) {
      const tools = (await load()).filter(({requires}) => requires === undefined || capabilities?.has(requires) === true);
      const words = (query.toLowerCase().match(/[a-z0-9]{2,}/g) ?? []).filter((word) => !EMPTY_WORDS.has(word));
      const ranked = tools.map((tool) => ({tool, score: scoreOf(tool, words)})).filter(({score}) => score > 0);
      ranked.sort((a, b) => b.score - a.score);
      const best = ranked[0]?.score ?? 0;
      const close = ranked.filter(({score}) => score * 2 >= best).slice(0, limit);
      const found = close.map(({tool}) => ({
        name: tool.name,
        description: tool.description,
        parameters: shownSchema(tool),
      }));
      return {tools: found, names: tools.map(({name}) => name)};
    },
  });
}

const EMPTY_WORDS = new Set(
  'an and at by for from how in into is it of on or run select several the this to tool use what with'.split(' '),
);

/** A match in the name counts more than one in the description, and that more than one in the parameters. */
function scoreOf(tool: Tool, words: readonly string[]): number {
  const name = tool.name.toLowerCase();
  const description = tool.description.toLowerCase();
  const parameters = Object.keys(tool.input.shape).join(' ').toLowerCase();
  return words.reduce((sum, word) => {
    const stem = word.length > 4 ? word.replace(/(?:ing|es|s|e)$/, '') : word;
    if (name.split('_').includes(word)) return sum + 6;
    if (name.includes(stem)) return sum + 4;
    if (description.includes(stem)) return sum + 2;
    return parameters.includes(stem) ? sum + 1 : sum;
  }, 0);
}
