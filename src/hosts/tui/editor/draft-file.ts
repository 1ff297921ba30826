import {createHash, randomBytes} from 'node:crypto';
import {closeSync, constants, fstatSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {createRedactor} from '../../../base/redact.ts';
import {isKeptPrompt} from './prompt-history.ts';

/** Returns the path of the draft: the text on the line of a folder when its session was ended from outside. */
export function draftFile(stateDir: string, folder: string): string {
  return join(stateDir, 'drafts', createHash('sha256').update(folder).digest('hex').slice(0, 32));
}

/** Stores a draft for the owner alone, like a prompt without its secrets; private and very long ones are not stored. Never throws. */
export function keepDraft(file: string, text: string): void {
  const kept = createRedactor({shapes: true}).text(text);
  if (!isKeptPrompt(text) || Buffer.byteLength(kept) > MOST_BYTES) return;
  const temporary = `${file}.${randomBytes(8).toString('hex')}`;
  try {
    mkdirSync(dirname(file), {recursive: true, mode: 0o700});
    try {
      writeFileSync(temporary, kept, {flag: 'wx', mode: 0o600});
      renameSync(temporary, file);
    } finally {
      rmSync(temporary, {force: true});
    }
  } catch {
    // The process is ending: an error could not be shown.
  }
}

/** Returns the stored draft and deletes it; undefined if there is none, or if the file is not ours. */
export function takeDraft(file: string): string | undefined {
  try {
    const fd = openSync(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    try {
      const found = fstatSync(fd);
      if (!found.isFile() || found.size > MOST_BYTES) return undefined;
      const text = readFileSync(fd, 'utf8');
      rmSync(file);
      return text;
    } finally {
      closeSync(fd);
    }
  } catch {
    return undefined;
  }
}

const MOST_BYTES = 64 * 1024;
