import * as z from 'zod/mini';
import type {Operation} from '../operation.ts';
import {readSubjects} from './path-subjects.ts';
import {searchRoot} from './search-root.ts';

const args = z.object({
  /** A folder, or one file. */
  path: z.string(),
  /** Rust regex syntax. */
  pattern: z.string(),
  /** gitignore-style; a file must match one, where there are any. */
  globs: z.array(z.string()),
  caseInsensitive: z.boolean(),
  multiline: z.boolean(),
  contextLines: z.number(),
  maxMatches: z.number(),
  maxLineChars: z.number(),
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

/** Finds lines by a regular expression; binary files and ignored files are passed over, hidden ones are not. */
export const searchText: Operation<SearchTextArgs, SearchTextResult> = {
  id: 'search.text',
  permission: 'grep',
  args,
  result,
  sideEffect: 'read',
  subjects: ({path}, ctx) => readSubjects(path, ctx),
  async run({path, ...query}, ctx) {
    const root = await searchRoot(path, ctx);
    const rules = {root: root.path, hidden: true, ignoreFiles: true, requireGit: false, timeoutMs: TIMEOUT_MS};
    const {matches, truncated, timedOut} = await ctx.search.grep({...query, ...rules}, ctx.signal);
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
