import type {Stats} from 'node:fs';
import {lstat} from 'node:fs/promises';
import {FettleError, systemErrorCode, toFettleError} from '../../../base/errors.ts';
import {encodeText, type TextEncoding} from '../../../text/encoding.ts';
import {stateOf} from '../../../workspace/file-state.ts';
import {notAFile} from '../../../workspace/open-regular-file.ts';
import {readTextFile} from '../../../workspace/read-file.ts';
import {refuseStale} from '../../../workspace/refuse-stale.ts';
import type {FileStep} from '../../../workspace/write-files.ts';
import type {ToolContext} from '../../context.ts';
import {MAX_EDITED_BYTES} from '../../../workspace/change-file.ts';

/** The files that a patch touches, as they are on disk and as they would be afterwards. Nothing is written here. */
export interface EnvelopeFiles {
  /** Returns the text as the patch so far has left it. Throws NOT_FOUND, NOT_TEXT, TOO_LARGE, STALE … */
  read(path: string): Promise<PlannedText>;
  write(path: string, text: PlannedText): Promise<void>;
  /** Throws NOT_FOUND, NOT_A_FILE for a folder, STALE. */
  remove(path: string): Promise<void>;
  /** Returns the changes to make; a file that ends up unchanged has none. */
  steps(): FileStep[];
  /** The same as changes of files. */
  changes(): {path: string; kind: 'add' | 'delete' | 'update'}[];
}

export interface PlannedText {
  readonly text: string;
  readonly encoding: TextEncoding;
  /** Mode of a file that replaces another. */
  readonly mode?: number | undefined;
}

interface PlannedFile {
  readonly stats: Stats | undefined;
  /** undefined: deleted, or never existed; 'untouched': as on disk. */
  now: PlannedText | 'untouched' | undefined;
}

export function createEnvelopeFiles(ctx: ToolContext): EnvelopeFiles {
  const files = new Map<string, PlannedFile>();
  const open = async (path: string): Promise<PlannedFile> => {
    const known = files.get(path) ?? (await onDisk(path, ctx));
    files.set(path, known);
    return known;
  };
  const touched = () => [...files].filter(([, {stats, now}]) => now !== 'untouched' && !(stats === undefined && now === undefined));
  return {
    async read(path) {
      const file = await open(path);
      if (file.now === undefined) throw missing(path);
      if (file.now !== 'untouched') return file.now;
      const {text, encoding} = await readTextFile(path, {maxBytes: MAX_EDITED_BYTES}, ctx.signal);
      return {text, encoding, mode: file.stats?.mode};
    },
    async write(path, text) {
      const file = await open(path);
      if (file.stats?.isFile() === false) throw notAFile(path, file.stats);
      file.now = text;
    },
    async remove(path) {
      const file = await open(path);
      if (file.now === undefined) throw missing(path);
      if (file.stats?.isDirectory() === true) throw notAFile(path, file.stats);
      file.now = undefined;
    },
    steps: () => touched().map(([path, file]) => stepFor(path, file)),
    changes: () =>
      touched().map(([path, {stats, now}]) => ({path, kind: now === undefined ? 'delete' : stats === undefined ? 'add' : 'update'})),
  };
}

async function onDisk(path: string, ctx: ToolContext): Promise<PlannedFile> {
  await refuseStale(path, ctx.files.known(path));
  try {
    return {stats: await lstat(path), now: 'untouched'};
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === 'ENOENT') return {stats: undefined, now: undefined};
    throw toFettleError(error);
  }
}

function stepFor(path: string, {stats, now}: PlannedFile): FileStep {
  if (typeof now !== 'object') return {kind: 'delete', path};
  const bytes = encodeText(now.text, now.encoding);
  // A file that existed keeps its own mode.
  return {
    kind: 'write',
    path,
    bytes,
    expect: stats === undefined ? 'absent' : stateOf(stats),
    mode: stats === undefined ? now.mode : undefined,
  };
}

function missing(path: string): FettleError {
  return new FettleError({
    code: 'NOT_FOUND',
    message: `${path} does not exist. Nothing was changed.`,
    hint: 'Find it with glob, or add it.',
  });
}
