import {createSearchEngine} from '../../../../search/create-engine.ts';
import {rankPaths} from '../../../../search/rank-paths.ts';
import type {PickerItem} from '../../host-adapter.ts';

/** Finds files and folders of a workspace by some of their characters; ignored and hidden ones are left out. */
export interface FileFinder {
  find(query: string, signal: AbortSignal): Promise<readonly PickerItem[]>;
  /** Files and folders of the newest list; undefined before there is one. */
  count(): number | undefined;
}

/** Each key asks again: the list of a moment ago is good enough, and a newer query aborts the one before by its signal. */
export function createFindFiles(root: string, now: () => number = () => performance.now()): FileFinder {
  const engine = createSearchEngine();
  let count: number | undefined;
  let listed: {readonly at: number; readonly paths: Promise<readonly string[]>} | undefined;
  const list = async (): Promise<readonly string[]> => {
    // Listing continues if a query is cancelled: the next one needs it.
    const query = {root, hidden: false, ignoreFiles: true, requireGit: false, order: 'path', limit: MOST_PATHS} as const;
    const {paths} = await engine.files(query, new AbortController().signal);
    const all = [...foldersOf(paths), ...paths];
    count = all.length;
    return all;
  };
  return {
    count: () => count,
    async find(query, signal) {
      if (listed === undefined || now() - listed.at > FRESH_MS) {
        const paths = list();
        listed = {at: now(), paths};
        paths.catch(() => (listed = undefined));
      }
      const found = await rankPaths(await listed.paths, {query, limit: MOST_FOUND}, signal);
      return found.map((path) => ({value: path, label: path}));
    },
  };
}

const FRESH_MS = 5000;
const MOST_PATHS = 200_000;
const MOST_FOUND = 50;

function foldersOf(paths: readonly string[]): readonly string[] {
  const folders = new Set<string>();
  for (const path of paths) {
    for (let slash = path.lastIndexOf('/'); slash > 0; slash = path.lastIndexOf('/', slash - 1)) {
      const folder = path.slice(0, slash + 1);
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  }
  return [...folders];
}
