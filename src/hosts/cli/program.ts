import {Command, CommanderError} from 'commander';
import {FettleError} from '../../base/errors.ts';
import {VERSION} from '../../sdk/version.ts';
import {addCommands} from './command-tree.ts';
import type {Io} from './io.ts';
import {addRunOptions, type RunOptions} from './run-options.ts';

/** Parses the command line, runs the command that it names, and returns its exit code. Throws FettleError. */
export async function runCommandLine(argv: readonly string[], io: Io): Promise<number> {
  // Words after `--` are a prompt, also when one of them is the name of a command.
  const cut = argv.indexOf('--');
  const tail = cut < 0 ? [] : argv.slice(cut + 1);
  const result = {exitCode: 0};
  const program = createProgram(io, {first: argv[0], tail, result});
  try {
    await program.parseAsync(cut < 0 ? argv : argv.slice(0, cut), {from: 'user'});
  } catch (thrown) {
    if (!(thrown instanceof CommanderError)) throw thrown;
    if (thrown.exitCode === 0) return 0;
    throw usageError(thrown);
  }
  return result.exitCode;
}

/** What a parse leaves behind. */
export interface Parsing {
  /** The first word of the command line. */
  readonly first: string | undefined;
  /** The words after `--`. */
  readonly tail: readonly string[];
  readonly result: {exitCode: number};
}

/** The tree of commands: the whole of it but where a task is to be done. */
export function createProgram(io: Io, parsing: Parsing): Command {
  const program = new Command('fettle')
    .description('A coding agent and the tool runtime under it.')
    .version(VERSION, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show this help')
    .helpCommand(false)
    .argument('[prompt...]', 'the task; without one a chat begins, or stdin is read where there is no terminal')
    .showSuggestionAfterError(true)
    // An option after the name of a sub-command is the sub-command's.
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({writeOut: io.data, writeErr: () => {}})
    .addHelpText('after', EXAMPLES);
  addRunOptions(program).action(async (words: string[], options: RunOptions) => {
    const prompt = [...words, ...parsing.tail].join(' ');
    if (io.interactive && options.json !== true) {
      const {chat} = await import('./commands/chat.ts');
      parsing.result.exitCode = await chat(io, prompt, options);
    } else {
      const {exec} = await import('./commands/exec.ts');
      parsing.result.exitCode = await exec(io, prompt, options);
    }
  });
  addCommands(program, io, parsing);
  return program;
}

function usageError(error: CommanderError): FettleError {
  const message = error.message.replace(/^error: /, '').replace(/\n\(Did you mean .*\)$/s, '');
  const suggestion = /\(Did you mean (.*)\?\)/.exec(error.message)?.[1];
  const hint = suggestion === undefined ? 'See `fettle --help`.' : `Did you mean ${suggestion}? See \`fettle --help\`.`;
  return new FettleError({code: 'USAGE', message: `${message}${message.endsWith('.') ? '' : '.'}`, hint});
}

const EXAMPLES = `
Examples:
  fettle demo                                 watch the whole loop on a small project, no key needed
  fettle "why does the date test fail?"       begin a chat with a question
  fettle exec --mode accept-edits "fix it"    headless; the answer goes to stdout, progress to stderr
  fettle tools call grep '{"pattern": "TODO"}'
                                              run one tool without a model

Exit codes:
  0 done   1 failed   2 usage or config   3 denied   4 limit reached   5 loop detected   6 blocked   7 provider   130 interrupted`;
