import type {Command} from 'commander';
import type {ReplayOptions} from '../commands/replay.ts';
import type {SessionListFlags} from '../commands/sessions.ts';
import type {SearchFlags} from '../commands/search-sessions.ts';
import type {Io} from '../io.ts';
import type {End} from './parsing.ts';
import {addOptions} from './add-options.ts';
import {PERMISSION_OPTIONS} from './option-facts.ts';

/** `fettle sessions …`. */
export function addSessionCommands(program: Command, io: Io, end: End): void {
  const sessions = program.command('sessions').description('list, show, search, fork and export sessions');
  sessions
    .command('list')
    .description('list the sessions of this folder, newest first')
    .option('--all', 'the sessions of every folder')
    .option('--children', 'also the logs of subagents')
    .option('--json', 'print as JSON')
    .action(async (options: SessionListFlags) => {
      const {listSessionsCommand: listAll} = await import('../commands/sessions.ts');
      end(await listAll(io, options));
    });
  sessions
    .command('show')
    .description('show the conversation of a session')
    .argument('<id>', 'the session; the first characters are enough')
    .option('--item <number>', 'only this item of its log, or several: 57-60')
    .option('--dropped', 'only what left the conversation to save space, one line each')
    .action(async (id: string, options: {item?: string; dropped?: true}) => end(await show(io, id, options)));
  sessions
    .command('fork')
    .description('fork a session; prints the id of the copy')
    .argument('<id>', 'the session; the first characters are enough')
    .option('--summarize', 'copy only its memory, task list and newest replies')
    .action(async (id: string, options: {summarize?: true}) => {
      const {forkOne} = await import('../commands/fork-session.ts');
      end(await forkOne(io, id, options));
    });
  sessions
    .command('export')
    .description('write a session to stdout in another format')
    .argument('<id>', 'the session; the first characters are enough')
    .option('--format <format>', 'atif, open-responses, markdown, html or jsonl', 'markdown')
    .action(async (id: string, options: {format: string}) => {
      const {exportSessionCommand: exportSession} = await import('../commands/sessions.ts');
      end(await exportSession(io, id, options.format));
    });
  addLookingBack(sessions, io, end);
  sessions
    .command('delete')
    .description('delete a session for good')
    .argument('<id>', 'the session')
    .action(async (id: string) => {
      const {deleteOne} = await import('../commands/sessions.ts');
      end(await deleteOne(io, id));
    });
}

/** Adds the commands that replay a session, or search all of them. */
function addLookingBack(sessions: Command, io: Io, end: End): void {
  addOptions(sessions.command('replay'), PERMISSION_OPTIONS)
    .description('run a session again without a model, in a scratch copy of its folder, and report differences')
    .argument('<id>', 'the session; the first characters are enough')
    .option('-C, --cwd <folder>', 'copy this folder instead of the recorded one')
    .option('--keep', 'keep the copy')
    .option('--json', 'print as JSON')
    .action(async (id: string, options: ReplayOptions) => {
      const {replayOne} = await import('../commands/replay.ts');
      end(await replayOne(io, id, options));
    });
  sessions
    .command('search')
    .description('find a text in sessions, newest first')
    .argument('<text...>', 'the text; case does not matter')
    .option('--all', 'in every folder')
    .option('--limit <n>', 'at most this many results', '50')
    .option('--json', 'print as JSON')
    .action(async (words: string[], options: SearchFlags) => {
      const {searchAll} = await import('../commands/search-sessions.ts');
      end(await searchAll(io, words.join(' '), options));
    });
}

async function show(io: Io, id: string, {item, dropped}: {readonly item?: string; readonly dropped?: true}): Promise<number> {
  if (item === undefined && dropped === undefined) {
    const {showSession} = await import('../commands/sessions.ts');
    return await showSession(io, id);
  }
  const {showDropped, showItems} = await import('../commands/show-items.ts');
  return item === undefined ? await showDropped(io, id) : await showItems(io, id, item);
}
