import {readTextFile} from '../../workspace/read-file.ts';
import type {ResolvedPath} from '../../workspace/workspace.ts';
import type {FilePreview} from '../dispatch.ts';
import {shownPath} from './path-subjects.ts';

/** The text of a file before and after a change that is not made. Throws what reading and the change do. */
export async function previewChange(
  resolved: ResolvedPath,
  change: (text: string) => Promise<{readonly text: string}>,
  {maxBytes, signal}: {readonly maxBytes: number; readonly signal: AbortSignal},
): Promise<readonly FilePreview[]> {
  const before = resolved.exists ? (await readTextFile(resolved.path, {maxBytes}, signal)).text : '';
  return [{path: shownPath(resolved), before, after: (await change(before)).text}];
}
