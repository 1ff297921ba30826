import type {Command, Option} from 'commander';
import {FettleError} from '../../../base/errors.ts';

/** An option as it was typed in front of a sub-command: one token, or two with its value. */
export interface LeadingOption {
  readonly option: Option;
  readonly tokens: readonly string[];
}

export interface Leading {
  readonly options: readonly LeadingOption[];
  /** The command line from the first token on that is not an option of the program. */
  readonly rest: readonly string[];
}

/** Reads the options of the program at the beginning of `argv`. Changes nothing; values are not checked. */
export function leadingOptions(program: Command, argv: readonly string[]): Leading {
  const options: LeadingOption[] = [];
  let at = 0;
  for (let found = optionAt(program, argv, at); found !== undefined; found = optionAt(program, argv, at)) {
    options.push(found);
    at += found.tokens.length;
  }
  return {options, rest: argv.slice(at)};
}

export interface Route {
  /** The program itself if no command is named. */
  readonly command: Command;
  /** The names that lead to the command. */
  readonly path: readonly string[];
  /** Options of the program that were typed in front of the command or between its names. */
  readonly leading: readonly LeadingOption[];
  /** Arguments after the name of the command. */
  readonly rest: readonly string[];
}

/** Finds the command that a command line names. Stops at a word that is neither a command nor an option of the program. */
export function findRoute(program: Command, {options, rest: tokens}: Leading): Route {
  let command = program;
  const path: string[] = [];
  let [leading, rest] = [options, tokens];
  for (let next = childNamed(command, rest[0]); next !== undefined; next = childNamed(command, rest[0])) {
    command = next;
    path.push(next.name());
    rest = rest.slice(1);
    if (command.commands.length === 0) break;
    const between = leadingOptions(program, rest);
    leading = [...leading, ...between.options];
    rest = between.rest;
  }
  return {command, path, leading, rest};
}

/**
 * Returns the tokens of a command line with its leading options moved after the name of the command: so the command's own parser reads them first,
 * repeated options accumulate, the nearer one wins, and conflicts and bad values are refused as anywhere.
 * Throws USAGE for an option that the command does not take, or takes with another meaning.
 */
export function routedTokens({command, path, leading, rest}: Route): readonly string[] {
  const name = ['fettle', ...path].join(' ');
  for (const {option} of leading) {
    const own = command.options.find(({long}) => long === option.long);
    const hint = `See \`${name} --help\`.`;
    if (own === undefined) throw new FettleError({code: 'USAGE', message: `${name} does not take ${option.long}.`, hint});
    if (own.required !== option.required) {
      const message = `${option.long} before ${name} is a rule; after it, it has another meaning.`;
      throw new FettleError({code: 'USAGE', message, hint: `Put it after the command. ${hint}`});
    }
  }
  return [...path, ...leading.flatMap(({tokens}) => tokens), ...rest];
}

/** Options that end the parse, such as --version, are left to the parser. */
function optionAt(program: Command, argv: readonly string[], at: number): LeadingOption | undefined {
  const token = argv[at];
  if (token === undefined) return undefined;
  const options = program.options.filter((option) => option.name() !== 'version');
  const exact = options.find(({long, short}) => long === token || short === token);
  if (exact !== undefined) return {option: exact, tokens: argv.slice(at, at + (exact.required ? 2 : 1))};
  const name = /^(?:--[^=]+(?==)|-[^-](?=.))/.exec(token)?.[0];
  const joined = options.find(({required, long, short}) => required && name !== undefined && (long === name || short === name));
  return joined === undefined ? undefined : {option: joined, tokens: [token]};
}

function childNamed(command: Command, name: string | undefined): Command | undefined {
  return command.commands.find((child) => child.name() === name);
}
