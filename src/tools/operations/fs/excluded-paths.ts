import {parseIgnoreRules} from '../../../workspace/ignore/ignore-rules.ts';

export interface ExcludedPaths {
  /**
   * Returns true if a path is excluded, itself or by a folder that contains it. It is relative to the folder of
   * the lines; a folder ends with `/`.
   */
  excludes(path: string): boolean;
  /** Lines that can be passed to a search unchanged, because no later line includes an excluded file again. */
  readonly safeGlobs: readonly string[];
}

/** Parses lines in the syntax of .gitignore, including `!`: the last that matches decides ("vibe tool system › Grep Tool", .vibeignore). */
export function excludedPaths(lines: readonly string[]): ExcludedPaths {
  const rules = parseIgnoreRules(Buffer.from(lines.join('\n')));
  const patterns = lines.map((line) => line.trim()).filter((line) => line !== '' && !line.startsWith('#'));
  const takenIn = patterns.filter((line) => line.startsWith('!'));
  const ignored = (folder: string, name: string, isFolder: boolean): boolean =>
    rules.inFolder(bytes(folder))?.(bytes(name), isFolder) === 'ignored';
  return {
    excludes(path) {
      const isFolder = path.endsWith('/');
      const names = (isFolder ? path.slice(0, -1) : path).split('/');
      const folders = names.map((_, level) => names.slice(0, level).join('/') + (level === 0 ? '' : '/'));
      return names.some((name, level) => ignored(folders[level] ?? '', name, isFolder || level < names.length - 1));
    },
    safeGlobs: patterns
      .filter((line) => !line.startsWith('!') && (takenIn.length === 0 || isSafeFolder(line, takenIn)))
      .map((line) => `!${line}`),
  };
}

/** True for a folder by its plain name: no `!` line can match inside, since git never includes files below an excluded folder. */
function isSafeFolder(line: string, takenIn: readonly string[]): boolean {
  const name = /^([\w.-]+)\/$/.exec(line)?.[1];
  return (
    name !== undefined &&
    takenIn.every((other) => !other.includes(name) && !/[*?[\\]/.test(other.replace(/\/$/, '').split('/').at(-1) ?? ''))
  );
}

/** Ignore rules compare bytes. */
function bytes(text: string): string {
  return Buffer.from(text).toString('latin1');
}
