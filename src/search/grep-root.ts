import {stat} from 'node:fs/promises';
import {basename, dirname} from 'node:path';
import {FettleError, toFettleError} from '../base/errors.ts';
import type {GrepQuery} from './engine.ts';

/** The root of a search: a folder, or one file in it. */
export interface GrepRoot {
  readonly folder: string;
  readonly file: string | undefined;
}

/** Checks what both engines need of a query. Throws NOT_FOUND, DENIED …, NOT_A_FILE for pipes and devices, BAD_ARGS, CANCELLED. */
export async function openGrepRoot({root, pattern, globs}: GrepQuery, signal: AbortSignal): Promise<GrepRoot> {
  if (signal.aborted) throw new FettleError({code: 'CANCELLED', message: 'The search was cancelled.'});
  const texts = [pattern, ...globs];
  if (texts.some((text) => text.includes('\0'))) {
    throw new FettleError({code: 'BAD_ARGS', message: 'A pattern or glob holds a NUL character.', hint: 'Write it as \\x00.'});
  }
  if (texts.some((text) => text.length > LONGEST)) {
    throw new FettleError({
      code: 'BAD_ARGS',
      message: `A pattern or glob is longer than ${LONGEST} characters.`,
      hint: 'Search for a part of it.',
    });
  }
  const info = await stat(root).catch((error: unknown) => {
    throw toFettleError(error);
  });
  if (info.isDirectory()) return {folder: root, file: undefined};
  if (info.isFile()) return {folder: dirname(root), file: basename(root)};
  throw new FettleError({code: 'NOT_A_FILE', message: `${root} is a pipe, socket or device.`, hint: 'Search a folder or a regular file.'});
}

/** Linux takes 128 KiB for one argument of a program. */
const LONGEST = 30_000;
