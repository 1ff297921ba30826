import {readdir, realpath, stat} from 'node:fs/promises';
import {join} from 'node:path';
import {systemErrorCode, toFettleError} from '../../base/errors.ts';

/** A folder or file that may contain tools. */
export interface ToolPlace {
  /** Absolute. */
  readonly path: string;
  /** The name of the place in messages: `tool_paths`, `the tools folder of the user`. */
  readonly from: string;
  /** False: it is not a mistake if the place does not exist. */
  readonly isExpected: boolean;
}

export interface FoundFiles {
  /** Real paths, each once: at its last place. */
  readonly files: readonly string[];
  readonly problems: readonly string[];
}

/** Returns the files that may hold tools, weak to strong: in the order of the places, and by path within each. */
export async function findToolFiles(places: readonly ToolPlace[]): Promise<FoundFiles> {
  const found: string[] = [];
  const problems: string[] = [];
  for (const place of places) {
    try {
      found.push(...(await filesOf(place.path)));
    } catch (thrown) {
      if (systemErrorCode(thrown) !== 'ENOENT') problems.push(`${place.path} (${place.from}): ${toFettleError(thrown).message}`);
      else if (place.isExpected) problems.push(`${place.path} (${place.from}): does not exist`);
    }
  }
  return {files: found.filter((file, index) => found.lastIndexOf(file) === index), problems};
}

async function filesOf(path: string): Promise<string[]> {
  const real = await realpath(path);
  if (!(await stat(real)).isDirectory()) return [real];
  return await filesBelow(real);
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, {withFileTypes: true});
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  const files: string[] = [];
  for (const entry of entries) {
    const path = join(folder, entry.name);
    // A link to a folder is not followed: it could lead in a circle.
    if (entry.isDirectory()) files.push(...(isSkippedFolder(entry.name) ? [] : await filesBelow(path)));
    else if (isToolFile(entry.name)) files.push(await realpath(path).catch(() => path));
  }
  return files;
}

function isSkippedFolder(name: string): boolean {
  return /^[._]/.test(name) || name === 'node_modules';
}

/** False for files whose names begin with `_`: they are parts of others (vibe tool system › Tool Discovery). */
function isToolFile(name: string): boolean {
  return /\.(?:ts|js|mjs)$/.test(name) && !name.endsWith('.d.ts') && !/^[._]/.test(name);
}
