import {readTextFile} from '../../../workspace/read-file.ts';
import type {ResolvedPath} from '../../../workspace/workspace.ts';
import type {FileState} from '../../../workspace/file-state.ts';
import type {PlannedFile} from '../../operation.ts';
import {shownPath} from './path-subjects.ts';

/** Previews a call that only changes one file: its text before and after. Throws the errors of reading and of the change. */
export async function previewChange(
  resolved: ResolvedPath,
  change: (text: string) => Promise<{readonly text: string}>,
  {maxBytes, expect, signal}: {readonly maxBytes: number; readonly expect: FileState | undefined; readonly signal: AbortSignal},
): Promise<readonly PlannedFile[]> {
  const before = resolved.exists ? (await readTextFile(resolved.path, {maxBytes}, signal)).text : undefined;
  const {text: after} = await change(before ?? '');
  return [{path: shownPath(resolved), before, after, target: {file: resolved.path, expect}}];
}
