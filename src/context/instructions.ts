import {FettleError, toFettleError} from '../base/errors.ts';
import type {Workspace} from '../workspace/workspace.ts';
import {readTextFile} from '../workspace/read-file.ts';

export interface Instructions {
  /** Relative to the root of the workspace. */
  readonly path: string;
  readonly text: string;
}

const FILE = 'AGENTS.md';
/** The bound that other agents use for this file, in bytes (AGENTS.md convention). */
const MAX_BYTES = 32 * 1024;

/** The AGENTS.md at the root of the workspace; none where it is missing, empty, or leads out of the workspace. Too long: CONFIG. */
export async function projectInstructions(workspace: Workspace, signal: AbortSignal): Promise<readonly Instructions[]> {
  try {
    const {path} = await workspace.resolve(FILE, {scope: 'inside', forWrite: false});
    const {text} = await readTextFile(path, {maxBytes: MAX_BYTES}, signal);
    return text.trim() === '' ? [] : [{path: FILE, text}];
  } catch (thrown) {
    const error = toFettleError(thrown);
    if (error.code === 'TOO_LARGE') {
      const message = `${FILE} is larger than ${MAX_BYTES / 1024} KiB.`;
      throw new FettleError({code: 'CONFIG', message, hint: 'Shorten it: all of it is sent with every request.', cause: error});
    }
    if (['NOT_FOUND', 'OUTSIDE_SCOPE', 'NOT_A_FILE', 'NOT_TEXT', 'DENIED'].includes(error.code)) return [];
    throw error;
  }
}
