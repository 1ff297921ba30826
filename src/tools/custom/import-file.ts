import {pathToFileURL} from 'node:url';
import {FettleError, isFettleError} from '../../base/errors.ts';
import {LATE, orLate} from '../../base/waiting/or-late.ts';

/** Imports the exports of an author's file. Throws CONFIG with the problem of the file and its place. */
export async function importFile(file: string): Promise<object> {
  const loaded = await orLate(imported(file), IMPORT_MS);
  if (loaded !== LATE) return loaded;
  throw new FettleError({
    code: 'CONFIG',
    message: `it was not loaded within ${IMPORT_MS / 1000} s`,
    hint: 'Do no work at the top level.',
  });
}

/** How long a file may take to be loaded. */
const IMPORT_MS = 10_000;

async function imported(file: string): Promise<object> {
  try {
    return (await import(pathToFileURL(file).href)) as object;
  } catch (thrown) {
    throw isFettleError(thrown) ? thrown : loadError(thrown, file);
  }
}

function loadError(thrown: unknown, file: string): FettleError {
  if (!(thrown instanceof Error)) return new FettleError({code: 'CONFIG', message: `it threw ${String(thrown)}`, cause: thrown});
  const code = 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : '';
  const [first = thrown.message] = thrown.message.split('\n');
  const message = `${thrown.name}${lineOf(thrown, file)}: ${first}`;
  return new FettleError({code: 'CONFIG', message, hint: HINTS[code], cause: thrown});
}

/** Finds the line of an error: Node writes `FILE:LINE` before a syntax error, and `FILE:LINE:COLUMN` for each frame of another. */
function lineOf({stack = ''}: Error, file: string): string {
  const places = [file, pathToFileURL(file).href].map((name) => stack.split(`${name}:`)[1]);
  const line = /^\d+/.exec(places.find((place) => place !== undefined) ?? '')?.[0];
  return line === undefined ? '' : ` in line ${line}`;
}

const HINTS: Readonly<Record<string, string>> = {
  ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX: 'Types are stripped, not compiled: no enum, namespace or parameter property.',
  ERR_MODULE_NOT_FOUND:
    "`import {defineCustomTool, z} from 'fettle/tools'` is always there; other packages must be installed beside the file.",
};
