import {lstat} from 'node:fs/promises';
import {dirname, join, posix} from 'node:path';
import {isDeeperThan, isJsonObject, parseJson, type Json} from '../../base/json.ts';
import {instructionLines} from './instruction-text.ts';
import {trustItemText, type TrustItem} from './trust-item.ts';

/**
 * The files of the project that an item names as programs: a hook or a server whose script changed is another hook or server, although the
 * line that starts it stayed the same (CVE-2025-54136).
 */
export async function namedFiles(root: string, item: TrustItem): Promise<string[]> {
  if (!['config', 'mcp', 'hook'].includes(item.kind)) return [];
  const words = (await stringsOf(item)).flatMap((text) => fromRoot(text).split(/[\s"'`=;|&()<>,]+/));
  return await existing(root, words);
}

/** `"$CLAUDE_PROJECT_DIR"/check.py` is a file of the project, too. */
function fromRoot(text: string): string {
  return text.replaceAll(/["']?\$\{?(?:FETTLE|CLAUDE)_PROJECT_DIR(?::-[^}]*)?\}?["']?\//g, ' ./');
}

/**
 * The files of the project that a tool or a program of a hook or server, or a part of one, imports by a relative path. Paths that are built at
 * run time are not found.
 */
export async function importedFiles(root: string, item: TrustItem): Promise<string[]> {
  if (!['tool', 'middleware', 'program'].includes(item.kind) || !/\.[cm]?[jt]s$/.test(item.path)) return [];
  const names = [...trustItemText(item).matchAll(IMPORT)].map(([, name = '']) => posix.join(dirname(item.path), name));
  // As `require` completes them (Node.js › modules, "All together").
  return await existing(
    root,
    names.flatMap((name) => [name, ...['.js', '.cjs', '.mjs', '.ts', '.json', '/index.js'].map((end) => name + end)]),
  );
}

/** The texts of the project that instructions or a rule import with `@path`. A word that names no file is only text. */
export async function importedTexts(root: string, item: TrustItem): Promise<string[]> {
  if (!['instructions', 'rule', 'import'].includes(item.kind)) return [];
  const names = instructionLines(trustItemText(item)).flatMap(({imports}) => imports);
  return await existing(
    root,
    names.filter((name) => !/^[~/]/.test(name)).map((name) => posix.join(dirname(item.path), name)),
  );
}

const IMPORT = /(?:from|import|require)\s*\(?\s*['"`](\.{1,2}\/[^'"`\n]+)['"`]/g;
/** More than any project names; a bound for a hostile one. */
const MOST_WORDS = 2000;

async function stringsOf(item: TrustItem): Promise<string[]> {
  const text = trustItemText(item);
  if (item.path.endsWith('.json')) return shallowStrings(parseJson(text));
  if (!item.path.endsWith('.toml')) return [text];
  const {parseToml} = await import('../parse-toml.ts');
  const parsed = parseToml(item.bytes);
  return parsed.ok ? shallowStrings(item.kind === 'config' ? parsed.value['mcp_servers'] : parsed.value) : [];
}

/** Collects strings that are not nested too deeply: below any real settings nothing names a program. */
function shallowStrings(value: Json | undefined): string[] {
  return isDeeperThan(value, 20) ? [] : strings(value);
}

function strings(value: Json | undefined): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap((child: Json) => strings(child));
  return isJsonObject(value) ? Object.values(value).flatMap(strings) : [];
}

/** Those that are files of the project, by their path from its root. */
async function existing(root: string, words: readonly string[]): Promise<string[]> {
  const paths = [...new Set(words.slice(0, MOST_WORDS).map((word) => posix.normalize(word)))];
  const inside = paths.filter((path) => !posix.isAbsolute(path) && path !== '.' && !/^\.\.(?:\/|$)|\/$|\0/.test(path));
  const found = await Promise.all(
    inside.map((path) =>
      lstat(join(root, path)).then(
        (stats) => !stats.isDirectory(),
        () => false,
      ),
    ),
  );
  return inside.filter((_, index) => found[index]);
}
