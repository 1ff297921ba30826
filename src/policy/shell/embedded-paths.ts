import {hasGlob} from './shell-glob.ts';
import {textAt, type ShellWord} from './shell-word.ts';

/** A path inside a word, after other text. */
export interface EmbeddedPath {
  readonly text: string;
  readonly glob: boolean;
}

/**
 * Paths in words that look like something else: `git show HEAD:.env`, `git diff :/.env`, `grep -r x --include=.env*`, `rg -g.env`,
 * `curl -F f=@.env`.
 */
export function embeddedPath(program: string, words: readonly ShellWord[], index: number): EmbeddedPath | undefined {
  const text = textAt(words, index);
  const found = program === 'git' ? gitPath(text) : (FILTER.exec(text)?.[1] ?? /^[^@]*[=@]@(.+)$/s.exec(text)?.[1]);
  return found === undefined || found === '' || found.startsWith('!') ? undefined : {text: found, glob: hasGlob(found)};
}

/** True for a word whose glob characters the program itself reads: pathspecs of git, filters of searches, names for find. */
export function readsGlobs(program: string, text: string): boolean {
  return GLOB_READERS.has(program) && hasGlob(text);
}

const GLOB_READERS: ReadonlySet<string> = new Set(['git', 'rg', 'find', 'fd', 'fdfind', 'ag', 'tar', 'rsync', 'zip']);

const FILTER = /^(?:--(?:i?glob|include(?:-dir)?|file-search-regex)=|-g)(.+)$/s;

/** `rev:path`, `:path`, `:0:path`, `:/path`, `:(top)path`; not `:!path`, `:/words of a commit message`, nor an address. */
function gitPath(text: string): string | undefined {
  if (/^-|:\/\/|^:[!^]/.test(text)) return undefined;
  return /^[^:]*:(?:\d:|\([^)]*\)|\/)?(.+)$/s.exec(text)?.[1];
}
