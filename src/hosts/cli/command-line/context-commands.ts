import type {Command} from 'commander';
import type {Io} from '../io.ts';
import type {End} from './parsing.ts';
import {addOptions} from './add-options.ts';
import {SETTING_OPTIONS} from './option-facts.ts';
import type {SettingOptions} from './run-options.ts';

/** `fettle context …`. */
export function addContextCommands(program: Command, io: Io, end: End): void {
  const context = program.command('context').description('what a model is sent');
  addOptions(context.command('show'), SETTING_OPTIONS)
    .description('each part of the prompt, where it comes from, and its tokens (an estimate); no model is asked')
    .option('--session <id>', 'also the memory of a session and the size of its conversation')
    .option('--json', 'as JSON')
    .action(async (options: SettingOptions & {session?: string; json?: true}) => {
      const {showContextCommand: showContext} = await import('../commands/context.ts');
      end(await showContext(io, options));
    });
}
