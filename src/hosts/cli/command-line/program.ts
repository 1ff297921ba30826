import {Command, CommanderError} from 'commander';
import {FettleError} from '../../../base/errors.ts';
import {VERSION} from '../../../sdk/version.ts';
import {addOptions} from './add-options.ts';
import {admitWords, isPrompt} from './bare-words.ts';
import {addCommands} from './command-tree.ts';
import {existingFolder} from './existing-folder.ts';
import {RUN_OPTIONS, SCREEN_OPTIONS} from './option-facts.ts';
import type {Io} from '../io.ts';
import {findRoute, leadingOptions, routedTokens, type Route} from './route.ts';
import {withChoice, type RunOptions} from './run-options.ts';
import {screenChoice, type ScreenFlags} from '../display-mode.ts';

/** Parses the command line, runs the command that it names, and returns its exit code. Throws FettleError. */
export async function runCommandLine(args: readonly string[], io: Io): Promise<number> {
  const argv = withChoice(args);
  const {program, result, route} = openCommandLine(argv, io);
  try {
    if (route.command === program) await admitFirstWord(io, route.rest, program);
    else if (route.command.commands.length > 0 && route.rest.length === 0) {
      program.parseOptions(route.leading.flatMap(({tokens}) => tokens)); // refuses bad values
      route.command.outputHelp();
      return 0;
    }
    await program.parseAsync(tokensOf(program, route, argv), {from: 'user'});
  } catch (thrown) {
    if (!(thrown instanceof CommanderError)) throw thrown;
    if (thrown.exitCode === 0) return 0;
    throw usageError(thrown, ['fettle', ...route.path].join(' '));
  }
  return result.exitCode;
}

export interface CommandLine {
  readonly program: Command;
  readonly route: Route;
  readonly result: {exitCode: number};
}

/** Builds the tree of commands that a command line needs, and finds the one that it names; runs nothing. */
export function openCommandLine(argv: readonly string[], io: Io): CommandLine {
  const result = {exitCode: 0};
  const at = {...io};
  const program = createProgram(at, {tail: tailOf(argv), result});
  // -C holds for every command alike: each works in `at.cwd`.
  program.hook('preAction', async (_, command) => {
    const {cwd} = command.opts<{cwd?: string}>();
    at.cwd = await existingFolder(io, cwd);
    if (cwd !== undefined) command.setOptionValue('cwd', at.cwd);
  });
  const leading = leadingOptions(program, argv);
  addCommands(program, at, {first: leading.rest[0], result});
  return {program, route: findRoute(program, leading), result};
}

function createProgram(io: Io, {tail, result}: {readonly tail: readonly string[]; readonly result: {exitCode: number}}): Command {
  const program = new Command('fettle')
    .description('A coding agent and the tool runtime under it.')
    .version(VERSION, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show this help')
    .helpCommand(false)
    .argument('[prompt...]', 'the task, in quotes or after `--`; without it, a chat starts, or stdin is read if it is not a terminal')
    .showSuggestionAfterError(true)
    // An option after the name of a sub-command is the sub-command's.
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({writeOut: io.data, writeErr: () => {}})
    .addHelpText('after', EXAMPLES);
  return addOptions(program, [...RUN_OPTIONS, ...SCREEN_OPTIONS]).action(async (words: string[], options: RunOptions & ScreenFlags) => {
    const prompt = [...words, ...tail].join(' ');
    const surface = screenChoice(options, io, process.stdout.isTTY);
    if (io.interactive && options.json !== true && surface !== 'lines') {
      const {tui} = await import('../commands/tui.ts');
      const captured = async (args: readonly string[]): Promise<{readonly text: string; readonly exitCode: number}> =>
        await (await import('../capture-command.ts')).captureCommand(io, args, runCommandLine);
      result.exitCode = await tui(io, prompt, {...options, surface, runCommandLine: captured});
    } else if (io.interactive && options.json !== true) {
      const {chat} = await import('../commands/chat.ts');
      result.exitCode = await chat(io, prompt, options);
    } else {
      const {exec} = await import('../commands/exec.ts');
      result.exitCode = await exec(io, prompt, options);
    }
  });
}

/** Without a command, words after `--` are a prompt, even if one of them is the name of a command. */
function tailOf(argv: readonly string[]): readonly string[] {
  const cut = argv.indexOf('--');
  return cut < 0 ? [] : argv.slice(cut + 1);
}

function tokensOf(program: Command, route: Route, argv: readonly string[]): readonly string[] {
  if (route.command !== program) return routedTokens(route);
  const cut = argv.indexOf('--');
  return cut < 0 ? argv : argv.slice(0, cut);
}

/** An option here is unknown: the parser refuses it. */
async function admitFirstWord(io: Io, rest: readonly string[], program: Command): Promise<void> {
  const [first] = rest;
  if (first === undefined || isPrompt(first) || first.startsWith('-')) return;
  await admitWords(
    io,
    rest,
    program.commands.map((command) => command.name()),
  );
}

function usageError(error: CommanderError, command: string): FettleError {
  const message = error.message.replace(/^error: /, '').replace(/\n\(Did you mean .*\)$/s, '');
  const suggestion = /\(Did you mean (.*)\?\)/.exec(error.message)?.[1];
  const help = `See \`${command} --help\`.`;
  const hint = suggestion === undefined ? help : `Did you mean ${suggestion}? ${help}`;
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
