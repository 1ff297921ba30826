import {posix} from 'node:path';

/** How a module is called: by its file, or its folder where the file has the name of every beginning. */
export function moduleName(path: string): string {
  const name = posix.basename(path).replace(/\..*$/, '');
  return name === '__init__' ? posix.basename(posix.dirname(path)) : name;
}
