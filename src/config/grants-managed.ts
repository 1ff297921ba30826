import {lstat} from 'node:fs/promises';
import {dirname} from 'node:path';
import {FettleError} from '../base/errors.ts';
import {isJsonObject} from '../base/json.ts';
import {readIfThere} from './config-file.ts';

/** A rule of the machine's administrator. */
export interface ManagedRule {
  readonly text: string;
  readonly effect: 'allow' | 'ask' | 'deny';
  /** `FILE:LINE`. */
  readonly source: string;
}

/** Path of the settings by which the owner of a machine binds all its users. */
export const MANAGED_FILE = '/etc/fettle/managed.toml';

/**
 * Reads the rules in the machine-wide file; none if the file is missing. They count only if nobody but root can have written them
 * (CVE-2026-35603), else CONFIG: an attacker must not add rules, and a rule must not silently disappear.
 */
export async function readManagedRules(file: string = MANAGED_FILE, owner = 0): Promise<readonly ManagedRule[]> {
  // Without user ids the owner of the file cannot be determined.
  if (process.getuid === undefined) return [];
  const found = await lstat(file).catch(() => undefined);
  if (found === undefined) return [];
  const folder = await lstat(dirname(file));
  for (const [path, {uid, mode}] of [
    [file, found],
    [dirname(file), folder],
  ] as const) {
    if (uid !== owner || (mode & 0o022) !== 0) throw broken(path, 'must belong to root, and nobody else may be able to write it');
  }
  if (!found.isFile()) throw broken(file, 'not a regular file');
  return await parseManaged(file);
}

async function parseManaged(file: string): Promise<readonly ManagedRule[]> {
  const {parseToml} = await import('./parse-toml.ts');
  const parsed = parseToml((await readIfThere(file)) ?? new Uint8Array());
  if (!parsed.ok) throw broken(`${file}:${parsed.line}`, parsed.message);
  const {permissions = {}, ...others} = parsed.value;
  const stray = Object.keys(others)[0];
  if (stray !== undefined) throw broken(`${file}:${parsed.lineOf([stray])}`, `only [permissions] is known here, not ${stray}`);
  if (!isJsonObject(permissions)) throw broken(`${file}:${parsed.lineOf(['permissions'])}`, 'permissions must be a table');
  return Object.entries(permissions).flatMap(([key, texts]) => {
    const effect = EFFECTS.find((name) => name === key);
    const at = (index: number): string => `${file}:${parsed.lineOf(['permissions', key, index])}`;
    if (effect === undefined || !Array.isArray(texts)) throw broken(at(0), `permissions.${key} must be a list named allow, ask or deny`);
    return texts.map((text, index) => {
      if (typeof text !== 'string') throw broken(at(index), 'a rule is a text');
      return {text, effect, source: at(index)};
    });
  });
}

const EFFECTS = ['deny', 'ask', 'allow'] as const;

function broken(where: string, what: string): FettleError {
  return new FettleError({
    code: 'CONFIG',
    message: `${where}: ${what}.`,
    hint: 'The administrator of this machine has to fix that file.',
  });
}
