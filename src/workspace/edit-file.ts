import {encodeText} from '../text/encoding.ts';
import {applyExactEdit, type EditedText, type ExactEdit} from '../text/exact-edit.ts';
import {sameState, type FileState} from './file-state.ts';
import {throwIfCancelled} from './open-regular-file.ts';
import {readTextFile} from './read-file.ts';
import {staleFile, writeFileAtomic} from './write-file.ts';

export interface EditLimits {
  readonly maxBytes: number;
  /** The state in which the caller knows the file; undefined: any. */
  readonly expect?: FileState | undefined;
}

export interface EditedFile extends Omit<EditedText, 'text'> {
  readonly before: string;
  readonly after: string;
  readonly state: FileState;
}

/**
 * Replaces text in a file and changes no other byte of it: encoding, byte order mark, line endings, mode and links stay.
 * Whoever changes the file between reading and writing wins: STALE.
 * @throws FettleError of `readTextFile`, `applyExactEdit`, `encodeText` and `writeFileAtomic`; the file is then as it was.
 */
// oxlint-disable-next-line max-params -- the signal comes last in every asynchronous function of this folder
export async function editTextFile(
  path: string,
  edit: ExactEdit,
  {maxBytes, expect}: EditLimits,
  signal: AbortSignal,
): Promise<EditedFile> {
  const file = await readTextFile(path, {maxBytes}, signal);
  if (expect !== undefined && !sameState(expect, file.state)) throw staleFile(path, 'changed on disk');
  const {text: after, replacements, spans} = applyExactEdit(file.text, edit);
  const bytes = encodeText(after, file.encoding);
  throwIfCancelled(signal);
  const {state} = await writeFileAtomic(path, bytes, {expect: file.state});
  return {replacements, spans, before: file.text, after, state};
}
