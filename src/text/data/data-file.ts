import {FettleError} from '../../base/errors.ts';
import type {DataFormat} from './data-format.ts';

export interface DataEdit {
  /** Its name determines the format. */
  readonly path: string;
  readonly before: string;
  readonly after: string;
  /** Formats the result again, in the style of the original text. */
  readonly reformat: boolean;
}

export interface KeptData {
  readonly text: string;
  readonly warnings: readonly string[];
}

/**
 * A JSON or YAML file that could be parsed before must still be so after an edit ("vibe tool system › Search Replace Tool: YAML/JSON support
 * with reformatting"). Other files, and those that were broken already, are passed through.
 * @throws FettleError BAD_ARGS with the place of the mistake.
 */
export async function keepParsable({path, before, after, reformat}: DataEdit): Promise<KeptData> {
  const format = await formatOf(path);
  if (format === undefined) return {text: after, warnings: reformat ? ['Not reformatted: only JSON and YAML files are.'] : []};
  const problem = format.problem(after, before);
  if (problem !== undefined && before.trim() !== '' && format.problem(before, before) === undefined) throw broken(path, problem);
  if (!reformat) return {text: after, warnings: []};
  if (problem !== undefined) return {text: after, warnings: [`Not reformatted: the file cannot be parsed: ${problem}`]};
  return {text: format.reformat(after, before), warnings: []};
}

async function formatOf(path: string): Promise<DataFormat | undefined> {
  if (/\.jsonc?$/i.test(path)) return (await import('./json-file.ts')).jsonFormat(path);
  if (/\.ya?ml$/i.test(path)) return (await import('./yaml-file.ts')).yamlFormat;
  return undefined;
}

function broken(path: string, problem: string): FettleError {
  return new FettleError({
    code: 'BAD_ARGS',
    message: `After this edit ${path} could no longer be parsed: ${problem}. Nothing was changed.`,
    hint: 'Fix the new text and retry; the place is in the text as it would be after the edit.',
  });
}
