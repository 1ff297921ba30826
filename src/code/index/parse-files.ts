import {availableParallelism} from 'node:os';
import type {ParseTask} from './index-thread.ts';
import {parseBatch, type Parsed, type ToParse} from './parse-source.ts';
import {mapInWorkers} from './share-work.ts';

interface Job {
  readonly root: string;
  readonly files: readonly (ToParse & {readonly size: number})[];
  /** The file that each thread runs. */
  readonly entry: URL;
}

/** Parses files in threads and hands each batch over as it comes. */
export async function parseFiles({root, files, entry}: Job, take: (parsed: readonly Parsed[]) => void, signal: AbortSignal): Promise<void> {
  // From the end they go to a thread, and the memory that a large text needs goes with it.
  const inOrder = [...files.filter(({size}) => size < LARGE), ...files.filter(({size}) => size >= LARGE)];
  const tasks = batchesOf(inOrder).map((batch): ParseTask => ({is: 'parse', root, files: batch}));
  const here = (task: ParseTask): Promise<readonly Parsed[]> => parseBatch(task, signal);
  await mapInWorkers({entry, tasks, here, cores: availableParallelism()}, take, signal);
}

/** Bytes: the parser takes a hundred times as much memory, and keeps it. */
const LARGE = 200_000;
/** Bytes of source in a batch, and files. */
const BATCH_BYTES = 300_000;
const BATCH_FILES = 200;

function batchesOf(files: Job['files']): ToParse[][] {
  const batches: ToParse[][] = [];
  let bytes = Infinity;
  for (const {path, language, hash, size} of files) {
    const last = batches.at(-1);
    if (last === undefined || bytes + size > BATCH_BYTES || last.length >= BATCH_FILES) {
      batches.push([]);
      bytes = 0;
    }
    bytes += size;
    batches.at(-1)?.push({path, language, hash});
  }
  return batches;
}
