import * as z from 'zod/mini';
import type {GrepResult} from '../../../search/engine.ts';
import {compareCodePoints} from '../../../search/path-order.ts';
import type {ToolContext} from '../../context.ts';
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
  /** Also what lies in folders of dependencies, ignored or not. */
  dependencies: z.boolean(),
  contextLines: z.number(),
  maxMatches: z.number(),
  timeoutMs: z.number(),
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

export type SearchContextArgs = z.infer<typeof args>;
export type SearchContextResult = z.infer<typeof result>;

/** Finds lines by a regular expression, with lines around them; dependencies of the project are searched only on request. */
export const searchContext: Operation<SearchContextArgs, SearchContextResult> = {
  id: 'search.context',
  permission: 'grep',
  args,
  result,
  sideEffect: 'read',
  subjects: ({path}, ctx) => readSubjects(path, ctx),
  async run({path, dependencies, globs, ...query}, ctx) {
    const root = await searchRoot(path, ctx);
    const own = {...query, root: root.path, globs: [...globs, ...DEPENDENCIES.map((folder) => `!${folder}`)], ignoreFiles: true};
    // Dependencies are usually ignored: they are searched by name.
    const foreign = {...own, globs: DEPENDENCIES, ignoreFiles: false};
    const found = await Promise.all([grep(own, ctx), ...(dependencies ? [grep(foreign, ctx)] : [])]);
    const matches = found.flatMap((part) => part.matches).sort((a, b) => compareCodePoints(a.path, b.path) || a.line - b.line);
    return {
      matches: matches.slice(0, query.maxMatches).map(({before, after, ...hit}) => ({
        ...hit,
        path: root.shown(hit.path),
        before: [...before],
        after: [...after],
      })),
      truncated: matches.length > query.maxMatches || found.some((part) => part.truncated),
      timedOut: found.some((part) => part.timedOut),
    };
  },
};

/** "Include dependency directories like node_modules and vendor" (zblade tool calls › grep_search). */
const DEPENDENCIES = ['**/node_modules/**', '**/vendor/**'];

type Query = Omit<SearchContextArgs, 'path' | 'dependencies'> & {readonly root: string; readonly ignoreFiles: boolean};

function grep(query: Query, {search, signal}: ToolContext): Promise<GrepResult> {
  const habits = {caseInsensitive: false, multiline: false, hidden: true, requireGit: false, maxLineChars: MAX_LINE_CHARS};
  return search.grep({...query, ...habits}, signal);
}

const MAX_LINE_CHARS = 2000;
