import * as z from 'zod/mini';
import type {Operation} from '../../operation.ts';
import {readSubjects} from '../fs/path-subjects.ts';
import {searchRoot} from './search-root.ts';

const args = z.object({
  /** A folder, or one file. */
  path: z.string(),
  /** Rust regex syntax. */
  pattern: z.string(),
  /** gitignore-style; a file must match one, where there are any. */
  globs: z.array(z.string()),
  /** Absent: a glob that names an ignored file has it searched, as in ripgrep. */
  globsNarrow: z.optional(z.boolean()),
  caseInsensitive: z.boolean(),
  multiline: z.boolean(),
  contextLines: z.number(),
  maxMatches: z.number(),
  maxLineChars: z.number(),
  /** Files whose name starts with a dot, too. Default: yes. */
  hidden: z.optional(z.boolean()),
  /** What .gitignore and its like name is passed over. Default: yes. */
  ignoreFiles: z.optional(z.boolean()),
  /** Default: 30 s. */
  timeoutMs: z.optional(z.number()),
});

const match = z.object({
  path: z.string(),
  /** 1-based. */
  line: z.number(),
  text: z.string(),
  before: z.array(z.string()),
  after: z.array(z.string()),
});

const result = z.object({matches: z.array(match), truncated: z.boolean(), timedOut: z.boolean()});

export type SearchTextArgs = z.infer<typeof args>;
export type SearchTextResult = z.infer<typeof result>;
export type TextMatch = z.infer<typeof match>;

/** Finds lines by a regular expression; binary files are passed over. */
export const searchText: Operation<SearchTextArgs, SearchTextResult> = {
  id: 'search.text',
  permission: 'grep',
  args,
  result,
  sideEffect: 'read',
  subjects: ({path}, ctx) => readSubjects(path, ctx),
  async run({path, hidden = true, ignoreFiles = true, timeoutMs = TIMEOUT_MS, ...query}, ctx) {
    const root = await searchRoot(path, ctx);
    const rules = {root: root.path, hidden, ignoreFiles, requireGit: false, timeoutMs};
    const globs = query.globs.flatMap((glob) => [glob, ...belowRoot(glob, root.shown(''))]);
    const {matches, truncated, timedOut} = await ctx.search.grep({...query, globs, ...rules}, ctx.signal);
    return {
      matches: matches.map(({line, text, before, after, ...found}) => ({
        path: root.shown(found.path),
        line,
        text,
        before: [...before],
        after: [...after],
      })),
      truncated,
      timedOut,
    };
  },
};

const TIMEOUT_MS = 30_000;

/** A glob that names the folder that is searched, as ripgrep takes it from the workspace: the same from that folder. */
function belowRoot(glob: string, folder: string): string[] {
  const [, sign = '', path = ''] = /^(!?)\/?(.*)$/s.exec(glob) ?? [];
  return folder !== '' && path.startsWith(folder) ? [`${sign}/${path.slice(folder.length)}`] : [];
}
