import {encodeText} from '../text/encoding.ts';
import {sameState, type FileState, type WrittenState} from './file-state.ts';
import {throwIfCancelled} from './open-regular-file.ts';
import {readTextFile} from './read-file.ts';
import {staleFile, writeFileAtomic} from './write-file.ts';

export interface ChangeLimits {
  readonly maxBytes: number;
  /** The state in which the caller knows the file; undefined: any. */
  readonly expect?: FileState | undefined;
  readonly signal: AbortSignal;
}

export interface ChangedFile {
  readonly before: string;
  readonly after: string;
  readonly state: WrittenState;
}

/** Larger files are not edited by models. */
export const MAX_EDITED_BYTES = 20_000_000;

/**
 * Lets a function change the text of a file, and no other byte: encoding, byte order mark, mode and links stay.
 * An unchanged text is not written. If others change the file between reading and writing, their change stays:
 * STALE. @throws FettleError the errors of `readTextFile`, `change`, `encodeText` and `writeFileAtomic`; the
 * file is then unchanged.
 */
export async function changeTextFile<Change extends {readonly text: string}>(
  path: string,
  change: (text: string) => Promise<Change>,
  {maxBytes, expect, signal}: ChangeLimits,
): Promise<Omit<Change, 'text'> & ChangedFile> {
  const file = await readTextFile(path, {maxBytes}, signal);
  if (expect !== undefined && !sameState(expect, file.state)) throw staleFile(path, 'changed on disk');
  const {text: after, ...rest} = await change(file.text);
  throwIfCancelled(signal);
  if (after === file.text) return {...rest, before: after, after, state: file.state};
  const bytes = encodeText(after, file.encoding);
  const {state} = await writeFileAtomic(path, bytes, {expect: file.state});
  return {...rest, before: file.text, after, state};
}
