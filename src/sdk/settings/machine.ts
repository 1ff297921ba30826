import {realpath} from 'node:fs/promises';
import {delimiter, isAbsolute, resolve, sep} from 'node:path';
import type {Machine} from '../../policy/places/machine-places.ts';
import type {SessionSettings} from './session-settings.ts';

/**
 * Finds the places of this machine that stay guarded whatever the workspace is: the home folder, and the folders on PATH. Those on PATH
 * that belong to the project itself (`bin`, `node_modules/.bin`, a virtual environment) are left out, so that it can be worked on; a
 * workspace that holds a home folder is not such a project.
 */
export async function machineOf({env, home, cwd}: Pick<SessionSettings, 'env' | 'home' | 'cwd'>): Promise<Machine> {
  const named = (env['PATH'] ?? '').split(delimiter).filter((path) => isAbsolute(path));
  const folders = [...new Set(named.map((path) => resolve(path)))].slice(0, MOST_FOLDERS);
  const [homes, real] = await Promise.all([withReal([home]), withReal(folders)]);
  const isBroad = homes.some((place) => isBelow(cwd, place));
  return {homes, programFolders: real.filter((folder) => isBroad || !isOwn(cwd, folder))};
}

const MOST_FOLDERS = 100;

async function withReal(paths: readonly string[]): Promise<string[]> {
  const real = await Promise.all(paths.map(async (path) => await realpath(path).catch(() => path)));
  return [...new Set([...paths, ...real])];
}

function isBelow(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);
}

/** A folder right below the workspace, or one that tools of development make in it. */
function isOwn(root: string, folder: string): boolean {
  if (folder === root || !isBelow(root, folder)) return false;
  const below = folder.slice(root.length + 1).split(sep);
  return below.length === 1 || OWN.test(below.join('/'));
}

const OWN =
  /(?:^|\/)(?:node_modules\/\.bin|vendor\/bin|\.?v?env[^/]*\/(?:bin|scripts)|target\/(?:debug|release)|\.tox\/.*|\.direnv\/.*|\.venvs?\/.*)$/i;
