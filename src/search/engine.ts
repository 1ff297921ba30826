/** Finds files and text below a folder. Two engines implement it: ripgrep, and a built-in one as a fallback. */
export interface SearchEngine {
  readonly name: 'ripgrep' | 'builtin';
  grep(query: GrepQuery, signal: AbortSignal): Promise<GrepResult>;
  /** Files (and links to files, never followed) below a folder, filtered by globs and ignore rules. */
  files(query: FilesQuery, signal: AbortSignal): Promise<FilesResult>;
}

export interface WalkRules {
  /** Absolute folder (or, for grep, file) to start from. */
  readonly root: string;
  /** Also entries whose name starts with a dot. `.git` is never listed. */
  readonly hidden: boolean;
  /** .gitignore (nested, .git/info/exclude, core.excludesFile), .ignore, .rgignore are honoured. */
  readonly ignoreFiles: boolean;
  /** .gitignore counts only inside a git repository, as git has it; false: everywhere. */
  readonly requireGit: boolean;
  /** false: of the ignore files only git's own count, not .ignore and .rgignore. Default: all. */
  readonly toolIgnoreFiles?: boolean | undefined;
}

export interface GrepQuery extends WalkRules {
  /** Rust regex syntax: no look-around, no back-references; linear time. */
  readonly pattern: string;
  readonly caseInsensitive: boolean;
  /** May match across lines (`-U`). */
  readonly multiline: boolean;
  /** ripgrep's `-g`: gitignore-style globs, `!` excludes; a file must match one of the positive ones. */
  readonly globs: readonly string[];
  /** true: a glob only narrows. Absent: as in ripgrep a file that a positive one names is searched although it is ignored. */
  readonly globsNarrow?: boolean | undefined;
  /** Stop after this many matching lines, counted over all files. */
  readonly maxMatches: number;
  /** true: where thousands match, any of them will do, so that one process is enough. Absent: the first by path, the same on every run. */
  readonly anyMatches?: boolean | undefined;
  /** Larger files are skipped; undefined: the limit of the engine, at least 256 MiB. */
  readonly maxFileBytes?: number | undefined;
  /** Longer lines are cut to this many characters. */
  readonly maxLineChars: number;
  readonly contextLines: number;
  readonly timeoutMs: number;
}

export interface GrepResult {
  /** Ordered by path (code points), then line. */
  readonly matches: readonly GrepMatch[];
  /** More matches exist than were returned. */
  readonly truncated: boolean;
  readonly timedOut: boolean;
}

export interface GrepMatch {
  /** Relative to the root of the query, with `/`. For a root that is a file: its name. */
  readonly path: string;
  /** 1-based. */
  readonly line: number;
  readonly text: string;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

export interface FilesQuery extends WalkRules {
  /** Only files that match; undefined: all. */
  readonly match?: PathQuery | undefined;
  /** 'path': code points · 'newest': mtime descending, ties by path. */
  readonly order: 'path' | 'newest';
  readonly limit: number;
}

export type PathQuery =
  /** A pattern line of gitignore: without `/` it matches at every depth. */
  | {readonly dialect: 'gitignore'; readonly pattern: string}
  /** bash with globstar and extglob: `*` stays in its folder, `**` crosses folders, braces expand. */
  | {readonly dialect: 'bash'; readonly pattern: string};

export interface FilesResult {
  /** Relative to the root, with `/`. */
  readonly paths: readonly string[];
  readonly truncated: boolean;
}
