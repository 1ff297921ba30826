import {existsSync} from 'node:fs';
import {builtinModules} from 'node:module';
import {dirname, join} from 'node:path';

/** Whether a package for Node, or its types, can be found from this folder (Node › modules › loading from `node_modules` folders). */
export function isInstalled(root: string, name: string): boolean {
  if (builtinModules.includes(name)) return true;
  const types = `@types/${name.replace('/', '__').replace(/^@/u, '')}`;
  for (let at = root; ; at = dirname(at)) {
    if (existsSync(join(at, 'node_modules', name)) || existsSync(join(at, 'node_modules', types))) return true;
    if (dirname(at) === at) return false;
  }
}
