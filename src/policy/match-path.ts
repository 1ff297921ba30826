import type {ParsedRule} from './parse-rule.ts';
import {fitsPattern, patternsMeet} from './pattern.ts';

/** How a file may be called in a rule. */
export interface PathNames {
  /** Absolute. */
  readonly path: string;
  /** To the workspace. */
  readonly relative: string;
  readonly inside: boolean;
  /** As it was asked for, where that is another name: a link, a detour. */
  readonly requested?: string | undefined;
}

/** Wide, for deny and ask rules: by any of its names, with or without case, also where a shell glob could become the file. */
export function meetsPath({pattern}: ParsedRule, names: PathNames, glob = false): boolean {
  const rule = pattern.toLowerCase().replace(/^\.\//, '');
  return namesOf(names).some((name) =>
    glob ? patternsMeet(rule, name.replaceAll(/\?|\[[^\]]*\]|\$\{?\w+\}?/g, '*')) : fitsPattern(rule, name),
  );
}

function namesOf({path, relative, requested}: PathNames): string[] {
  const given = [path, relative, `/${relative}`, ...(requested === undefined ? [] : [requested, `/${requested}`])];
  return given.flatMap((name) => {
    const plain = name.toLowerCase();
    // `.env `, `.env::$DATA` and `.env/` are `.env` for one file system or another; so is an invisible character for the reader.
    const bare = plain
      .replace(/::\$data$/, '')
      .replaceAll(/[\u200b-\u200f\u2060-\u206f\ufeff]/g, '')
      .replace(/[. /]+$/, '');
    return bare === plain || bare === '' ? [plain] : [plain, bare];
  });
}

/** Narrow, for allow rules: its real name, and outside the workspace only a rule that says so (`/tmp/*`, `~/notes/*`). */
export function allowsPath({pattern}: ParsedRule, {path, relative, inside}: PathNames): boolean {
  if (!inside) return /^[/~]/.test(pattern) && fitsPattern(pattern, path);
  return fitsPattern(pattern.replace(/^\.\//, ''), relative) || fitsPattern(pattern, path);
}

/** True where the rule spells out the part of the path that makes it protected: `write:.vscode/*`, but not `write:*`. */
export function namesProtected({pattern}: ParsedRule, isProtected: (path: string) => boolean): boolean {
  return isProtected(pattern.replaceAll('*', 'x'));
}
