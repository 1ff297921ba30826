import {opendirSync, realpathSync, statSync, type Dirent} from 'node:fs';
import {join} from 'node:path';
import type {FolderNames} from '../policy/decision.ts';

/** Larger folders are not listed: a decision has no time for them. */
const MOST_NAMES = 2000;
const MOST_LINKS = 200;

/** Lists a folder for the policy, to expand a glob. Undefined if it cannot be listed, or is too large. */
export function listFolderNames(folder: string): FolderNames | undefined {
  try {
    const found = entriesOf(folder);
    if (found === undefined) return undefined;
    const linked = found.filter((entry) => entry.isSymbolicLink());
    if (linked.length > MOST_LINKS) return undefined;
    const links = new Map(linked.map(({name}) => [name, realPathOf(join(folder, name))]));
    const isFolder = (entry: Dirent): boolean => entry.isDirectory() || leadsToFolder(links.get(entry.name));
    return {
      real: realpathSync(folder),
      names: found.map(({name}) => name),
      links,
      folders: new Set(found.filter(isFolder).map(({name}) => name)),
    };
  } catch {
    return undefined;
  }
}

function entriesOf(folder: string): readonly Dirent[] | undefined {
  const opened = opendirSync(folder);
  try {
    const found: Dirent[] = [];
    for (let entry = opened.readSync(); entry !== null; entry = opened.readSync()) {
      found.push(entry);
      if (found.length > MOST_NAMES) return undefined;
    }
    return found;
  } finally {
    opened.closeSync();
  }
}

function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return '';
  }
}

function leadsToFolder(real: string | undefined): boolean {
  return real !== undefined && real !== '' && statSync(real, {throwIfNoEntry: false})?.isDirectory() === true;
}
