import {basename, dirname, extname, join} from 'node:path';
import {FettleError} from '../../base/errors.ts';
import {definitionProblems} from './check-definition.ts';
import {isCustomTool, type CustomTool} from './define-custom-tool.ts';
import {importFile} from './import-file.ts';
import {readToolPrompt} from './read-tool-prompt.ts';
import {nameProblem, snakeCase} from './tool-name.ts';

export interface LoadedTool {
  readonly name: string;
  readonly file: string;
  readonly definition: CustomTool;
  /** Text of `prompts/<name>.md`. */
  readonly prompt: string | undefined;
  readonly notices: readonly string[];
}

/** Loads the tools that a file exports. Throws CONFIG with the mistake in the file and its line. */
export async function loadToolFile(file: string): Promise<LoadedTool[]> {
  const exported = await importFile(file);
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

/** The origin of a tool that is handed in as a value. */
export const HANDED_IN = 'a tool that was handed in';

/** Reads the tools that a program hands in. Throws BAD_ARGS: such a mistake is the program's, not its user's. */
export function readToolValues(definitions: readonly CustomTool[]): LoadedTool[] {
  const tools = definitions.map((definition, index): LoadedTool => {
    const problems = isCustomTool(definition) ? [] : ['it is not what defineCustomTool() returns'];
    if (problems.length === 0 && definition.name === undefined) problems.push('it needs a name');
    if (problems.length > 0) throw wrongValue(`tools[${index}]`, problems);
    const name = snakeCase(definition.name ?? '');
    const wrong = problemsOf(name, definition);
    if (wrong.length > 0) throw wrongValue(name, wrong);
    return {name, file: HANDED_IN, definition, prompt: undefined, notices: []};
  });
  const twice = tools.find(({name}, index) => tools.findIndex((other) => other.name === name) !== index);
  if (twice !== undefined) throw wrongValue(twice.name, ['there are two of this name']);
  return tools;
}

function wrongValue(name: string, problems: readonly string[]): FettleError {
  return new FettleError({code: 'BAD_ARGS', message: `${name}: ${problems.join('; ')}.`, hint: 'Pass what defineCustomTool() returns.'});
}

async function checked(definition: CustomTool, {file, isOnly}: {file: string; isOnly: boolean}): Promise<LoadedTool> {
  const ownName = definition.name ?? (isOnly ? basename(file, extname(file)) : undefined);
  if (ownName === undefined) throw new FettleError({code: 'CONFIG', message: 'it exports several tools: each of them needs a name'});
  const name = snakeCase(ownName);
  const problems = problemsOf(name, definition);
  if (problems.length > 0) throw new FettleError({code: 'CONFIG', message: `${name}: ${problems.join('; ')}`});
  const folder = join(dirname(file), 'prompts');
  const names = isOnly ? [name, basename(file, extname(file))] : [name];
  return {name, file, definition, ...(await readToolPrompt(folder, names))};
}

function problemsOf(name: string, definition: CustomTool): string[] {
  return [nameProblem(name), ...definitionProblems(definition)].filter((problem) => problem !== undefined);
}
