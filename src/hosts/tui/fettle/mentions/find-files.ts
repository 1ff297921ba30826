import {setImmediate as breathe} from 'node:timers/promises';
import {createSearchEngine} from '../../../../search/create-engine.ts';
import {rankPaths} from '../../../../search/rank-paths.ts';
import type {PickerItem} from '../../host-adapter.ts';

/** Finds files and folders of a workspace by some of their characters; ignored and hidden ones are left out. */
export interface FileFinder {
  find(query: string, signal: AbortSignal): Promise<readonly PickerItem[]>;
  /** Files and folders of the newest list; undefined before there is one. */
  count(): number | undefined;
}

interface Listed {
  readonly paths: readonly string[];
  /** When the listing began, and how long it took; ms. */
  readonly at: number;
  readonly tookMs: number;
}

/** Each key asks again: the list of a moment ago is good enough, and a newer query aborts the one before by its signal. */
export function createFindFiles(root: string, now: () => number = () => performance.now()): FileFinder {
  const engine = createSearchEngine();
  let newest: Listed | undefined;
  let listing: Promise<Listed> | undefined;
  let narrowed: {readonly of: Listed; readonly query: string; readonly paths: readonly string[]} | undefined;
  const list = async (): Promise<Listed> => {
    const at = now();
    // The list goes on where a question is cancelled: the next one needs it.
    const query = {root, hidden: false, ignoreFiles: true, requireGit: false, order: 'path', limit: MOST_PATHS} as const;
    const {paths} = await engine.files(query, new AbortController().signal);
    const folders = await foldersOf(paths);
    return (newest = {paths: folders.concat(paths), at, tookMs: now() - at});
  };
  const listed = async (): Promise<Listed> => {
    if (newest !== undefined && now() - newest.at <= freshMs(newest)) return newest;
    listing ??= list().finally(() => (listing = undefined));
    // Where listing takes long the keys do not wait for a newer list.
    if (newest === undefined || newest.tookMs <= SHORT_MS) return await listing;
    listing.catch(() => undefined);
    return newest;
  };
  return {
    count: () => newest?.paths.length,
    async find(query, signal) {
      const of = await listed();
      // What does not fit the beginning of a query does not fit the rest.
      const paths = narrowed?.of === of && query.startsWith(narrowed.query) ? narrowed.paths : of.paths;
      const fitting: string[] = [];
      const found = await rankPaths(paths, {query, limit: MOST_FOUND, onFit: (path) => void fitting.push(path)}, signal);
      narrowed = {of, query, paths: fitting};
      return found.map((path) => ({value: path, label: path}));
    },
  };
}

/** A list that took long is kept longer: to make it anew takes a twentieth of the time at most. */
function freshMs({tookMs}: Listed): number {
  return Math.max(FRESH_MS, 20 * tookMs);
}

const FRESH_MS = 5000;
const SHORT_MS = 100;
const MOST_PATHS = 1_000_000;
const MOST_FOUND = 50;

async function foldersOf(paths: readonly string[]): Promise<string[]> {
  const folders = new Set<string>();
  let last = '';
  for (const [at, path] of paths.entries()) {
    if (at % PIECE === PIECE - 1) await breathe();
    // Neighbours are in the same folder, as a rule.
    const end = path.lastIndexOf('/') + 1;
    if (end === last.length && path.startsWith(last)) continue;
    last = path.slice(0, end);
    for (let slash = end - 1; slash > 0; slash = path.lastIndexOf('/', slash - 1)) {
      const folder = path.slice(0, slash + 1);
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  }
  return [...folders];
}

/** Paths between two looks at what else waits. */
const PIECE = 20_000;
