import {access, constants, realpath} from 'node:fs/promises';
import {delimiter, isAbsolute, join, sep} from 'node:path';

export interface ToolPlace {
  /** The value of PATH. */
  readonly path: string;
  /** The folder that is worked in: no program of it is run. */
  readonly root: string;
}

/** Finds a program on PATH; undefined if it is not there, or only below the folder that is worked in. */
export async function findTool(name: string, {path, root}: ToolPlace): Promise<string | undefined> {
  const within = (await realpath(root)) + sep;
  for (const folder of path.split(delimiter).filter(isAbsolute)) {
    const program = join(folder, name);
    try {
      await access(program, constants.X_OK);
      if (!(await realpath(program)).startsWith(within)) return program;
    } catch {
      continue; // not here
    }
  }
  return undefined;
}
