import {FettleError} from '../../base/errors.ts';
import type {Io} from './io.ts';

/** True if stdin is the prompt itself: for `-`, and without a prompt if stdin is not a terminal. */
export function isPromptOnStdin(io: Pick<Io, 'interactive'>, typed: string): boolean {
  return typed === '-' || (typed === '' && !io.interactive);
}

/** Returns the prompt as given, or from stdin. Throws USAGE if it is missing or contains control characters. */
export async function readPrompt(io: Io, typed: string): Promise<string> {
  const prompt = (isPromptOnStdin(io, typed) ? await io.readStdin() : typed).trim();
  if (prompt === '') {
    throw new FettleError({
      code: 'USAGE',
      message: 'There is no prompt.',
      hint: 'Give the task as an argument, or on stdin: fettle exec "fix the failing test"',
    });
  }
  const control = CONTROL.exec(prompt)?.[0].codePointAt(0);
  if (control !== undefined) {
    const message = `The prompt holds the control character U+${control.toString(16).toUpperCase().padStart(4, '0')}.`;
    throw new FettleError({code: 'USAGE', message, hint: 'Remove it: it can hide text from you that the model reads.'});
  }
  return prompt;
}

// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;
