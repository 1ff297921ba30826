import {readdir} from 'node:fs/promises';
import {join} from 'node:path';

/**
 * The folders of a project that may have instructions of their own, from its root, each with a `/` at its end. Nothing hidden, nothing that
 * other people wrote, no link, and no repository inside of it: that is a project of its own.
 */
export async function nestedFolders(root: string): Promise<string[]> {
  const found: string[] = [];
  let level = [''];
  for (let depth = 0; depth < DEEPEST && level.length > 0 && found.length < MOST_FOLDERS; depth += 1) {
    const below: string[] = [];
    for (const folder of level) {
      const entries = await readdir(join(root, folder), {withFileTypes: true}).catch(() => []);
      if (folder !== '' && entries.some(({name}) => name === '.git')) continue;
      if (folder !== '') found.push(folder);
      if (found.length >= MOST_FOLDERS) break;
      const names = entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith('.') && !FOREIGN.has(entry.name));
      below.push(...names.map(({name}) => `${folder}${name}/`).sort());
    }
    level = below;
  }
  return found;
}

const DEEPEST = 12;
const MOST_FOLDERS = 5000;
const FOREIGN: ReadonlySet<string> = new Set([
  'node_modules',
  'bower_components',
  'vendor',
  'target',
  'dist',
  'build',
  '__pycache__',
  'venv',
]);
