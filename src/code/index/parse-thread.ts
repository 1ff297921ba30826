import type {MessagePort} from 'node:worker_threads';
import {parseSource, type Parsed, type ToParse} from './parse-source.ts';

export interface ParseBatch {
  readonly root: string;
  readonly files: readonly ToParse[];
}

/** The work of one thread: batches of files in, their facts out, as few large messages whose bytes are handed over, not copied. */
export function serveParsing(port: MessagePort): void {
  const {signal} = new AbortController();
  port.on('message', ({root, files}: ParseBatch) => {
    void (async () => {
      const parsed: Parsed[] = [];
      for (const file of files) parsed.push(await parseSource(root, file, signal));
      port.postMessage(parsed, parsed.flatMap(buffersOf));
    })();
  });
}

function buffersOf(parsed: Parsed): ArrayBuffer[] {
  if (parsed.is !== 'parsed') return [];
  const {core, links, detail, uses, nameAt, kinds, ranks} = parsed.file;
  return [core, links, detail, uses, nameAt, kinds, ranks].map(({buffer}) => buffer).filter((buffer) => buffer instanceof ArrayBuffer);
}
