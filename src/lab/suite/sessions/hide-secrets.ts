import {lstat, readFile, readdir, rm, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import type {Redactor} from '../../../base/redact.ts';
import {isSecretName, SECRET_FOLDERS} from '../../../policy/places/secret-names.ts';

/** The secrets that were taken out of a folder. */
export interface HiddenSecrets {
  /** Files and folders that were removed, because they hold secrets by habit. */
  readonly removed: readonly string[];
  /** Texts in which something was replaced. */
  readonly redacted: readonly string[];
}

/** Takes secrets out of a copy of a project: files like `.env` are removed, and in texts what has the shape of a secret is replaced. */
export async function hideSecrets(folder: string, redactor: Redactor, signal: AbortSignal): Promise<HiddenSecrets> {
  const [removed, redacted]: [string[], string[]] = [[], []];
  const look = async (below: string): Promise<void> => {
    for (const entry of await readdir(join(folder, below), {withFileTypes: true})) {
      signal.throwIfAborted();
      const path = join(below, entry.name);
      const isSecret = entry.isDirectory() ? SECRET_FOLDERS.has(entry.name) : isSecretName(entry.name);
      if (isSecret) {
        await rm(join(folder, path), {recursive: true});
        removed.push(path);
      } else if (entry.isDirectory()) {
        if (!PACKAGES.has(entry.name)) await look(path);
      } else if (entry.isFile() && (await redactFile(join(folder, path), redactor))) redacted.push(path);
    }
  };
  await look('');
  return {removed, redacted};
}

/** Published by others. */
const PACKAGES: ReadonlySet<string> = new Set(['node_modules']);
const MAX_BYTES = 4 * 1024 * 1024;

async function redactFile(path: string, redactor: Redactor): Promise<boolean> {
  if ((await lstat(path)).size > MAX_BYTES) return false;
  const bytes = await readFile(path);
  if (bytes.includes(0)) return false;
  // Every byte is a character, so that texts in other encodings come back as they were.
  const text = bytes.toString('latin1');
  const clean = redactor.text(text);
  if (clean === text) return false;
  await writeFile(path, clean, 'latin1');
  return true;
}
