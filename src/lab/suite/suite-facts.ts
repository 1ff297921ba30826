import {access, constants, readdir} from 'node:fs/promises';
import {delimiter, isAbsolute, join} from 'node:path';

/** The properties of this machine on which it depends whether a task can be run here. */
export interface SuiteFacts {
  /** Names of the programs on PATH. */
  readonly programs: ReadonlySet<string>;
  /** Says whether containers can be run here. Asked only for a task that needs one, since an engine takes its time to answer. */
  readonly hasContainers?: (() => Promise<boolean>) | undefined;
  /** Folder for what is made of imported tasks, such as the test files of a patch; hidden from agents like the suite itself. */
  readonly importsFolder: string;
}

/** Returns the names of the programs on PATH. Folders that cannot be read, and relative ones, have none. */
export async function programsOn(path: string): Promise<ReadonlySet<string>> {
  const folders = path.split(delimiter).filter(isAbsolute);
  const found = await Promise.all([...new Set(folders)].map(programsIn));
  return new Set(found.flat());
}

async function programsIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((): string[] => []);
  const runnable = await Promise.all(
    names.map((name) =>
      access(join(folder, name), constants.X_OK).then(
        () => true,
        () => false,
      ),
    ),
  );
  return names.filter((_, index) => runnable[index]);
}
