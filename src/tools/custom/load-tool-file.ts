import {basename, dirname, extname, join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {FettleError, isFettleError} from '../../base/errors.ts';
import {definitionProblems} from './check-definition.ts';
import {isCustomTool, type CustomTool} from './define-custom-tool.ts';
import {readPrompt} from './read-prompt.ts';
import {nameProblem, snakeCase} from './tool-name.ts';

export interface LoadedTool {
  readonly name: string;
  readonly file: string;
  readonly definition: CustomTool;
  /** Of `prompts/<name>.md`. */
  readonly prompt: string | undefined;
  readonly notices: readonly string[];
}

/** The tools that a file exports. Throws CONFIG: what is wrong with the file, and where. */
export async function loadToolFile(file: string): Promise<LoadedTool[]> {
  const exported = await importWithin(file, IMPORT_MS);
  const tools = [...new Set(Object.values(exported).filter(isCustomTool))];
  if (tools.length === 0) {
    throw new FettleError({
      code: 'CONFIG',
      message: 'it exports no tool',
      hint: 'Export what defineCustomTool() returns; begin the name with `_` if the file is only a part of others.',
    });
  }
  return await Promise.all(tools.map((definition) => checked(definition, {file, isOnly: tools.length === 1})));
}

/** How long a file may take to be loaded. */
const IMPORT_MS = 10_000;

async function importWithin(file: string, ms: number): Promise<object> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const error = new FettleError({
      code: 'CONFIG',
      message: `it was not loaded within ${ms / 1000} s`,
      hint: 'Do no work at the top level.',
    });
    timer = setTimeout(() => reject(error), ms);
  });
  try {
    return await Promise.race([import(pathToFileURL(file).href) as Promise<object>, late]);
  } catch (thrown) {
    throw isFettleError(thrown) ? thrown : loadError(thrown, file);
  } finally {
    clearTimeout(timer);
  }
}

function loadError(thrown: unknown, file: string): FettleError {
  if (!(thrown instanceof Error)) return new FettleError({code: 'CONFIG', message: `it threw ${String(thrown)}`, cause: thrown});
  const code = 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : '';
  const [first = thrown.message] = thrown.message.split('\n');
  const message = `${thrown.name}${lineOf(thrown, file)}: ${first}`;
  return new FettleError({code: 'CONFIG', message, hint: HINTS[code], cause: thrown});
}

/** Where it stands: Node writes `FILE:LINE` before a syntax error, and `FILE:LINE:COLUMN` for each frame of another. */
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

async function checked(definition: CustomTool, {file, isOnly}: {file: string; isOnly: boolean}): Promise<LoadedTool> {
  const given = definition.name ?? (isOnly ? basename(file, extname(file)) : undefined);
  if (given === undefined) throw new FettleError({code: 'CONFIG', message: 'it exports several tools: each of them needs a name'});
  const name = snakeCase(given);
  const problems = [nameProblem(name), ...definitionProblems(definition)].filter((problem) => problem !== undefined);
  if (problems.length > 0) throw new FettleError({code: 'CONFIG', message: `${name}: ${problems.join('; ')}`});
  const folder = join(dirname(file), 'prompts');
  const names = isOnly ? [name, basename(file, extname(file))] : [name];
  return {name, file, definition, ...(await readPrompt(folder, names))};
}
