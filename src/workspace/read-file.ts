import {FettleError} from '../base/errors.ts';
import {decodeText, type TextEncoding} from '../text/encoding.ts';
import {stateOf, type FileState} from './file-state.ts';
import {readWhole, throwIfCancelled, withRegularFile} from './open-regular-file.ts';

export interface TextFile {
  /** Decoded; `displayText` before it is shown. */
  readonly text: string;
  readonly encoding: TextEncoding;
  /** The state before reading: any later change makes the file differ. */
  readonly state: FileState;
  /** Bytes on disk. */
  readonly bytes: number;
}

/**
 * Reads a whole text file. A file that grows meanwhile is read up to the size it had.
 * @throws FettleError NOT_FOUND, DENIED, NOT_A_FILE, NOT_TEXT, TOO_LARGE (more than `maxBytes`), CANCELLED.
 */
export async function readTextFile(path: string, limits: {readonly maxBytes: number}, signal: AbortSignal): Promise<TextFile> {
  throwIfCancelled(signal);
  return withRegularFile(path, async (fd, stats) => {
    if (stats.size > limits.maxBytes) throw tooLarge(path, stats.size, limits.maxBytes);
    const bytes = await readWhole(fd, stats);
    throwIfCancelled(signal);
    return {...decodeText(bytes), state: stateOf(stats), bytes: bytes.length};
  });
}

function tooLarge(path: string, size: number, limit: number): FettleError {
  return new FettleError({
    code: 'TOO_LARGE',
    message: `${path} has ${size} bytes, the limit is ${limit}.`,
    hint: 'Read a range of lines, or search in it.',
  });
}
