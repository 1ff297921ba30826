import {createHash} from 'node:crypto';
import {existsSync, mkdirSync, readdirSync, realpathSync} from 'node:fs';
import {basename, join, relative, sep} from 'node:path';
import {bytePath, type BytePath} from '../byte-path.ts';
import {replaceFile, STORE_FS} from './store-fs.ts';
import {assertOwnFolder} from './stored-file.ts';

/** The location of the checkpoints of one workspace. */
export interface StorePlace {
  /** The workspace: absolute and real. */
  readonly root: string;
  readonly folder: string;
  readonly blobs: string;
  readonly turns: string;
  /** The last known state of the tree. */
  readonly index: string;
  /** The state folder of Fettle itself, if it is in the workspace: never saved, never written. */
  readonly own: BytePath | undefined;
}

export function storePlace(stateDir: string, root: string): StorePlace {
  const key = createHash('sha256').update(root).digest('hex').slice(0, 16);
  const folder = join(
    stateDir,
    'checkpoints',
    `${basename(root)
      .replaceAll(/[^A-Za-z0-9._-]/g, '_')
      .slice(0, 40)}-${key}`,
  );
  return {
    root,
    folder,
    blobs: join(folder, 'blobs'),
    turns: join(folder, 'turns'),
    index: join(folder, 'index.json'),
    own: ownFolder(stateDir, root),
  };
}

/** Creates the folders; only the owner may read them. Throws DENIED if one exists and belongs to another user, or is a link. */
export function makePlace({folder, turns, blobs, root}: StorePlace): void {
  for (const one of [folder, turns, blobs]) assertOwnFolder(one);
  mkdirSync(turns, {recursive: true, mode: 0o700});
  mkdirSync(blobs, {recursive: true, mode: 0o700});
  const file = join(folder, 'workspace.json');
  if (!existsSync(file)) replaceFile(STORE_FS, file, Buffer.from(JSON.stringify({root})));
}

export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

function ownFolder(stateDir: string, root: string): BytePath | undefined {
  const from = relative(root, realName(stateDir));
  return from === '' || from.startsWith(`..${sep}`) || from === '..' ? undefined : bytePath(from.split(sep).join('/'));
}

function realName(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
