import {readdir} from 'node:fs/promises';
import {join} from 'node:path';
import {readItem} from '../../config/trust/read-item.ts';
import {trustItemText} from '../../config/trust/trust-item.ts';

/** Facts about a project, in the words of its developers. */
export interface Facts {
  readonly commands: readonly NamedCommand[];
  /** Sentences. */
  readonly conventions: readonly string[];
}

export interface NamedCommand {
  /** `Test`, `Lint` … */
  readonly what: string;
  readonly command: string;
}

/** The files of a project from which facts are read: regular ones inside of it, of a bearable size. */
export interface FactFiles {
  /** The names in a folder of the project, sorted; none if it is not a folder. */
  names(folder: string): Promise<readonly string[]>;
  /** undefined: there is none that can be read. */
  text(path: string): Promise<string | undefined>;
}

export function factFiles(root: string): FactFiles {
  return {
    async names(folder) {
      const entries = await readdir(join(root, folder), {withFileTypes: true}).catch(() => []);
      return entries
        .filter((entry) => !entry.isSymbolicLink())
        .map(({name}) => name)
        .sort()
        .slice(0, MOST_NAMES);
    },
    async text(path) {
      const read = await readItem(root, path, 'instructions');
      return 'item' in read && read.item.bytes.length <= MOST_BYTES ? trustItemText(read.item) : undefined;
    },
  };
}

const MOST_NAMES = 2000;
const MOST_BYTES = 1024 * 1024;

/** True for a name that is harmless in a command or a text: it comes from a file that anybody may have written. */
export function isPlainName(name: string): boolean {
  return /^[A-Za-z0-9@][\w@./:+-]{0,60}$/.test(name);
}
