import type {MessagePort} from 'node:worker_threads';
import {FettleError} from '../../base/errors.ts';
import type {Resolution} from '../store/index-writer.ts';
import {openForReading} from '../store/open-database.ts';
import {parseBatch, type Parsed, type ToParse} from './parse-source.ts';
import {createResolver} from './resolve-open.ts';

/** What a thread is asked; it answers with a list of `Parsed`. */
export interface ParseTask {
  readonly is: 'parse';
  readonly root: string;
  readonly files: readonly ToParse[];
}

/** It answers with a list of `Resolution`. */
export interface ResolveTask {
  readonly is: 'resolve';
  readonly root: string;
  /** The database, which threads only read. */
  readonly database: string;
  /** Ids of files that are open. */
  readonly files: readonly number[];
}

/** The work of one thread: answers are few large messages whose bytes are handed over, not copied. */
export function serveThread(port: MessagePort): void {
  const {signal} = new AbortController();
  let resolve: ((file: number) => Resolution) | undefined;
  port.on('message', (task: ParseTask | ResolveTask) => {
    if (task.is === 'parse') {
      void parseBatch(task, signal).then((parsed) => port.postMessage(parsed, parsed.flatMap(buffersOf)));
      return;
    }
    resolve ??= openResolver(task);
    port.postMessage(task.files.map(resolve));
  });
}

function buffersOf(parsed: Parsed): ArrayBuffer[] {
  if (parsed.is !== 'parsed') return [];
  const {core, links, detail, uses, nameAt, kinds, ranks} = parsed.file;
  return [core, links, detail, uses, nameAt, kinds, ranks].map(({buffer}) => buffer).filter((buffer) => buffer instanceof ArrayBuffer);
}

/** The connection ends with the thread. */
function openResolver({database: path, root}: ResolveTask): (file: number) => Resolution {
  const database = openForReading(path);
  if (database === undefined) throw new FettleError({code: 'UNAVAILABLE', message: `The code index ${path} is gone.`, hint: 'Ask again.'});
  database.exec('PRAGMA mmap_size = 0'); // the pages of each connection would count as memory of this process
  return createResolver(database, root);
}
