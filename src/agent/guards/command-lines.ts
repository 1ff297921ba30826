import {comparableCommand} from '../../tools/dispatch/repetition/comparable-command.ts';
import type {ShownLines} from './observed-call.ts';

/**
 * Returns the file and lines that a command has shown, if it is a known way to print a range: `sed -n '10,20p' FILE`, `head -n 20 FILE`,
 * either followed by `| tail -n 5`, `tail -n +10 FILE | head -n 5`, or a numbered file before `sed`. Numbered lines differ from plain ones, so
 * their file gets a name of its own. undefined: another command.
 */
export function commandLines(command: string, output: string): ShownLines | undefined {
  const line = comparableCommand(command.replace(/ 2>(?:\/dev\/null|&1)\s*$/, ''), '/');
  for (const {pattern, first} of FORMS) {
    const found = pattern.exec(line)?.groups;
    if (found === undefined) continue;
    const {numbers = '', file = ''} = found;
    const lines = output === '' ? [] : output.replace(/\n$/, '').split('\n');
    return {path: numbers === '' ? unquoted(file) : `${numbers} ${unquoted(file)}`, firstLine: first(found, lines.length), lines};
  }
  return undefined;
}

type Found = Readonly<Record<string, string | undefined>>;

interface Form {
  readonly pattern: RegExp;
  /** The number of the first line that was shown. */
  readonly first: (found: Found, shown: number) => number;
}

const FILE = String.raw`(?<file>'[^']+'|"[^"$\`\\]+"|[^\s'"\\$\`*?[\]|;&<>(){}~#!-][^\s'"\\$\`*?[\]|;&<>(){}~#!]*)`;
const RANGE = String.raw`(?<quote>['"]?)(?<from>\d+)(?:,(?:\d+|\$))?p(?:;\s*\d+q)?\k<quote>`;
const COUNT = String.raw`(?:-n ?|--lines[ =]|-)`;

const FORMS: readonly Form[] = [
  {pattern: whole(`sed -n(?: -e)? ${RANGE} ${FILE}`), first: ({from}) => Number(from)},
  {pattern: whole(String.raw`(?<numbers>nl -ba|cat -n) ${FILE} \| sed -n(?: -e)? ${RANGE}`), first: ({from}) => Number(from)},
  {pattern: whole(`head ${COUNT}\\d+ ${FILE}`), first: () => 1},
  {
    pattern: whole(String.raw`head ${COUNT}(?<to>\d+) ${FILE} \| tail ${COUNT}(?<last>\d+)`),
    // May be fewer than requested, if the file has no more.
    first: ({to, last}, shown) => (shown < Number(last) ? 1 : Math.max(1, Number(to) - shown + 1)),
  },
  {pattern: whole(String.raw`tail ${COUNT}\+(?<from>\d+) ${FILE} \| head ${COUNT}\d+`), first: ({from}) => Number(from)},
];

function whole(pattern: string): RegExp {
  return new RegExp(`^${pattern}$`);
}

function unquoted(file: string): string {
  return /^['"]/.test(file) ? file.slice(1, -1) : file;
}
