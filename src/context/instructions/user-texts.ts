import {readdir, realpath} from 'node:fs/promises';
import {dirname, isAbsolute, join, relative, resolve, sep} from 'node:path';
import {FettleError, toFettleError} from '../../base/errors.ts';
import {INSTRUCTION_NAMES} from '../../config/trust/instruction-text.ts';
import {secretRead} from '../../policy/places/protected-paths.ts';
import {readTextFile} from '../../workspace/read-file.ts';
import {meansFile, type NamedText, type ReadImport} from './expand-imports.ts';

export interface UserPlace {
  readonly configDir: string;
  /** Absolute. */
  readonly home: string;
}

export interface UserTexts {
  /** Weak to strong. */
  readonly files: readonly NamedText[];
  readonly rules: readonly NamedText[];
  readonly problems: readonly string[];
}

/**
 * Finds a person's texts for every project: `~/.agents/AGENTS.md`, then AGENTS.override.md or AGENTS.md and `rules` beside the
 * configuration.
 */
export async function userTexts({configDir, home}: UserPlace): Promise<UserTexts> {
  const problems: string[] = [];
  const read = async (path: string): Promise<NamedText | undefined> => {
    try {
      return {path, text: (await readTextFile(path, {maxBytes: MOST_BYTES}, new AbortController().signal)).text};
    } catch (thrown) {
      const error = toFettleError(thrown);
      if (error.code !== 'NOT_FOUND') problems.push(`not used: ${error.message}`);
      return undefined;
    }
  };
  const [shared, ruleFiles] = await Promise.all([read(join(home, '.agents', 'AGENTS.md')), markdownBelow(join(configDir, 'rules'))]);
  let own: NamedText | undefined;
  for (const name of INSTRUCTION_NAMES) own ??= await read(join(configDir, name));
  const rules = await Promise.all(ruleFiles.map(read));
  const isThere = (text: NamedText | undefined): text is NamedText => text !== undefined;
  return {files: [shared, own].filter(isThere), rules: rules.filter(isThere), problems};
}

const MOST_BYTES = 256 * 1024;

/** Markdown files in the order of their names; a README is for people. */
async function markdownBelow(folder: string, depth = 0): Promise<string[]> {
  const entries = (await readdir(folder, {withFileTypes: true}).catch(() => [])).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const found = await Promise.all(
    entries.slice(0, MOST_ENTRIES).map(async (entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return depth < DEEPEST ? await markdownBelow(path, depth + 1) : [];
      return isRuleName(entry.name) ? [path] : [];
    }),
  );
  return found.flat();
}

const MOST_ENTRIES = 200;
const DEEPEST = 4;

/** True for a file of rules, by its name or path. */
export function isRuleName(path: string): boolean {
  return /\.md$/i.test(path) && !/(?:^|[\\/])readme\.md$/i.test(path);
}

/** Imports of a user's texts: files in their own folders alone, where links were followed, and no secrets. */
export function userImports({configDir, home}: UserPlace): ReadImport {
  return async (path, from) => {
    const named = resolve(dirname(from), path.startsWith('~/') ? join(home, path.slice(2)) : path);
    try {
      const real = await realpath(named);
      const roots = await Promise.all([configDir, join(home, '.agents')].map(async (root) => await realpath(root).catch(() => root)));
      if (!roots.some((root) => isInside(root, real))) return meansFile(path) ? {problem: 'it is outside your folders'} : undefined;
      const secret = secretRead(real);
      if (secret !== undefined) return {problem: secret};
      return {path: named, text: (await readTextFile(real, {maxBytes: MOST_BYTES}, new AbortController().signal)).text};
    } catch (thrown) {
      if (!meansFile(path)) return undefined;
      return {problem: thrown instanceof FettleError ? thrown.message : 'there is no such file'};
    }
  };
}

function isInside(root: string, path: string): boolean {
  const below = relative(root, path);
  return below !== '..' && !below.startsWith(`..${sep}`) && !isAbsolute(below);
}
