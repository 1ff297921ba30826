import {Argument, Option, type Command} from 'commander';
import {addContextCommands} from './context-commands.ts';
import {addIndexCommands} from './index-commands.ts';
import {addLabCommands} from './lab-commands.ts';
import {addOptimizeCommands} from './optimize-commands.ts';
import {addServerCommands} from './server-commands.ts';
import type {TrustOptions} from '../commands/trust.ts';
import type {RestoreFlags} from '../commands/checkpoints.ts';
import type {Io} from '../io.ts';
import type {End, Parsing} from './parsing.ts';
import {addPermissionCommands} from './permission-commands.ts';
import {addScheduleCommands} from './schedule-commands.ts';
import {addSessionCommands} from './session-commands.ts';
import {addOptions} from './add-options.ts';
import {ANSWER_OPTIONS, EXEC_OPTIONS, FOLDER_OPTION, MODEL_OPTION, SANDBOX_OPTIONS, SETTING_OPTIONS, TOOL_OPTIONS} from './option-facts.ts';
import type {AskOptions, ExecOptions, SettingOptions} from './run-options.ts';

/** Adds every sub-command. Each loads its module when it runs: the help and the quick commands stay quick. */
export function addCommands(program: Command, io: Io, parsing: Parsing): void {
  const end = (exitCode: number): void => {
    parsing.result.exitCode = exitCode;
  };
  addModelCommands(program, io, end);
  // They are known by their first word, and on the way to a first request the others would be made for nothing.
  if (parsing.first === 'exec' || parsing.first === 'ask') return;
  addModelsCommands(program, io, end);
  addToolCommands(program, io, end);
  addServerCommands(program, io, end);
  addSessionCommands(program, io, end);
  addCheckpointCommands(program, io, end);
  addIndexCommands(program, io, end);
  addLabCommands(program, io, end);
  addScheduleCommands(program, io, end);
  addOptimizeCommands(program, io, end);
  addSetUpCommands(program, io, end);
  for (const leaf of leavesOf(program)) if (!leaf.options.some(({long}) => long === '--cwd')) addOptions(leaf, [FOLDER_OPTION]);
}

/** The commands below a command that have no commands of their own. */
export function leavesOf(command: Command): readonly Command[] {
  return command.commands.flatMap((child) => (child.commands.length === 0 ? [child] : leavesOf(child)));
}

function addModelCommands(program: Command, io: Io, end: End): void {
  addOptions(program.command('exec'), EXEC_OPTIONS)
    .description('run a task without asking anyone: the answer goes to stdout, progress to stderr')
    .argument('[prompt...]', 'the task; `-` or nothing reads it from stdin')
    .action(async (words: string[], options: ExecOptions) => {
      const {exec} = await import('../commands/exec.ts');
      end(await exec(io, words.join(' '), options));
    });
  addOptions(program.command('ask'), [...SETTING_OPTIONS, ...ANSWER_OPTIONS])
    .description('answer one question, with read-only tools')
    .argument('[prompt...]', 'the question; `-` or nothing reads it from stdin')
    .action(async (words: string[], options: AskOptions) => {
      const {ask} = await import('../commands/ask.ts');
      end(await ask(io, words.join(' '), options));
    });
  program
    .command('demo')
    .description('show the whole loop on a small project, with real tools and a recorded model; no key, no network')
    .option('--keep', 'keep the scratch folder')
    .action(async (options: {keep?: true}) => {
      const {demo} = await import('../commands/demo.ts');
      end(await demo(io, options));
    });
}

function addModelsCommands(program: Command, io: Io, end: End): void {
  const models = program.command('models').description('list providers and test models');
  addOptions(models.command('list'), [MODEL_OPTION])
    .description('list the providers, their addresses, and whether their key is set')
    .option('--json', 'print as JSON')
    .action(async (options: SettingOptions & {json?: true}) => {
      const {listModels} = await import('../commands/models.ts');
      end(await listModels(io, options));
    });
  addOptions(addOptions(models.command('test'), TOOL_OPTIONS), [MODEL_OPTION])
    .description('send what a run would send, ask for a tool call, and show the reply; nothing is run')
    .argument('[provider/model]', 'the model; defaults to the configured one')
    .option('--json', 'print as JSON')
    .action(async (model: string | undefined, options: SettingOptions & {json?: true}) => {
      const {testModelCommand: testModel} = await import('../commands/test-model.ts');
      end(await testModel(io, model === undefined ? options : {...options, model}));
    });
}

