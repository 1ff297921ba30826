import type {Command} from 'commander';
import {FettleError} from '../../../base/errors.ts';
import {EXIT} from '../../../protocol/exit-code.ts';
import type {Io} from '../io.ts';

/** `fettle completion bash|zsh|fish`: a script made from the tree of commands. */
export function completion(io: Io, shell: string, program: Command): number {
  const script = SCRIPTS[shell];
  if (script === undefined) {
    throw new FettleError({code: 'USAGE', message: `There is no completion for ${shell}.`, hint: 'Use bash, zsh or fish.'});
  }
  io.data(script(wordsOf(program, '')));
  return EXIT.done;
}

/** What may follow a command, by the words that lead to it: '' for the program itself, `tools`, `tools call` … */
type Words = ReadonlyMap<string, readonly string[]>;

function wordsOf(command: Command, path: string): Words {
  const commands = command.commands.map((child) => child.name());
  const options = command.options.flatMap((option) => (option.long === undefined || option.long === null ? [] : [option.long]));
  const own: [string, readonly string[]] = [path, [...commands, ...options, '--help']];
  return new Map([own, ...command.commands.flatMap((child) => [...wordsOf(child, `${path} ${child.name()}`.trim())])]);
}

function bash(words: Words): string {
  const cases = [...words].map(([path, next]) => `    '${path}') words='${next.join(' ')}' ;;`).join('\n');
  return `_fettle() {
  local at='' words='' word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    [[ $word == -* ]] || at="\${at:+$at }$word"
  done
  case "$at" in
${cases}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _fettle fettle
`;
}

function zsh(words: Words): string {
  const cases = [...words].map(([path, next]) => `    '${path}') candidates=(${next.join(' ')}) ;;`).join('\n');
  return `#compdef fettle
_fettle() {
  local at='' word
  local -a candidates
  for word in "\${(@)words[2,CURRENT-1]}"; do
    [[ $word == -* ]] || at="\${at:+$at }$word"
  done
  case "$at" in
${cases}
  esac
  compadd -- $candidates || _files
}
compdef _fettle fettle
`;
}

function fish(words: Words): string {
  const lines = [...words].map(([path, next]) => `complete -c fettle -n '__fettle_at "${path}"' -a '${next.join(' ')}'`).join('\n');
  return `function __fettle_at
  set -l path (string match -v -- '-*' (commandline -opc)[2..])
  test "$path" = "$argv[1]"
end
${lines}
`;
}

const SCRIPTS: Readonly<Record<string, (words: Words) => string>> = {bash, zsh, fish};
