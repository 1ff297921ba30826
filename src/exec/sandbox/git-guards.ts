import {lstatSync, readdirSync, readFileSync} from 'node:fs';
import {homedir} from 'node:os';
import {isAbsolute, join, normalize, relative} from 'node:path';
import type {Placeholder} from './placeholders.ts';

export interface GitGuards {
  /** Folders that stay writable, and cannot be moved away: relative to the root. */
  readonly pinned: readonly string[];
  /** Read-only. */
  readonly locked: readonly string[];
  readonly placeholders: readonly Placeholder[];
}

/**
 * What of `.git` stays as it is while the rest can be written, so that `git add` and `git commit` work: whatever makes git run a program
 * (hooks, config, attributes), or look for those elsewhere (commondir, worktrees, modules). CVE-2026-26268, CVE-2026-40068.
 * Where there is no repository, none can be made.
 */
export function gitGuards(root: string): GitGuards {
  const found = lstatSync(join(root, '.git'), {throwIfNoEntry: false});
  if (found === undefined || isPlaceholder(root)) return {pinned: [], locked: ['.git'], placeholders: [{path: '.git'}]};
  // That of a worktree is a file; a link is looked after like others that are obeyed.
  if (!found.isDirectory()) return {pinned: [], locked: [], placeholders: []};
  return {
    pinned: ['.git'],
    locked: [...GUARDED.map(({path}) => path), ...namedByConfig(root)],
    // Git writes its own notes beside the attributes.
    placeholders: [{path: '.git/info'}, ...GUARDED],
  };
}

/** A folder that another command holds the place with. */
function isPlaceholder(root: string): boolean {
  return lstatSync(join(root, '.git')).isDirectory() && readdirSync(join(root, '.git')).length === 0;
}

const GUARDED: readonly Placeholder[] = [
  {path: '.git/hooks'},
  {path: '.git/info/attributes', content: ''},
  // What is shown in its place is read from it.
  {path: '.git/info/exclude', content: ''},
  {path: '.git/modules'},
  {path: '.git/worktrees'},
  {path: '.git/config', content: ''},
  {path: '.git/config.worktree', content: ''},
  // An empty one would be an error; this is what its absence means (gitrepository-layout(5)).
  {path: '.git/commondir', content: '.\n'},
];

/** Hooks and further configuration in the workspace that the configuration points to. */
function namedByConfig(root: string): string[] {
  const text = textOf(join(root, '.git', 'config'));
  return [...text.matchAll(/^[ \t]*(?:hookspath|path|attributesfile|fsmonitor)[ \t]*=[ \t]*"?([^"\r\n#;]+)/gim)].flatMap(
    ([line, value = '']) => {
      // The path of an include is relative to the file it stands in.
      const base = /^\s*path/i.test(line) ? join(root, '.git') : root;
      const named = value.trim().replace(/^~(?=\/)/, homedir());
      const path = relative(root, isAbsolute(named) ? normalize(named) : join(base, named));
      const isInside = path !== '' && path !== '..' && !path.startsWith('../') && !isAbsolute(path);
      return isInside && lstatSync(join(root, path), {throwIfNoEntry: false}) !== undefined ? [path] : [];
    },
  );
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
