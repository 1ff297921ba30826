import {randomBytes} from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import {basename, dirname, join} from 'node:path';
import {FettleError, systemErrorCode, toFettleError} from '../../../base/errors.ts';
import {isJsonObject, parseJson} from '../../../base/json.ts';
import {createRedactor} from '../../../base/redact.ts';
import {isKeptPrompt, MOST_PROMPTS} from './prompt-history.ts';

/**
 * Prompts of all sessions, oldest first, at most 1,000. They are JSON lines of the owner alone, to which several processes append: each line is
 * one write. A full file is renamed and never rewritten, so that no process loses a line; all files together stay within 1 MB.
 */
export function readPrompts(file: string): readonly string[] {
  const found = partsOf(file).flatMap(({path}) => promptsIn(path));
  return found.filter((prompt, index) => prompt !== found[index - 1]).slice(-MOST_PROMPTS);
}

/**
 * Adds a prompt, without its secrets; a private one and a very long one are left out. The prompt is in the file
 * when the function returns. Throws errors of the system.
 */
export function appendPrompt(file: string, prompt: string): void {
  const line = `${JSON.stringify({text: createRedactor({shapes: true}).text(prompt)})}\n`;
  if (!isKeptPrompt(prompt) || Buffer.byteLength(line) > MOST_LINE_BYTES) return;
  try {
    mkdirSync(dirname(file), {recursive: true, mode: 0o700});
    if (sizeAfter(file, line) > MOST_PART_BYTES) putAside(file);
  } catch (thrown) {
    throw toFettleError(thrown);
  }
}

const MOST_BYTES = 1024 * 1024;
const MOST_LINE_BYTES = 64 * 1024;
const MOST_PART_BYTES = MOST_BYTES / 2 - MOST_LINE_BYTES;

const {O_RDONLY, O_RDWR, O_CREAT, O_APPEND} = constants;
/** Flags that not every system knows: a link in place of the file is not followed, a pipe not waited for. */
const [O_NOFOLLOW, O_NONBLOCK] = [constants.O_NOFOLLOW ?? 0, constants.O_NONBLOCK ?? 0];

function sizeAfter(file: string, line: string): number {
  const fd = openSync(file, O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK, 0o600);
  try {
    const {size} = regular(fd, file);
    // A line that a crash cut off must not swallow this one.
    writeSync(fd, size > 0 && textAt(fd, size - 1, 1) !== '\n' ? `\n${line}` : line);
    return fstatSync(fd).size;
  } finally {
    closeSync(fd);
  }
}

function putAside(file: string): void {
  const newest = partsOf(file).reduce((most, {number}) => (number === CURRENT ? most : Math.max(most, number)), 0);
  try {
    // Two processes may choose the same number, but not the same name.
    renameSync(file, `${file}.${newest + 1}-${randomBytes(6).toString('hex')}`);
  } catch (thrown) {
    // Another process was faster.
    if (systemErrorCode(thrown) !== 'ENOENT') throw thrown;
  }
  let bytes = MOST_PART_BYTES;
  for (const {path} of partsOf(file).toReversed()) {
    bytes += statSync(path, {throwIfNoEntry: false})?.size ?? 0;
    if (bytes > MOST_BYTES) rmSync(path, {force: true});
  }
}

interface Part {
  readonly path: string;
  readonly number: number;
}

const CURRENT = Infinity;

/** Oldest first; the file itself is the last. */
function partsOf(file: string): readonly Part[] {
  const [folder, name] = [dirname(file), basename(file)];
  const asides = namesIn(folder).flatMap((other): readonly Part[] => {
    const number = other.startsWith(`${name}.`) ? /^(\d{1,9})-[0-9a-f]{12}$/.exec(other.slice(name.length + 1))?.[1] : undefined;
    return number === undefined ? [] : [{path: join(folder, other), number: Number(number)}];
  });
  return [...asides.toSorted((a, b) => a.number - b.number), {path: file, number: CURRENT}];
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (thrown) {
    if (systemErrorCode(thrown) === 'ENOENT') return [];
    throw toFettleError(thrown);
  }
}

/** Lines that are cut off or of another kind are left out. */
function promptsIn(path: string): readonly string[] {
  return endOf(path)
    .split('\n')
    .flatMap((line) => {
      const entry = parseJson(line);
      return isJsonObject(entry) && typeof entry['text'] === 'string' ? [entry['text']] : [];
    });
}

/** The end of a file, up to the limit; nothing if there is none, or it went away in between. */
function endOf(path: string): string {
  try {
    const fd = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    try {
      const {size} = regular(fd, path);
      const length = Math.min(size, MOST_BYTES);
      return textAt(fd, size - length, length);
    } finally {
      closeSync(fd);
    }
  } catch (thrown) {
    if (systemErrorCode(thrown) === 'ENOENT') return '';
    throw toFettleError(thrown);
  }
}

function regular(fd: number, path: string): {readonly size: number} {
  const found = fstatSync(fd);
  if (found.isFile()) return found;
  throw new FettleError({code: 'NOT_A_FILE', message: `${path} is not a regular file.`, hint: 'Move it away: prompts are saved there.'});
}

function textAt(fd: number, position: number, length: number): string {
  const bytes = Buffer.alloc(length);
  return bytes.subarray(0, readSync(fd, bytes, 0, length, position)).toString('utf8');
}
