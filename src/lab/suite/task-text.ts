import {lstat} from 'node:fs/promises';
import {FettleError, systemErrorCode} from '../../base/errors.ts';
import type {JsonObject} from '../../base/json.ts';
import type {ConfigPath} from '../../config/origin.ts';
import {parseToml} from '../../config/parse-toml.ts';
import {readWhole, withRegularFile} from '../../workspace/open-regular-file.ts';

/** A TOML file of a task, with the places of its keys. */
export interface TaskToml {
  readonly file: string;
  readonly value: JsonObject;
  readonly lineOf: (path: ConfigPath) => number;
}

/** A task whose folder says something that cannot be run; the message names file, line and key. */
export function taskProblem(message: string, cause?: unknown): FettleError {
  return new FettleError({code: 'CONFIG', message, hint: 'Correct the task, or leave it out.', cause});
}

/** Reads a TOML file of a task. @throws FettleError CONFIG with file and line */
export async function readTaskToml(file: string): Promise<TaskToml> {
  const parsed = parseToml(await readTaskBytes(file, MAX_TOML_BYTES));
  if (!parsed.ok) throw taskProblem(`${file}:${parsed.line}: ${parsed.message}`);
  return {file, value: parsed.value, lineOf: parsed.lineOf};
}

/** The problem of a script of another system: bash takes the carriage return for a part of names. */
export const CR_LF = 'lines that end with CR LF, which bash does not understand: write it with LF';

/** The parser takes no more. */
const MAX_TOML_BYTES = 256 * 1024;

/** Reads a text file of a task, at most 1 MB. @throws FettleError CONFIG */
export async function readTaskText(file: string): Promise<string> {
  const bytes = await readTaskBytes(file, MAX_TEXT_BYTES);
  try {
    return new TextDecoder('utf-8', {fatal: true}).decode(bytes);
  } catch (cause) {
    throw taskProblem(`${file}: not UTF-8`, cause);
  }
}

const MAX_TEXT_BYTES = 1024 * 1024;

/** Reads a file of a task. @throws FettleError CONFIG if it is none, or larger than `maxBytes` */
export async function readTaskBytes(file: string, maxBytes: number = MAX_TEXT_BYTES): Promise<Buffer> {
  await kindAt(file);
  try {
    return await withRegularFile(file, async (fd, stats) => {
      if (stats.size > maxBytes) throw taskProblem(`${file}: ${stats.size} bytes, at most ${maxBytes}`);
      return await readWhole(fd, stats);
    });
  } catch (error) {
    if (error instanceof FettleError && error.code === 'CONFIG') throw error;
    throw taskProblem(`${file}: cannot be read: ${error instanceof Error ? error.message : String(error)}`, error);
  }
}

/** Tells what stands at a path, without following a link; undefined if nothing does. @throws FettleError CONFIG for anything but a file or folder */
export async function kindAt(path: string): Promise<'file' | 'folder' | undefined> {
  const found = await lstat(path).catch((error: unknown) => {
    const code = systemErrorCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw taskProblem(`${path}: cannot be read (${code ?? String(error)})`, error);
  });
  if (found === undefined) return undefined;
  if (found.isFile()) return 'file';
  if (found.isDirectory()) return 'folder';
  throw taskProblem(`${path}: ${found.isSymbolicLink() ? 'a link' : 'a device, socket or FIFO'}, which a task may not have here`);
}

/** True if there is such a file. @throws FettleError CONFIG if it is something else */
export async function hasFile(path: string): Promise<boolean> {
  const kind = await kindAt(path);
  if (kind === 'folder') throw taskProblem(`${path}: a folder where a file is expected`);
  return kind === 'file';
}

/** True if there is such a folder. @throws FettleError CONFIG if it is something else */
export async function hasFolder(path: string): Promise<boolean> {
  const kind = await kindAt(path);
  if (kind === 'file') throw taskProblem(`${path}: a file where a folder is expected`);
  return kind === 'folder';
}
