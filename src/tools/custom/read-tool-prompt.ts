import {readFile, stat} from 'node:fs/promises';
import {join} from 'node:path';
import {systemErrorCode, toFettleError} from '../../base/errors.ts';

export interface PromptText {
  readonly prompt: string | undefined;
  readonly notices: readonly string[];
}

/** About a thousand tokens, since every request contains the prompt. */
const MAX_CHARS = 4000;
const MAX_FILE_BYTES = 1_000_000;

/** Reads the first existing `<folder>/<name>.md`: instructions for models on how to use the tool (vibe tool system › Tool Prompts). */
export async function readToolPrompt(folder: string, names: readonly string[]): Promise<PromptText> {
  for (const name of new Set(names)) {
    const path = join(folder, `${name}.md`);
    try {
      const {size} = await stat(path);
      if (size > MAX_FILE_BYTES) return {prompt: undefined, notices: [`${path}: not used: it has ${size} bytes`]};
      return cut(path, (await readFile(path, 'utf8')).trim().toWellFormed());
    } catch (thrown) {
      const code = systemErrorCode(thrown);
      if (code !== 'ENOENT' && code !== 'ENOTDIR')
        return {prompt: undefined, notices: [`${path}: not used: ${toFettleError(thrown).message}`]};
    }
  }
  return {prompt: undefined, notices: []};
}

function cut(path: string, text: string): PromptText {
  if (text === '') return {prompt: undefined, notices: []};
  if (text.length <= MAX_CHARS) return {prompt: text, notices: []};
  const notice = `${path}: only its first ${MAX_CHARS} characters are used, of ${text.length}: every request carries them`;
  return {prompt: text.slice(0, MAX_CHARS).toWellFormed(), notices: [notice]};
}
