import {posix} from 'node:path';
import {trustItemText, type TrustItem} from '../../config/trust/trust-item.ts';
import {meansFile, type NamedText, type ReadImport} from './expand-imports.ts';
import {isRuleName} from './user-texts.ts';

/** The trusted texts of a project. */
export interface ProjectTexts {
  /** From the root down. */
  readonly files: readonly NamedText[];
  readonly rules: readonly NamedText[];
  readonly read: ReadImport;
}

/** Gives the trusted text of a file of the project, by its path from the root; undefined: there is none that is trusted. */
export type ReadTrusted = (path: string) => Promise<string | undefined>;

/**
 * The instructions of a project on the way from its root to a folder, and its rules: the bytes that were trusted.
 * @param folder From the root; '' is the root itself.
 */
export function projectTexts(items: readonly TrustItem[], folder: string, readTrusted: ReadTrusted): ProjectTexts {
  const named = (item: TrustItem): NamedText => ({path: item.path, text: trustItemText(item)});
  const folderOf = ({path}: TrustItem): string => path.replace(/[^/]*$/, '');
  const isOnTheWay = (item: TrustItem): boolean => `${folder}/`.startsWith(folderOf(item));
  return {
    files: items
      .filter((item) => item.kind === 'instructions' && isOnTheWay(item))
      .sort((a, b) => folderOf(a).length - folderOf(b).length)
      .map(named),
    rules: items.filter(({kind, path}) => kind === 'rule' && isRuleName(path)).map(named),
    read: projectImports(readTrusted),
  };
}

/** Imports of a project's texts: files of the project alone, as they were trusted. */
export function projectImports(readTrusted: ReadTrusted): ReadImport {
  return async (path, from) => {
    if (/^[~/]/.test(path)) return {problem: 'it is outside the project'};
    const inside = posix.join(posix.dirname(from), path);
    if (inside.startsWith('../')) return {problem: 'it is outside the project'};
    const text = await readTrusted(inside);
    if (text !== undefined) return {path: inside, text};
    return meansFile(path) ? {problem: 'no such file, or it is not part of what you trusted'} : undefined;
  };
}
