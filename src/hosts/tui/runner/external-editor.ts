import {spawn} from 'node:child_process';
import {mkdtemp, readFile, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {FettleError} from '../../../base/errors.ts';

/**
 * Opens the text in the editor of the person ($VISUAL, $EDITOR, else vi) and returns what they saved; undefined if the editor failed.
 * The terminal must be theirs while it runs. Throws NOT_FOUND if the editor cannot be started.
 */
export async function editInEditor(
  text: string,
  env: Readonly<Record<string, string | undefined>>,
  signal: AbortSignal,
): Promise<string | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'fettle-prompt-'));
  const file = join(folder, 'prompt.md');
  const editor = env['VISUAL'] ?? env['EDITOR'] ?? 'vi';
  try {
    await writeFile(file, text, {mode: 0o600});
    const exitCode = await run(editor, file, signal);
    return exitCode === 0 ? (await readFile(file, 'utf8')).replace(/\n$/, '') : undefined;
  } finally {
    await rm(folder, {recursive: true, force: true});
  }
}

/** Runs through the shell, since the value may have options: `code --wait`. */
function run(editor: string, file: string, signal: AbortSignal): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const child = spawn('/bin/sh', ['-c', `${editor} "$1"`, 'sh', file], {stdio: 'inherit', signal});
    child.once('error', (cause) =>
      reject(new FettleError({code: 'NOT_FOUND', message: `The editor ${editor} cannot be started.`, hint: 'Set $EDITOR.', cause})),
    );
    child.once('exit', (code) => resolve(code));
  });
}
