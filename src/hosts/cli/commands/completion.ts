import type {Command} from 'commander';
import {FettleError} from '../../../base/errors.ts';
import {EXIT} from '../../../protocol/exit-code.ts';
import type {Io} from '../io.ts';

/** `fettle completion bash|zsh|fish`: a script made from the tree of commands. */
export function completion(io: Io, shell: string, program: Command): number {
  const script = SCRIPTS[shell];
  if (script === undefined) {
    throw new FettleError({code: 'USAGE', message: `No completion script exists for ${shell}.`, hint: 'Use bash, zsh or fish.'});
  }
  io.data(script(treeOf(program)));
  return EXIT.done;
}

interface Tree {
  /** Words that may follow a command, by its path: '' for the program itself, `tools`, `tools call` … */
  readonly words: ReadonlyMap<string, readonly string[]>;
  /** The values of each option that takes one of a list. */
  readonly choices: ReadonlyMap<string, readonly string[]>;
}

function treeOf(program: Command): Tree {
  const all = commandsOf(program, '');
  const options = all.flatMap(([, command]) => command.options);
  return {
    words: new Map(all.map(([path, command]) => [path, wordsAfter(command)])),
    choices: new Map(options.flatMap(({long, argChoices}) => (long && argChoices ? [[long, argChoices] as const] : []))),
  };
}

function commandsOf(command: Command, path: string): [string, Command][] {
  return [[path, command], ...shownBelow(command).flatMap((child) => commandsOf(child, `${path} ${child.name()}`.trim()))];
}

/** Commands that processes of Fettle start are hidden, and nobody types them. */
function shownBelow(command: Command): readonly Command[] {
  const shown = command.createHelp().visibleCommands(command);
  return command.commands.filter((child) => shown.includes(child));
}

function wordsAfter(command: Command): string[] {
  const options = command.options.flatMap(({long}) => (long === undefined || long === null ? [] : [long]));
  const choices = command.registeredArguments.flatMap(({argChoices}) => argChoices ?? []);
  return [...shownBelow(command).map((child) => child.name()), ...choices, ...options, '--help'];
}

/** `case` arms of a POSIX shell. */
function arms(table: ReadonlyMap<string, readonly string[]>, arm: (words: string) => string): string {
  return [...table].map(([key, words]) => `    '${key}') ${arm(words.join(' '))} ;;`).join('\n');
}

/** A pattern of all commands: a word that leads to none of them is an argument, or the value of an option. */
function known({words}: Tree): string {
  return [...words.keys()].flatMap((path) => (path === '' ? [] : [`'${path}'`])).join('|');
}

function bash(tree: Tree): string {
  return `_fettle() {
  local at='' words='' word previous="\${COMP_WORDS[COMP_CWORD-1]}"
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "\${at:+$at }$word" in
    ${known(tree)}) at="\${at:+$at }$word" ;;
    esac
  done
  case "$at" in
${arms(tree.words, (words) => `words='${words}'`)}
  esac
  case "$previous" in
${arms(tree.choices, (words) => `words='${words}'`)}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _fettle fettle
`;
}

function zsh(tree: Tree): string {
  return `#compdef fettle
_fettle() {
  local at='' word
  local -a candidates
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "\${at:+$at }$word" in
    ${known(tree)}) at="\${at:+$at }$word" ;;
    esac
  done
  case "$at" in
${arms(tree.words, (words) => `candidates=(${words})`)}
  esac
  case "$words[CURRENT-1]" in
${arms(tree.choices, (words) => `candidates=(${words})`)}
  esac
  compadd -- $candidates || _files
}
compdef _fettle fettle
`;
}

function fish({words, choices}: Tree): string {
  const paths = [...words.keys()].flatMap((path) => (path === '' ? [] : [`'${path}'`])).join(' ');
  const lines = [...words].map(([path, next]) => `complete -c fettle -n '__fettle_at "${path}"' -a '${next.join(' ')}'`);
  const values = [...choices].map(([option, next]) => `complete -c fettle -l ${option.replace(/^--/, '')} -x -a '${next.join(' ')}'`);
  return `function __fettle_at
  set -l path
  for word in (commandline -opc)[2..]
    contains -- (string join ' ' $path $word) ${paths}; and set -a path $word
  end
  test "$path" = "$argv[1]"
end
${[...lines, ...values].join('\n')}
`;
}

const SCRIPTS: Readonly<Record<string, (tree: Tree) => string>> = {bash, zsh, fish};
