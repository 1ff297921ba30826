import {join} from 'node:path';
import {importFiles} from './import-files.ts';

/** A call of a tool of the toolset `fettle`. */
export interface ScriptedCall {
  readonly name: 'write' | 'bash';
  readonly arguments: Readonly<Record<string, string>>;
}

/**
 * Writes a script of replies that makes these calls, for each step of the task those of one list, and then ends the step, for `--models script`:
 * the known solution of an imported task, with which its set-up and verification can be tried without a model. Returns its path.
 */
export async function importScript(importsFolder: string, steps: readonly (readonly ScriptedCall[])[]): Promise<string> {
  const replies = steps.flatMap((toolCalls) => [{text: 'The known solution of the task.', toolCalls}, {text: 'Done.'}]);
  const bytes = Buffer.from(`${JSON.stringify({replies}, null, 2)}\n`);
  return join(await importFiles(importsFolder, [{path: 'script.json', bytes}]), 'script.json');
}
