import type {DatabaseSync} from 'node:sqlite';
import {availableParallelism} from 'node:os';
import {setImmediate} from 'node:timers/promises';
import {IndexWriter, type Resolution} from '../store/index-writer.ts';
import type {ResolveTask} from './index-thread.ts';
import {createResolver} from './resolve-open.ts';
import {mapInWorkers} from './share-work.ts';

export interface OpenIndex {
  readonly root: string;
  readonly database: DatabaseSync;
  /** The file that threads run. */
  readonly entry: URL;
  /** Asked between batches; true leaves the rest open. */
  readonly isUnwanted?: (() => boolean) | undefined;
}

/** Below this many files a thread would take longer to start than the files to resolve. */
const FEW_FILES = 300;
/** Files whose edges are written in one transaction. */
const BATCH = 50;
/** Where somebody may come who waits for something else. */
const SMALL_BATCH = 10;

/** Resolves the files that are open, until there are none. */
export async function settleOpen(index: OpenIndex, signal: AbortSignal): Promise<void> {
  const {root, database, isUnwanted} = index;
  const writer = new IndexWriter(database);
  const resolve = createResolver(database, root);
  const write = (resolved: readonly Resolution[]): void =>
    writer.transaction(() => {
      for (const resolution of resolved) writer.storeEdges(resolution);
    });
  const files = writer.openFiles();
  if (isUnwanted === undefined && files.length > FEW_FILES) {
    const tasks = tasksOf(index, files);
    const here = (task: ResolveTask): Resolution[] => task.files.map(resolve);
    await mapInWorkers({entry: index.entry, tasks, here, cores: availableParallelism()}, write, signal);
    return;
  }
  const size = isUnwanted === undefined ? BATCH : SMALL_BATCH;
  for (let start = 0; start < files.length; start += size) {
    signal.throwIfAborted();
    if (isUnwanted?.() === true) return;
    write(files.slice(start, start + size).map(resolve));
    await setImmediate(); // messages and the end of the owner are noticed in between
  }
}

function tasksOf({root, database}: OpenIndex, files: readonly number[]): ResolveTask[] {
  const path = database.location() ?? '';
  const starts = Array.from({length: Math.ceil(files.length / BATCH)}, (_, batch) => batch * BATCH);
  return starts.map((start) => ({is: 'resolve', root, database: path, files: files.slice(start, start + BATCH)}));
}
