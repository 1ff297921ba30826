import * as z from 'zod/mini';
import {compareCodePoints} from '../../../search/path-order.ts';
import type {GrepQuery, GrepResult} from '../../../search/engine.ts';
import type {ResolvedPath} from '../../../workspace/workspace.ts';
import type {ToolContext} from '../../context.ts';
import type {Operation} from '../../operation.ts';
import {readSubjectsOf, resolvePath} from '../fs/path-subjects.ts';
import {grepExcluding} from './grep-excluding.ts';
import {searchRoot, type SearchRoot} from './search-root.ts';

const args = z.object({
  /** A folder, or one file; a path given here is never excluded. */
  path: z.string(),
  /** Rust regex syntax. */
  pattern: z.string(),
  /** gitignore-style; if there are any, a file must match one of them. Default: every file. */
  globs: z.optional(z.array(z.string())),
  /** True: globs never include ignored files. Absent: a glob that names an ignored file includes it, as in ripgrep. */
  globsNarrow: z.optional(z.boolean()),
  /** Folders of dependencies (node_modules, vendor): left out, or searched even if ignored. Default: no special treatment. */
  dependencies: z.optional(z.enum(['exclude', 'include'])),
  /** Lines in the syntax of .gitignore; a later `!` line includes files again. */
  exclude: z.optional(z.array(z.string())),
  /** A file in the root of the workspace with more such lines, which come after those of `exclude`; it may be missing. */
  excludeFile: z.optional(z.string()),
  /** Default: case-sensitive. */
  caseInsensitive: z.optional(z.boolean()),
  multiline: z.optional(z.boolean()),
  /** Default: 0. */
  contextLines: z.optional(z.number()),
  maxMatches: z.number(),
  maxLineChars: z.number(),
  /** Includes files whose names start with a dot. Default: yes. */
  hidden: z.optional(z.boolean()),
  /** True if .gitignore and similar files apply. Default: yes. */
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

/** Finds lines by a regular expression; binary files are skipped. */
export const searchText: Operation<SearchTextArgs, SearchTextResult> = {
  id: 'search.text',
  permission: 'grep',
  args,
  result,
  sideEffect: 'read',
  async resolve({path, ...asked}, resolving) {
    const resolved = await resolvePath(path, resolving, 'read');
    return {subjects: readSubjectsOf(resolved, resolving), run: async (ctx) => await search(resolved, asked, ctx)};
  },
};

async function search(
  resolved: ResolvedPath,
  {dependencies, exclude, excludeFile, ...asked}: Omit<SearchTextArgs, 'path'>,
  ctx: ToolContext,
): Promise<SearchTextResult> {
  const root = await searchRoot(resolved);
  const query = grepQuery(asked, root);
  const {matches, truncated, timedOut} =
    exclude === undefined && excludeFile === undefined
      ? await grepWith(dependencies, query, ctx)
      : await grepExcluding(query, {lines: exclude ?? [], file: excludeFile}, ctx);
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
}

const TIMEOUT_MS = 30_000;

type Asked = Omit<SearchTextArgs, 'path' | 'dependencies' | 'exclude' | 'excludeFile'>;

function grepQuery({globs = [], caseInsensitive = false, multiline = false, ...asked}: Asked, root: SearchRoot): GrepQuery {
  const {contextLines = 0, hidden = true, ignoreFiles = true, timeoutMs = TIMEOUT_MS, ...rest} = asked;
  return {
    ...rest,
    root: root.path,
    globs: globs.flatMap((glob) => [glob, ...belowRoot(glob, root.shown(''))]),
    caseInsensitive,
    multiline,
    contextLines,
    hidden,
    ignoreFiles,
    requireGit: false,
    timeoutMs,
  };
}

/** Rewrites a glob that includes the searched folder, as ripgrep reads it from the workspace, relative to that folder. */
function belowRoot(glob: string, folder: string): string[] {
  const [, sign = '', path = ''] = /^(!?)\/?(.*)$/s.exec(glob) ?? [];
  return folder !== '' && path.startsWith(folder) ? [`${sign}/${path.slice(folder.length)}`] : [];
}

/** "Include dependency directories like node_modules and vendor" (zblade tool calls › grep_search). */
const DEPENDENCIES = ['**/node_modules/**', '**/vendor/**'];

async function grepWith(
  dependencies: SearchTextArgs['dependencies'],
  query: GrepQuery,
  {search, signal}: ToolContext,
): Promise<GrepResult> {
  if (dependencies === undefined) return await search.grep(query, signal);
  const own = {...query, globs: [...query.globs, ...DEPENDENCIES.map((folder) => `!${folder}`)]};
  if (dependencies === 'exclude') return await search.grep(own, signal);
  // Dependencies are usually ignored: they are searched by name.
  const found = await Promise.all([search.grep(own, signal), search.grep({...query, globs: DEPENDENCIES, ignoreFiles: false}, signal)]);
  const matches = found.flatMap((part) => part.matches).sort((a, b) => compareCodePoints(a.path, b.path) || a.line - b.line);
  return {
    matches: matches.slice(0, query.maxMatches),
    truncated: matches.length > query.maxMatches || found.some((part) => part.truncated),
    timedOut: found.some((part) => part.timedOut),
  };
}
