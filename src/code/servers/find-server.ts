import {execFile} from 'node:child_process';
import {access, constants, realpath} from 'node:fs/promises';
import {delimiter, isAbsolute, join, sep} from 'node:path';
import {promisify} from 'node:util';
import type {Variables} from '../../exec/variables/child-environment.ts';
import type {FoundServer, ServerSpec} from './server-spec.ts';

export interface ServerSearch {
  readonly language: string;
  readonly specs: readonly ServerSpec[];
  /** The real path of the workspace. */
  readonly root: string;
  /** What children see; its PATH is searched. */
  readonly env: Variables;
  /** Whether a program may lie in the workspace. */
  readonly mayRunProject: boolean;
}

/** The first server for a language whose program is installed and new enough: in the project's `node_modules/.bin`, else on PATH. */
export async function findServer(at: ServerSearch, signal: AbortSignal): Promise<FoundServer | undefined> {
  for (const spec of at.specs.filter(({languages}) => languages.includes(at.language))) {
    // The project may have an older one than PATH.
    for (const found of await findPrograms(spec.command, at))
      if (await isNewEnough({...spec, ...found}, at, signal)) return {...spec, ...found};
  }
  return undefined;
}

type Program = Pick<FoundServer, 'program' | 'isInProject'>;

async function findPrograms(command: string, {root, env, mayRunProject}: ServerSearch): Promise<readonly Program[]> {
  const folders = [join(root, 'node_modules', '.bin'), ...(env['PATH'] ?? '').split(delimiter).filter(isAbsolute)];
  const places = isAbsolute(command) ? [command] : folders.map((folder) => join(folder, command));
  const found: Program[] = [];
  for (const program of new Set(places)) {
    const isThere = await access(program, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (!isThere) continue;
    const isInProject = program.startsWith(root + sep) || (await realpath(program)).startsWith(root + sep);
    if (mayRunProject || !isInProject) found.push({program, isInProject});
  }
  return found;
}

async function isNewEnough(
  {program, versionArgs, versionPattern}: FoundServer,
  {root, env}: Pick<ServerSearch, 'root' | 'env'>,
  signal: AbortSignal,
): Promise<boolean> {
  if (versionArgs === undefined || versionPattern === undefined) return true;
  try {
    const {stdout} = await promisify(execFile)(program, versionArgs, {cwd: root, env, signal, timeout: VERSION_MS, maxBuffer: 10_000});
    return versionPattern.test(stdout);
  } catch {
    return false; // what cannot tell its version is no server that we know
  }
}

const VERSION_MS = 5000;
