import {Argument, Option, type Command} from 'commander';
import {RELATION_KINDS} from '../../../code/relation.ts';
import {PICTURE_FORMATS} from '../../../code/pictures/edge-picture.ts';
import {SYMBOL_KINDS} from '../../../code/symbol.ts';
import type {IndexOptions} from '../code-index/index-answers.ts';
import type {IndexCommand} from '../commands/code-index.ts';
import type {Io} from '../io.ts';
import type {End} from './parsing.ts';

/** `fettle index …`. */
export function addIndexCommands(program: Command, io: Io, end: End): void {
  const index = program.command('index').description('index and search the symbols of the code in this folder');
  const run = async (name: IndexCommand, subject: string, options: IndexOptions) => {
    const {INDEX_COMMANDS} = await import('../commands/code-index.ts');
    end(await INDEX_COMMANDS[name](io, subject, options));
  };
  const command = (name: string, description: string): Command =>
    index.command(name).description(description).option('-C, --cwd <folder>', 'the folder of the code').option('--json', 'print as JSON');
  const limit = (what: string): Option => new Option('--limit <n>', `at most this many ${what}`).default('20');
  const symbol = new Argument('<symbol>', 'a name, Class.name, an id, file:line, or file:line:column');

  command('build', 'build or update the index')
    .option('--force', 'rebuild it from scratch')
    .action(async (options: IndexOptions) => await run('build', '', options));
  command('status', 'show what is indexed').action(async (options: IndexOptions) => await run('status', '', options));
  command('search', 'find symbols by name, best first; a part of the name, its humps (`gUN` for getUserName) or a typo will do')
    .argument('<query>', 'the name')
    .option('--path <path>', 'only in this file or folder')
    .addOption(new Option('--kind <kind>', 'only of this kind').choices(SYMBOL_KINDS))
    .addOption(limit('symbols'))
    .action(async (query: string, options: IndexOptions) => await run('search', query, options));
  command('resolve', 'show which symbols a name may mean')
    .addArgument(symbol)
    .option('--path <path>', 'only in this file')
    .action(async (name: string, options: IndexOptions) => await run('resolve', name, options));
  command('outline', 'list the symbols of a file')
    .argument('<file>', 'the file')
    .action(async (file: string, options: IndexOptions) => await run('outline', file, options));
  command('graph', 'show what uses a symbol, and what it uses')
    .addArgument(symbol)
    .option('--path <path>', 'only in this file')
    .addOption(new Option('--relation <kind>', 'only edges of this kind').choices(RELATION_KINDS))
    .addOption(new Option('--format <format>', 'draw a graph in this format').choices(PICTURE_FORMATS).conflicts('json'))
    .addOption(limit('edges in each direction'))
    .action(async (name: string, options: IndexOptions) => await run('graph', name, options));
  command('references', 'list every place that names a symbol')
    .addArgument(symbol)
    .option('--path <path>', 'only in this file')
    .addOption(limit('places'))
    .action(async (name: string, options: IndexOptions) => await run('references', name, options));
  command('overview', 'show languages, folders, entry points, and the modules that most others depend on')
    .argument('[folder]', 'only below this folder')
    .option('--write', 'store it in .fettle/context/project_index.md')
    .action(async (folder: string | undefined, options: IndexOptions) => await run('overview', folder ?? '.', options));
}
