import {availableParallelism} from 'node:os';
import {Worker} from 'node:worker_threads';
import type {Parsed, ToParse} from './parse-source.ts';
import type {ParseBatch} from './parse-thread.ts';

interface Job {
  readonly root: string;
  readonly files: readonly (ToParse & {readonly size: number})[];
  /** The file that each thread runs. */
  readonly entry: URL;
}

/** Parses files in up to two threads and hands each batch over as it comes. The threads end with the work, however it ends. */
export async function parseInThreads({root, files, entry}: Job, take: (parsed: readonly Parsed[]) => void): Promise<void> {
  const batches = batchesOf(files);
  const count = Math.min(MOST_THREADS, availableParallelism(), batches.length);
  const ended = new AbortController();
  const one = async (): Promise<void> => {
    while (batches.length > 0 && !ended.signal.aborted) await inOneThread({root, entry, batches}, take, ended.signal);
  };
  const all = Array.from({length: count}, one);
  try {
    await Promise.all(all);
  } finally {
    ended.abort();
    await Promise.allSettled(all);
  }
}

interface Feeding {
  readonly root: string;
  readonly entry: URL;
  /** Those that are left, the next one last. */
  readonly batches: ToParse[][];
}

/** A thread gives no memory back, neither that of its parser nor that of its heap: after some work another one takes its place. */
async function inOneThread(feeding: Feeding, take: (parsed: readonly Parsed[]) => void, ended: AbortSignal): Promise<void> {
  const worker = new Worker(feeding.entry, {resourceLimits: {maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 8}});
  const stop = (): void => void worker.terminate();
  ended.addEventListener('abort', stop, {once: true});
  try {
    await feed(worker, feeding, take);
  } finally {
    ended.removeEventListener('abort', stop);
    await worker.terminate();
  }
}

/** About 140,000 lines. */
const MOST_BATCHES = 20;
const MOST_THREADS = 2;
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
  return batches.reverse();
}

/** Two batches are on their way to each thread: it never waits for the one that writes. */
function feed(worker: Worker, {root, batches}: Feeding, take: (parsed: readonly Parsed[]) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    let [underWay, sent] = [0, 0];
    const send = (): void => {
      const files = sent < MOST_BATCHES ? batches.pop() : undefined;
      if (files === undefined) return;
      underWay++;
      sent++;
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      worker.postMessage({root, files} satisfies ParseBatch);
    };
    worker.on('message', (parsed: readonly Parsed[]) => {
      underWay--;
      send();
      try {
        take(parsed);
      } catch (thrown) {
        reject(thrown);
      }
      if (underWay === 0) resolve();
    });
    worker.on('error', reject);
    worker.on('exit', () => reject(new Error('A thread that parses has ended.')));
    send();
    send();
    if (underWay === 0) resolve();
  });
}
