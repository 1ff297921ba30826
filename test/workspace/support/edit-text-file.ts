import {applyExactEdit, type ExactEdit} from '../../../src/text/edit/exact-edit.ts';
import {changeTextFile, type ChangeLimits} from '../../../src/workspace/change-file.ts';

/** Changes a file by an exact edit, as the operation `edit.text` does. */
// oxlint-disable-next-line max-params -- the signal comes last in every asynchronous function of the folder
export async function editTextFile(path: string, edit: ExactEdit, limits: Omit<ChangeLimits, 'signal'>, signal: AbortSignal) {
  return await changeTextFile(path, async (text) => applyExactEdit(text, edit), {...limits, signal});
}
