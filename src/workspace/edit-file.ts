import {applyExactEdit, type EditedText, type ExactEdit} from '../text/edit/exact-edit.ts';
import {changeTextFile, type ChangedFile, type ChangeLimits} from './change-file.ts';

export type EditLimits = Omit<ChangeLimits, 'signal'>;
export type EditedFile = Omit<EditedText, 'text'> & ChangedFile;

/**
 * Replaces text in a file and changes no other byte of it: encoding, byte order mark, line endings, mode and links stay.
 * @throws FettleError of `changeTextFile` and `applyExactEdit`; the file is then as it was.
 */
// oxlint-disable-next-line max-params -- the signal comes last in every asynchronous function of this folder
export async function editTextFile(path: string, edit: ExactEdit, limits: EditLimits, signal: AbortSignal): Promise<EditedFile> {
  return changeTextFile(path, async (text) => applyExactEdit(text, edit), {...limits, signal});
}
