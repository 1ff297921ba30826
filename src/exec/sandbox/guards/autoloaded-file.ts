import {lstatSync, readdirSync, type Dirent} from 'node:fs';

/** Something in a workspace that programs outside run or load, and that no mount covers. */
export interface AutoloadedFile {
  /**
   * `name`: a file or link by its name. `folder`: a folder by its name; entries in it are `inner`. For git:
   * `repository`, with its `config`, `hook`, `pointer` (a file that leads to another folder) and `todo` (the
   * remaining steps of a rebase). `unlooked`: names that are not text.
   */
  readonly kind: 'name' | 'folder' | 'inner' | 'repository' | 'config' | 'hook' | 'pointer' | 'todo' | 'unlooked';
  /** The same: it was not changed. */
  readonly stamp: string;
}

/** Records an entry found by a scan, by its path from the root. */
export type Add = (path: string, kind: AutoloadedFile['kind']) => void;

/** Empty for anything but a folder that can be read. */
export function entriesOf(folder: string): Dirent[] {
  try {
    return lstatSync(folder).isDirectory() ? readdirSync(folder, {withFileTypes: true}) : [];
  } catch {
    return [];
  }
}
