import {once} from 'node:events';
import {createWriteStream, type WriteStream} from 'node:fs';
import {mkdir, readdir} from 'node:fs/promises';
import {join} from 'node:path';
import {finished} from 'node:stream/promises';
import {FettleError} from '../../base/errors.ts';
import type {Provenance} from './records.ts';
import type {Split} from './splits.ts';

/** Writes lines into `SPLIT.jsonl`, and where each comes from into the same line of `SPLIT.provenance.jsonl`. */
export interface DatasetWriter {
  /** Resolves when the writer can take more: what waits is bounded. */
  write(split: Split, record: object, provenance: Provenance): Promise<void>;
  /** Notes a rollout that was left out, and the one that it repeats. */
  noteDuplicate(note: {readonly rollout: string; readonly of: string}): Promise<void>;
  /** Ends all files; throws the first error of writing. */
  close(): Promise<void>;
}

/** Throws USAGE if the folder has anything in it: a dataset is whole or new. */
export async function emptyFolder(folder: string): Promise<void> {
  await mkdir(folder, {recursive: true, mode: 0o700});
  if ((await readdir(folder)).length === 0) return;
  throw new FettleError({code: 'USAGE', message: `${folder} is not empty.`, hint: 'Name a folder that does not exist yet.'});
}

/** The folder must be there. Files appear with their first line. */
export function createDatasetWriter(folder: string): DatasetWriter {
  const files = new Map<string, WriteStream>();
  let failure: unknown;
  const fileOf = (name: string): WriteStream => {
    const known = files.get(name);
    if (known !== undefined) return known;
    const file = createWriteStream(join(folder, name), {flags: 'wx', mode: 0o600});
    file.on('error', (error) => (failure ??= error));
    files.set(name, file);
    return file;
  };
  const line = async (name: string, value: object): Promise<void> => {
    if (failure !== undefined) throw failure;
    const file = fileOf(name);
    if (!file.write(`${JSON.stringify(value)}\n`)) await once(file, 'drain');
  };
  return {
    async write(split, record, provenance) {
      await line(`${split}.jsonl`, record);
      await line(`${split}.provenance.jsonl`, provenance);
    },
    noteDuplicate: async (note) => await line('near-duplicates.jsonl', note),
    async close() {
      for (const file of files.values()) file.end();
      await Promise.all([...files.values()].map(async (file) => finished(file)));
    },
  };
}