function addToolCommands(program: Command, io: Io, end: End): void {
  const tools = program.command('tools').description('list, show and call tools without a model');
  addOptions(tools.command('list'), TOOL_OPTIONS)
    .description('list the tools that a model sees')
    .option('--all', 'also tools that can be called but are not shown to models')
    .option('--json', 'print their schemas as JSON')
    .action(async (options: SettingOptions & {all?: true; json?: true}) => {
      const {listTools} = await import('../commands/tools.ts');
      end(await listTools(io, options));
    });
  addOptions(tools.command('show'), TOOL_OPTIONS)
    .description('show what a model sees of a tool')
    .argument('<name>', 'the tool')
    .action(async (name: string, options: SettingOptions) => {
      const {showTool} = await import('../commands/tools.ts');
      end(await showTool(io, name, options));
    });
  addOptions(tools.command('call'), TOOL_OPTIONS)
    .description('run one tool and print exactly what a model would see')
    .argument('<name>', 'the tool')
    .argument('<json>', 'its arguments; `-` reads them from stdin')
    .option('--json', 'print the structured result instead')
    .action(async (name: string, json: string, options: SettingOptions & {json?: true}) => {
      const {callTool} = await import('../commands/call-tool.ts');
      end(await callTool(io, {name, json}, options));
    });
  addPermissionCommands(program, io, end);
}

function addCheckpointCommands(program: Command, io: Io, end: End): void {
  const checkpoints = program.command('checkpoints').description('list, show and undo the changes in this folder');
  checkpoints
    .command('list')
    .description('list the turns that changed something, newest first')
    .option('--session <id>', 'only this session; the first characters of its id are enough')
    .option('--json', 'print as JSON')
    .action(async (options: {session?: string; json?: true}) => {
      const {listCheckpointsCommand: listAll} = await import('../commands/checkpoints.ts');
      end(await listAll(io, options));
    });
  checkpoints
    .command('diff')
    .description('show what a turn changed')
    .argument('<id>', 'the checkpoint; the first characters are enough')
    .argument('[file...]', 'only these files and folders')
    .action(async (id: string, files: string[]) => {
      const {diffOne} = await import('../commands/checkpoints.ts');
      end(await diffOne(io, id, files));
    });
  checkpoints
    .command('restore')
    .description('restore the state before a turn: undoes it and all later turns of its session; a restore can be undone, too')
    .argument('<id>', 'the checkpoint; the first characters are enough')
    .argument('[file...]', 'only these files and folders')
    .option('--files', 'only the files (the default)')
    .option('--conversation', 'only the conversation')
    .option('--both', 'the files and the conversation')
    .option('--force', 'also files that were changed by others since')
    .option('--dry-run', 'only show what would be done')
    .action(async (id: string, files: string[], options: RestoreFlags) => {
      const {restoreOne} = await import('../commands/checkpoints.ts');
      end(await restoreOne(io, {id, files}, options));
    });
}

function addSetUpCommands(program: Command, io: Io, end: End): void {
  const config = program.command('config').description('show and check the settings');
  const configCommand = (name: 'show' | 'check' | 'schema' | 'path', description: string): Command =>
    config
      .command(name)
      .description(description)
      .action(async (options: SettingOptions & {json?: true}) => {
        const {configCommands} = await import('../commands/config.ts');
        end(await configCommands[name](io, options));
      });
  addOptions(configCommand('show', 'show the settings in force and where each comes from'), SETTING_OPTIONS).option(
    '--json',
    'print as JSON',
  );
  addOptions(configCommand('check', 'check all configuration files and options'), SETTING_OPTIONS);
  configCommand('schema', 'print the JSON Schema of the configuration file, for editors');
  configCommand('path', 'list the configuration files that are read');
  program
    .command('init')
    .description('write a commented configuration file, and an AGENTS.md for the project, where they are missing')
    .addArgument(new Argument('[what]', 'only one of the two').choices(['config', 'agents']))
    .option('--force', 'replace what exists')
    .action(async (what: 'config' | 'agents' | undefined, options: {force?: true}) => {
      const {init} = await import('../commands/init.ts');
      end(await init(io, what, options));
    });
  addContextCommands(program, io, end);
  program
    .command('trust')
    .description('show what the project would run or load, and ask whether you trust it')
    .argument('[folder]', 'the project; defaults to the one of this folder')
    .option('--show', 'only show it')
    .addOption(new Option('--yes', 'trust the current content without asking').conflicts(['show', 'list', 'revoke']))
    .addOption(new Option('--list', 'list the trusted projects').conflicts(['show', 'revoke']))
    .addOption(new Option('--revoke', 'no longer trust the project').conflicts('show'))
    .action(async (folder: string | undefined, options: TrustOptions) => {
      const {trust} = await import('../commands/trust.ts');
      end(await trust(io, folder, options));
    });
  addOptions(addOptions(program.command('doctor'), [MODEL_OPTION]), SANDBOX_OPTIONS)
    .description('check what Fettle needs on this machine')
    .action(async (options: SettingOptions) => {
      const {doctor} = await import('../commands/doctor.ts');
      end(await doctor(io, options));
    });
  program
    .command('completion')
    .description('print a completion script for a shell')
    .argument('<shell>', 'bash, zsh or fish')
    .action(async (shell: string) => {
      const {completion} = await import('../commands/completion.ts');
      end(completion(io, shell, program));
    });
}
