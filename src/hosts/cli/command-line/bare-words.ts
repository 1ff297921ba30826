import {FettleError} from '../../../base/errors.ts';
import {shellWord} from '../../../base/shell-word.ts';
import {visibleText} from '../../../base/visible-text.ts';
import {confirm} from '../confirm.ts';
import type {Io} from '../io.ts';

/** True if the first word of a command line is certainly a prompt: it contains white space, or is `-` (design 6). */
export function isPrompt(word: string): boolean {
  return word === '-' || /\s/.test(word);
}

/**
 * Decides about words that are neither a command nor certainly a prompt: a mistyped command must not start a paid run. A person at a terminal
 * is asked; elsewhere, or if they say no, it throws USAGE with the nearest command.
 */
export async function admitWords(io: Io, words: readonly string[], commands: readonly string[]): Promise<void> {
  const [first = ''] = words;
  if (first === '')
    throw new FettleError({code: 'USAGE', message: 'The prompt is empty.', hint: 'Give the task in quotes: fettle "fix the test"'});
  const {nearestWord} = await import('../../../base/nearest-word.ts');
  const nearest = nearestWord(first, commands);
  const message = `"${first}" is not a command.`;
  const meant = nearest === undefined ? '' : `Did you mean \`fettle ${nearest}\`? `;
  if (io.interactive) {
    io.note(visibleText(`${message} ${meant}`.trimEnd()));
    if (await confirm('Give these words to the model as a task? [y]es, [N]o: ')) return;
  }
  const task = words.map(shellWord).join(' ');
  throw new FettleError({
    code: 'USAGE',
    message,
    hint: `${meant}To give the words to the model: fettle exec -- ${task}. \`fettle --help\` lists the commands.`,
  });
}
