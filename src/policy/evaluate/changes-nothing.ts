import type {ListFolder, Subject} from '../decision.ts';
import {readLine} from '../shell/shell-line.ts';
import {decide} from './evaluate.ts';

/**
 * Returns true for command lines that change no file: what the mode plan would run, as far as each command in it is one that reads no
 * configuration and starts nothing, and that the line gives no variables. Git is none: what it runs stands in the repository.
 * True by the names of programs: that they are those of the system is for the caller to know.
 */
export async function changesNothing(subjects: readonly Subject[], listFolder: ListFolder): Promise<boolean> {
  if (subjects.length === 0 || !subjects.every((subject) => subject.kind === 'command' && isPlainLine(subject.command))) return false;
  const request = {toolNames: ['bash'], sideEffect: 'execute', subjects, listFolder} as const;
  const {verdict} = await decide(request, {mode: 'plan', rules: [], fallback: 'deny'});
  return verdict === 'allow';
}

function isPlainLine(text: string): boolean {
  const {commands, assignments, unresolved} = readLine(text);
  return (
    commands.length > 0 &&
    assignments.length === 0 &&
    unresolved.length === 0 &&
    commands.every(({role, words}) => role === 'plain' && PLAIN.has(words[0]?.value ?? ''))
  );
}

const PLAIN: ReadonlySet<string> = new Set(
  (
    'cat head tail wc nl tac rev cut tr sort uniq comm cmp diff grep egrep fgrep rg find ls stat du tree file basename dirname realpath readlink ' +
    'echo printf pwd date uname whoami seq test [ true false cd md5sum sha1sum sha256sum cksum od hexdump strings fold column'
  ).split(' '),
);
