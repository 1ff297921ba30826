import {createHash} from 'node:crypto';
import {lstatSync, mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, unlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {newId} from '../../base/ids.ts';

/** Something that stands where nothing was, so that a read-only mount has a place. */
export interface Placeholder {
  /** Relative to the root. */
  readonly path: string;
  /** Text of a file; undefined: a folder. */
  readonly content?: string | undefined;
}

interface PlaceholderOptions {
  readonly root: string;
  readonly stateDir: string;
}

/** Puts placeholders into a folder while commands run, and takes them away after the last one. */
export interface Placeholders {
  /** Makes what is not there yet; the answer takes them away when nobody needs them any more. */
  hold(wanted: readonly Placeholder[]): () => void;
  /** Those that stand there now. */
  standing(): readonly Placeholder[];
}

/**
 * What was made is noted before it is made, for each folder in one file, and so is each sandbox that relies on it: a mount is gone when
 * its place is taken away, also in another sandbox, of this process or another. Taken away is only what still is as it was made. What a killed process
 * left behind is taken away by the next one.
 */
export function createPlaceholders({root, stateDir}: PlaceholderOptions): Placeholders {
  const notes = join(stateDir, 'sandbox', createHash('sha256').update(root).digest('hex').slice(0, 32));
  const own = join(notes, `held-${process.pid}-${startOf(process.pid) ?? 0}-${newId('box')}`);
  const made = join(notes, 'made.json');
  let holders = 0;
  return {
    standing: () => readMade(made),
    hold(wanted) {
      holders += 1;
      if (holders === 1) {
        mkdirSync(notes, {recursive: true, mode: 0o700});
        writeFileSync(own, '');
      }
      const missing = wanted.filter(({path}) => !exists(join(root, path)));
      if (missing.length > 0) {
        writeFileSync(made, JSON.stringify([...readMade(made), ...missing]), {mode: 0o600});
        for (const placeholder of missing) make(root, placeholder);
      }
      return () => {
        holders -= 1;
        if (holders > 0) return;
        rmSync(own, {force: true});
        if (isHeldByOthers(notes)) return;
        for (const placeholder of readMade(made).toReversed()) takeAway(root, placeholder);
        rmSync(notes, {recursive: true, force: true});
      };
    },
  };
}

function make(root: string, {path, content}: Placeholder): void {
  const at = join(root, path);
  try {
    if (content === undefined) mkdirSync(at, {mode: 0o755});
    else writeFileSync(at, content, {flag: 'wx', mode: 0o444});
  } catch (error) {
    // Another process was quicker; else there is nothing to mount on, and the command must not start.
    if (!exists(at)) throw error;
  }
}

function takeAway(root: string, {path, content}: Placeholder): void {
  const at = join(root, path);
  try {
    if (content === undefined) rmdirSync(at);
    else if (lstatSync(at).isFile() && readFileSync(at, 'utf8') === content) unlinkSync(at);
  } catch {
    // Gone, or in use by its owner now: it is not ours any more.
  }
}

function readMade(file: string): Placeholder[] {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Placeholder[];
  } catch {
    return [];
  }
}

function isHeldByOthers(notes: string): boolean {
  return readdirSync(notes).some((name) => {
    const [, pid, start] = /^held-(\d+)-(\d+)-/.exec(name) ?? [];
    return pid !== undefined && startOf(Number(pid)) === Number(start);
  });
}

/** When a process began (proc(5), stat, field 22); undefined: there is none. */
function startOf(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]);
  } catch {
    return undefined;
  }
}

function exists(path: string): boolean {
  return lstatSync(path, {throwIfNoEntry: false}) !== undefined;
}
