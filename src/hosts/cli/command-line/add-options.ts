import {Option, type Command} from 'commander';
import type {OptionFacts} from './option-facts.ts';

/** Adds options to a command, in their order. */
export function addOptions(command: Command, facts: readonly OptionFacts[]): Command {
  for (const {flags, help, choices, conflicts, repeats} of facts) {
    const option = new Option(flags, help);
    if (choices !== undefined) option.choices(choices);
    if (conflicts !== undefined) option.conflicts(conflicts);
    if (repeats === true) option.argParser(collect);
    command.addOption(option);
  }
  return command;
}

/** Collects the values of an option that may be repeated. */
export function collect(value: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, value];
}
