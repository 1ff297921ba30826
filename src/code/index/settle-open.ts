import type {DatabaseSync} from 'node:sqlite';
import {setImmediate} from 'node:timers/promises';
import {IndexWriter} from '../store/index-writer.ts';
import {createResolver} from './resolve-open.ts';

export interface OpenIndex {
  readonly root: string;
  readonly database: DatabaseSync;
  /** Asked between batches; true leaves the rest open. */
  readonly isUnwanted?: (() => boolean) | undefined;
}

/** Files whose edges are written in one transaction. */
const BATCH = 200;
/** Where somebody may come who waits for something else. */
const SMALL_BATCH = 10;

/** Resolves the files that are open, until there are none. */
export async function settleOpen({root, database, isUnwanted}: OpenIndex, signal: AbortSignal): Promise<void> {
  const writer = new IndexWriter(database);
  const resolve = createResolver(database, root);
  const limit = isUnwanted === undefined ? BATCH : SMALL_BATCH;
  for (let open = writer.openFiles(limit); open.length > 0; open = writer.openFiles(limit)) {
    signal.throwIfAborted();
    if (isUnwanted?.() === true) return;
    const resolved = open.map(resolve);
    writer.transaction(() => {
      for (const resolution of resolved) writer.storeEdges(resolution);
    });
    await setImmediate(); // messages and the end of the owner are noticed in between
  }
}
