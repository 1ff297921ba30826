import {lstatSync, mkdirSync, readFileSync, rmdirSync, unlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {FettleError, systemErrorCode} from '../../../base/errors.ts';

/** A placeholder at a path where nothing was, so that a read-only mount has a mount point. */
export interface Placeholder {
  /** Relative to the root. */
  readonly path: string;
  /** Text of a file; undefined: a folder. */
  readonly content?: string | undefined;
}

/** Those of them that would have to be made. */
export function missingPlaceholders(root: string, wanted: readonly Placeholder[]): Placeholder[] {
  return wanted.filter(({path}) => !exists(join(root, path)));
}

/** Only while no command runs in the folder: a link that one puts there would be followed. Throws if there is then nothing to mount on. */
export function makePlaceholders(root: string, wanted: readonly Placeholder[]): void {
  for (const {path, content} of wanted) {
    const at = join(root, path);
    try {
      if (content === undefined) mkdirSync(at, {mode: 0o755});
      else writeFileSync(at, content, {flag: 'wx', mode: 0o444});
    } catch (error) {
      // The person was quicker.
      if (!exists(at)) throw notWritable(root, error);
    }
  }
}

const NOT_ALLOWED = ['EACCES', 'EPERM', 'EROFS'];

/** Returns the same error, or an explanation if the user may not write the folder. */
function notWritable(root: string, error: unknown): unknown {
  if (!NOT_ALLOWED.includes(systemErrorCode(error) ?? '')) return error;
  return new FettleError({
    code: 'UNAVAILABLE',
    message: `The sandbox cannot be set up, and the command was not run: ${root} is not writable for you.`,
    hint: 'Make the folder writable, work in a copy of it, or run without the sandbox (--sandbox off).',
    cause: error,
  });
}

/**
 * Only while no command runs in the folder: removing a mount point removes the mount in every sandbox. Only
 * unchanged placeholders are removed.
 */
export function removePlaceholders(root: string, made: readonly Placeholder[]): void {
  for (const {path, content} of made.toReversed()) {
    const at = join(root, path);
    try {
      if (content === undefined) rmdirSync(at);
      else if (lstatSync(at).isFile() && readFileSync(at, 'utf8') === content) unlinkSync(at);
    } catch {
      // Gone, or in use by its owner now: it is not ours any more.
    }
  }
}

function exists(path: string): boolean {
  return lstatSync(path, {throwIfNoEntry: false}) !== undefined;
}
