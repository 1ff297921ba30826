import * as z from 'zod/mini';
import {counted} from '../../base/counted.ts';
import {readFile} from '../operations/fs/read-file.ts';
import {defineTool, type Tool, type Toolset} from '../toolset.ts';
import {fettle} from './fettle/fettle.ts';
import {emptyRead, moreLines, numberedLines} from './read-text.ts';
import * as alias from '../compat/parameter-aliases.ts';

/** A result may take a quarter of a window of 2,048 tokens. */
const RESULT = {maxBytes: 2400, maxLines: 80};
const READ = {limit: 60, maxBytes: 1800, maxLineChars: 300};

const read = defineTool({
  name: 'read',
  description: 'Read a file, up to 60 numbered lines.',
  input: z.object({
    path: z.string(),
    offset: z.optional(z.int().check(z.minimum(0), z.describe('first line'))),
    limit: z.optional(z.int().check(z.minimum(1))),
  }),
  aliases: alias.aliasesOf({path: alias.FILE, offset: alias.FIRST_LINE, limit: alias.LINE_COUNT}),
  operation: readFile,
  toArgs: ({path, offset, limit}) => ({
    path,
    firstLine: Math.max(1, offset ?? 1),
    maxLines: Math.min(limit ?? READ.limit, READ.limit),
    maxBytes: READ.maxBytes,
  }),
  render(result) {
    const text = emptyRead(result) ?? numberedLines(result, READ.maxLineChars);
    return {
      text: result.truncated ? `${text}\n${moreLines(result)}` : text,
      summary: `${result.path}: ${counted(result.lines.length, 'line')}`,
    };
  },
});

/** Shorter descriptions of tools of `fettle`; unlisted parameters are still accepted. */
const SHORTER: Readonly<Record<string, {readonly description: string; readonly unlisted?: readonly string[]}>> = {
  edit: {description: 'Replace old_string, exact unique text, by new_string.', unlisted: ['replace_all']},
  write: {description: 'Create or replace a whole file.'},
  grep: {
    description: 'Search file contents by regular expression.',
    unlisted: ['glob', 'ignore_case', 'context', 'multiline'],
  },
  ls: {description: 'List a folder.'},
  bash: {description: 'Run a shell command.', unlisted: ['timeout_ms']},
};

function shortened(tool: Tool): Tool[] {
  const shorter = SHORTER[tool.name];
  return shorter === undefined ? [] : [{...tool, ...shorter}];
}

/** For models with a small window: prompt and schemas of the first request together take about 600 tokens, and results are short. */
export const small: Toolset = {
  ...fettle,
  name: 'small',
  tools: [read, ...fettle.tools.flatMap(shortened)],
  deferred: async () => [...fettle.tools.filter(({name}) => name !== 'read' && !(name in SHORTER)), ...((await fettle.deferred?.()) ?? [])],
  outputBound: RESULT,
};
