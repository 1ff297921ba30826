import type {Command} from 'commander';
import type {Io} from '../io.ts';
import type {End} from './parsing.ts';
import {addOptions} from './add-options.ts';
import {SETTING_OPTIONS} from './option-facts.ts';
import type {SettingOptions} from './run-options.ts';

/** `fettle context …`. */
export function addContextCommands(program: Command, io: Io, end: End): void {
  const context = program.command('context').description('show what is sent to the model');
  addOptions(context.command('show'), SETTING_OPTIONS)
    .description('show each part of the prompt, its source and its estimated tokens; sends no request')
    .option('--session <id>', 'include the memory of a session and the size of its conversation')
    .option('--json', 'print as JSON')
    .action(async (options: SettingOptions & {session?: string; json?: true}) => {
      const {showContextCommand: showContext} = await import('../commands/context.ts');
      end(await showContext(io, options));
    });
}
