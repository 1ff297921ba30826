import {readdir} from 'node:fs/promises';
import {join} from 'node:path';
import {toFettleError} from '../../base/errors.ts';
import {readTextFile} from '../../workspace/read-file.ts';
import {readCommand, type CustomCommand} from './custom-command.ts';

/** The text of a file of a project as it was trusted. */
export interface TrustedCommand {
  /** From the root of the project, `.fettle/commands/…`. */
  readonly path: string;
  readonly text: string;
}

export interface FoundCommands {
  /** By name; those of the user before those of the project. */
  readonly commands: readonly CustomCommand[];
  /** Problems to report to the user, one line each. */
  readonly problems: readonly string[];
}

/**
 * The commands of the user (`commands` beside the configuration) and those of a trusted project. The first of a name counts, so that a project
 * cannot take the place of one of the user's.
 */
export async function findCommands(folder: string, project: readonly TrustedCommand[]): Promise<FoundCommands> {
  const found = new Map<string, CustomCommand>();
  const problems: string[] = [];
  const add = (text: string, file: string, {below, isProject}: {below: string; isProject: boolean}): void => {
    const name = below.replace(/\.md$/i, '').split('/').join(':');
    const read = NAME.test(name)
      ? readCommand(text, {name, file, isProject})
      : {problem: 'its name must be of letters, digits, "-" and "_"'};
    if ('problem' in read) return void problems.push(`${file}: not used: ${read.problem}`);
    const first = found.get(name);
    if (first === undefined) found.set(name, read);
    else problems.push(`${file}: not used: ${first.file} has the same name`);
  };
  for (const below of await filesBelow(folder, '')) {
    try {
      add((await readTextFile(join(folder, below), {maxBytes: MOST_BYTES}, new AbortController().signal)).text, join(folder, below), {
        below,
        isProject: false,
      });
    } catch (thrown) {
      problems.push(`${join(folder, below)}: not used: ${toFettleError(thrown).message}`);
    }
  }
  for (const {path, text} of project) {
    if (/\.md$/i.test(path)) add(text, path, {below: path.slice(PROJECT.length), isProject: true});
  }
  return {commands: [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1)), problems};
}

const PROJECT = '.fettle/commands/';
const NAME = /^[\p{L}\p{N}][\p{L}\p{N}_-]*(?::[\p{L}\p{N}][\p{L}\p{N}_-]*)*$/u;
const MOST_BYTES = 256 * 1024;
const MOST_ENTRIES = 200;

/** Markdown files in the order of their names, two folders deep; paths with `/`. */
async function filesBelow(root: string, folder: string, depth = 0): Promise<string[]> {
  const entries = (await readdir(join(root, folder), {withFileTypes: true}).catch(() => [])).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const found = await Promise.all(
    entries.slice(0, MOST_ENTRIES).map(async (entry) => {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) return depth < 2 ? await filesBelow(root, path, depth + 1) : [];
      return /\.md$/i.test(entry.name) ? [path] : [];
    }),
  );
  return found.flat();
}
