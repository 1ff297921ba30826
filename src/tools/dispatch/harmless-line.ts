import {pathWithout} from '../../exec/variables/path-variable.ts';
import type {Subject} from '../../policy/decision.ts';
import type * as ChangesNothing from '../../policy/evaluate/changes-nothing.ts';
import {listFolderNames} from '../../workspace/list-folder.ts';
import type {ToolContext} from '../context.ts';
import type {PreparedCall} from '../toolset.ts';

/** Returns true for a call that is a command line known to change no file. A program of the workspace may do anything, whatever its name. */
export async function isHarmlessLine(
  {isLine}: Pick<PreparedCall, 'isLine'>,
  subjects: readonly Subject[],
  {exec, workspace}: Pick<ToolContext, 'exec' | 'workspace'>,
): Promise<boolean> {
  if (isLine !== true || exec.path === undefined || pathWithout(exec.path, [workspace.root]) !== exec.path) return false;
  const {changesNothing} = await (loading ??= import('../../policy/evaluate/changes-nothing.ts'));
  return await changesNothing(subjects, listFolderNames);
}

/** With the parser of shell lines, when the first one comes; to import it again takes time, too. */
let loading: Promise<typeof ChangesNothing> | undefined;
