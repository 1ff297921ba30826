import {lstat} from 'node:fs/promises';
import {join} from 'node:path';
import {FettleError, systemErrorCode} from '../base/errors.ts';
import {isJsonObject, type Json} from '../base/json.ts';
import {readIfThere} from './config-file.ts';
import {writePrivateFile} from './private-file.ts';

/** A rule that a person stored: by `fettle permissions add`, or by "always" in a question. */
export interface Grant {
  readonly text: string;
  readonly effect: 'allow' | 'ask' | 'deny';
  /** The real path of the project it holds in; undefined: everywhere. */
  readonly project: string | undefined;
}

/** A grant as the file has it. */
export interface StoredGrant extends Grant {
  /** `FILE:LINE`. */
  readonly source: string;
}

/** Never in a project: grants stored there would come with the next clone. */
export function grantsFile(configDir: string): string {
  return join(configDir, 'permissions.toml');
}

/** The stored rules in the order of the file; empty without a file. Throws CONFIG for one that others can write or that cannot be read. */
export async function readGrants(file: string): Promise<readonly StoredGrant[]> {
  if (!(await isOurs(file))) return [];
  const {parseToml} = await import('./parse-toml.ts');
  const parsed = parseToml((await readIfThere(file)) ?? new Uint8Array());
  if (!parsed.ok) throw broken(`${file}:${parsed.line}`, parsed.message);
  const list = parsed.value['rules'] ?? [];
  if (!Array.isArray(list)) throw broken(`${file}:${parsed.lineOf(['rules'])}`, 'rules must be a list of tables');
  return list.map((entry: Json, index) => {
    const source = `${file}:${parsed.lineOf(['rules', index])}`;
    return {...asGrant(entry, source), source};
  });
}

/** Stores a rule, once. The file is replaced as a whole, mode 0600. */
export async function addGrant(file: string, grant: Grant): Promise<void> {
  const rest = (await readGrants(file)).filter((stored) => !isSame(stored, grant));
  await writeGrants(file, [...rest, grant]);
}

/** Removes a rule, whatever its effect. Returns the number of entries removed. */
export async function removeGrant(file: string, {text, project}: Pick<Grant, 'text' | 'project'>): Promise<number> {
  const all = await readGrants(file);
  const rest = all.filter((stored) => stored.text !== text || stored.project !== project);
  if (rest.length < all.length) await writeGrants(file, rest);
  return all.length - rest.length;
}

function isSame(one: Grant, other: Grant): boolean {
  return one.text === other.text && one.project === other.project;
}

/** False without a file. A link, or a file that others can write, is never used. */
async function isOurs(file: string): Promise<boolean> {
  const found = await lstat(file).catch((thrown: unknown) => {
    if (systemErrorCode(thrown) === 'ENOENT' || systemErrorCode(thrown) === 'ENOTDIR') return undefined;
    throw thrown;
  });
  if (found === undefined) return false;
  if (!found.isFile()) throw broken(file, 'not a regular file');
  const own = process.getuid?.();
  if (own !== undefined && ((found.uid !== own && found.uid !== 0) || (found.mode & 0o022) !== 0)) {
    throw broken(file, 'others can write it, so its rules are ignored', `chmod 600 ${file}`);
  }
  return true;
}

function asGrant(entry: Json, source: string): Grant {
  const {rule, effect, project} = isJsonObject(entry) ? entry : {};
  const known = EFFECTS.find((name) => name === effect);
  if (typeof rule !== 'string' || known === undefined || (project !== undefined && typeof project !== 'string')) {
    throw broken(source, 'a rule has `rule`, `effect` ("allow", "ask" or "deny") and perhaps `project`');
  }
  return {text: rule, effect: known, project};
}

const EFFECTS = ['allow', 'ask', 'deny'] as const;

function broken(
  where: string,
  what: string,
  hint = 'Correct it, or delete the file: `fettle permissions add` writes a new one.',
): FettleError {
  return new FettleError({code: 'CONFIG', message: `${where}: ${what}`, hint});
}

async function writeGrants(file: string, grants: readonly Grant[]): Promise<void> {
  await writePrivateFile(file, HEADER + grants.map(asToml).join(''));
}

const HEADER = '# Rules stored by Fettle: `fettle permissions list`, `add`, `remove`.\n';

function asToml({text, effect, project}: Grant): string {
  const lines = [`rule = ${quoted(text)}`, `effect = "${effect}"`, ...(project === undefined ? [] : [`project = ${quoted(project)}`])];
  return `\n[[rules]]\n${lines.join('\n')}\n`;
}

/** A basic string of TOML: JSON's escapes, and DEL. */
function quoted(text: string): string {
  return JSON.stringify(text).replaceAll('\u007f', '\\u007f');
}
