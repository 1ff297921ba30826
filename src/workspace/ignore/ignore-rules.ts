import {type IgnorePattern, parseIgnoreLine} from './ignore-pattern.ts';

/** The verdict of the last matching line; undefined if no line matches. */
export type IgnoreVerdict = 'ignored' | 'included';
/** Judges an entry of one folder by its name (a byte text). A link is not a folder, whatever it points at. */
export type FolderRules = (name: string, isFolder: boolean) => IgnoreVerdict | undefined;

/** The rules of one ignore file. */
export interface IgnoreRules {
  /** Returns the rules for the entries of a folder: `''` for the folder of the file, else `a/b/` (a byte text). Undefined: none can match there. */
  inFolder(folder: string): FolderRules | undefined;
}

/** Parses the content of an ignore file: lines end in LF or CR LF, a BOM is skipped. Later lines win. Source: gitignore(5). */
export function parseIgnoreRules(content: Uint8Array, ignoreCase = false): IgnoreRules {
  const text = Buffer.from(content.buffer, content.byteOffset, content.byteLength).toString('latin1');
  const patterns = (text.startsWith(UTF8_BOM) ? text.slice(UTF8_BOM.length) : text)
    .split('\n')
    .map((line) => parseIgnoreLine(line, ignoreCase))
    .filter((pattern) => pattern !== undefined);
  const names = new NameTable(patterns);
  const paths = patterns
    .flatMap((pattern, rank) => (pattern.path === undefined ? [] : [{path: pattern.path, own: {rank, pattern}}]))
    .reverse();
  const byName = names.isEmpty ? undefined : judgeBy(patterns, (name, isFolder) => names.lastMatch(name, isFolder));
  return {
    inFolder(folder) {
      if (paths.length === 0) return byName;
      const active = paths.filter(({path}) => path.reaches(folder));
      if (active.length === 0) return byName;
      return judgeBy(patterns, (name, isFolder) => {
        const rank = names.lastMatch(name, isFolder);
        const later = active.find(({path, own}) => own.rank > rank && fits(own.pattern, isFolder) && path.matches(folder + name));
        return later?.own.rank ?? rank;
      });
    },
  };
}

const UTF8_BOM = '\u00ef\u00bb\u00bf';

function judgeBy(patterns: readonly IgnorePattern[], lastMatch: (name: string, isFolder: boolean) => number): FolderRules {
  return (name, isFolder) => {
    const pattern = patterns[lastMatch(name, isFolder)];
    if (pattern === undefined) return undefined;
    return pattern.negated ? 'included' : 'ignored';
  };
}

interface Ranked {
  readonly rank: number;
  readonly pattern: IgnorePattern;
}

/** The patterns without a slash, with tables for the two common kinds (`node_modules`, `*.log`): large trees have many names. */
class NameTable {
  readonly isEmpty: boolean;
  private readonly exact = new Map<string, Ranked[]>();
  private readonly extensions = new Map<string, Ranked[]>();
  private readonly others: Ranked[] = [];

  constructor(patterns: readonly IgnorePattern[]) {
    this.isEmpty = patterns.every(({name}) => name === undefined);
    for (const [rank, pattern] of patterns.entries()) this.add({rank, pattern});
    this.others.reverse();
  }

  /** Index of the last pattern that matches, or -1. */
  lastMatch(name: string, isFolder: boolean): number {
    const known = Math.max(lastFit(this.exact.get(name), isFolder), this.byExtension(name, isFolder));
    const other = this.others.find(({rank, pattern}) => rank < known || (fits(pattern, isFolder) && pattern.name?.matches(name) === true));
    return Math.max(known, other?.rank ?? -1);
  }

  private byExtension(name: string, isFolder: boolean): number {
    if (this.extensions.size === 0) return -1;
    const dot = name.lastIndexOf('.');
    return dot < 0 ? -1 : lastFit(this.extensions.get(name.slice(dot)), isFolder);
  }

  private add(ranked: Ranked): void {
    const name = ranked.pattern.name;
    if (name === undefined) return;
    if (name.exact !== undefined) append(this.exact, name.exact, ranked);
    else if (name.extension !== undefined) append(this.extensions, name.extension, ranked);
    else this.others.push(ranked);
  }
}

function fits(pattern: IgnorePattern, isFolder: boolean): boolean {
  return isFolder || !pattern.directoryOnly;
}

function lastFit(list: readonly Ranked[] | undefined, isFolder: boolean): number {
  return list?.findLast(({pattern}) => fits(pattern, isFolder))?.rank ?? -1;
}

function append(map: Map<string, Ranked[]>, key: string, value: Ranked): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}
