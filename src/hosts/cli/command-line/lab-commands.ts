import {Option, type Command} from 'commander';
import type {Io} from '../io.ts';
import type {LabReportFlags} from '../commands/lab/report-run.ts';
import type {LabExportFlags} from '../commands/lab/export-run.ts';
import type {FromSessionsFlags} from '../commands/lab/from-sessions.ts';
import type {LabRunFlags} from '../commands/lab/run-flags.ts';
import type {SelfPlayFlags} from '../commands/lab/choose-play.ts';
import type {LabShowFlags} from '../commands/lab/show-rollout.ts';
import type {LabWorkerFlags} from '../commands/lab/work-for-queue.ts';
import {addOptions} from './add-options.ts';
import type {OptionFacts} from './option-facts.ts';
import type {End} from './parsing.ts';

const ISOLATION: OptionFacts = {
  flags: '--no-isolation',
  help: 'run where the system cannot isolate agents: they can then read hidden tests and change your files',
};

const RUN_QUEUE: OptionFacts = {flags: '--queue <url>', help: 'queue in which the run is, if it is in one; default: $FETTLE_LAB_QUEUE'};

const WORKERS: OptionFacts = {flags: '--workers <n>', help: 'rollouts at the same time; default: half of the processors'};

const BUDGET: OptionFacts = {flags: '--budget <usd>', help: 'US dollars that all rollouts together may cost; with --resume, a new budget'};

const QUEUE: OptionFacts = {flags: '--queue <url>', help: 'postgres://user@host/database; default: $FETTLE_LAB_QUEUE'};

const RUN_SUITE_OPTIONS: readonly OptionFacts[] = [
  {
    flags: '--models <list>',
    help: 'models, separated by commas; `script` uses the recorded replies of each task; default: the configured model',
  },
  {flags: '--toolsets <list>', help: 'toolsets, separated by commas; default: fettle'},
  {flags: '--tasks <list>', help: 'only these tasks, separated by commas; `*` matches any characters'},
  {flags: '--attempts <n>', help: 'rollouts of each task by each model and toolset; default: 1'},
  WORKERS,
  BUDGET,
  {flags: '--name <name>', help: 'name of the run; default: the suite and the time'},
  {flags: '--store <place>', help: 'where logs and patches are kept: a folder, or s3://bucket/prefix; default: a folder of the run'},
  ISOLATION,
  {
    ...QUEUE,
    help: `share the rollouts with workers on other machines: ${QUEUE.help}; auto: that one, if it is expected to be quicker than this machine`,
  },
];

const SELF_PLAY_OPTIONS: readonly OptionFacts[] = [
  {flags: '-m, --model <model>', help: 'model of all roles; `script` uses recorded replies; default: the configured model'},
  {flags: '--tasks <list>', help: 'only these tasks, separated by commas; `*` matches any characters'},
  {flags: '--attempts <n>', help: 'rollouts of each role at each task; the first is greedy; default: 4'},
  {flags: '--agentic', help: 'give each role the whole task at once, without rollouts before it that find the files'},
  WORKERS,
  BUDGET,
  {flags: '--name <name>', help: 'name of the run; default: the suite and the time'},
  ISOLATION,
];

/** `fettle lab …`. */
export function addLabCommands(program: Command, io: Io, end: End): void {
  const lab = program.command('lab').description('run suites of tasks, score models and settings, and export training data');
  addOptions(lab.command('run'), RUN_SUITE_OPTIONS)
    .description('run every task of a suite with every model and toolset, and report the result')
    .argument('[suite]', 'folder of tasks: those of Fettle, Harbor and Terminal-Bench, or polyglot exercises; or a JSONL file of SWE-bench')
    .option('--resume [run]', 'continue a run; without a name, the newest')
    .action(async (suite: string | undefined, options: LabRunFlags) => {
      const {runSuite} = await import('../commands/lab/run-suite.ts');
      end(await runSuite(io, suite, options));
    });
  lab
    .command('tasks')
    .description('list the tasks of a suite, and what those lack that cannot be run here')
    .argument('<suite>', 'folder or file of tasks')
    .option('--json', 'print as JSON')
    .action(async (suite: string, options: {json?: true}) => {
      const {listTasks} = await import('../commands/lab/list-tasks.ts');
      end(await listTasks(io, suite, options));
    });
  addOptions(lab.command('worker'), [QUEUE, WORKERS, ISOLATION])
    .description('carry out rollouts of a queue, until it is stopped')
    .action(async (options: LabWorkerFlags) => {
      const {workForQueue} = await import('../commands/lab/work-for-queue.ts');
      end(await workForQueue(io, options));
    });
  addReading(lab, io, end);
  addMaking(lab, io, end);
}

/** Adds the commands that read the results of runs. */
function addReading(lab: Command, io: Io, end: End): void {
  addOptions(lab.command('list'), [RUN_QUEUE])
    .description('list the runs, newest first')
    .option('--json', 'print as JSON')
    .action(async (options: {json?: true; queue?: string}) => {
      const {listLabRuns} = await import('../commands/lab/list-runs.ts');
      end(await listLabRuns(io, options));
    });
  addOptions(lab.command('report'), [RUN_QUEUE])
    .description('report the results of a run')
    .argument('[run]', 'name of the run; default: the newest')
    .option('--against <run>', 'compare with this run')
    .option('--json', 'print as JSON')
    .addOption(new Option('--csv', 'print the results of all rollouts as CSV').conflicts('json'))
    .option('--html <file>', 'write a page with plots')
    .action(async (run: string | undefined, options: LabReportFlags) => {
      const {reportRun} = await import('../commands/lab/report-run.ts');
      end(await reportRun(io, run, options));
    });
  addOptions(lab.command('show'), [RUN_QUEUE])
    .description('show one rollout: its task, conversation, changes and verification')
    .argument('<rollout>', 'TASK/MODEL/TOOLSET/ATTEMPT; its beginning is enough if it is unique')
    .option('--run <name>', 'name of the run; default: the newest')
    .option('--json', 'print its result as JSON')
    .action(async (rollout: string, options: LabShowFlags) => {
      const {showRollout} = await import('../commands/lab/show-rollout.ts');
      end(await showRollout(io, rollout, options));
    });
}

/** Adds the commands that make tasks and training data. */
function addMaking(lab: Command, io: Io, end: End): void {
  addOptions(lab.command('export'), [RUN_QUEUE])
    .description('write the rollouts of a run as training data, divided by task into train, validation and test')
    .argument('[run]', 'name of the run; default: the newest')
    .addOption(
      new Option('--format <format>', 'chat with tools (sft), pairs (preference), transitions with rewards (rl), or trajectories (atif)')
        .choices(['sft', 'preference', 'rl', 'atif'])
        .default('sft'),
    )
    .requiredOption('--out <folder>', 'folder to write to; it is made, and must be empty')
    .action(async (run: string | undefined, options: LabExportFlags) => {
      const {exportRun} = await import('../commands/lab/export-run.ts');
      end(await exportRun(io, run, options));
    });
  addOptions(lab.command('self-play'), SELF_PLAY_OPTIONS)
    .description('let attempts at each task judge each other: patches against tests; promote the best patch, with its training data')
    .argument('[suite]', 'folder or file of tasks')
    .option('--resume [run]', 'continue a run; without a name, the newest')
    .action(async (suite: string | undefined, options: SelfPlayFlags) => {
      const {selfPlay} = await import('../commands/lab/self-play.ts');
      end(await selfPlay(io, suite, options));
    });
  lab
    .command('from-sessions')
    .description('make tasks of your recorded sessions: the folder as it was, the prompt, the check that passed then')
    .option('--since <time>', 'only sessions since then: 30d, 12h, or a date')
    .option('--verified', 'only sessions whose work was verified')
    .requiredOption('--out <folder>', 'suite to add the tasks to')
    .action(async (options: FromSessionsFlags) => {
      const {fromSessions} = await import('../commands/lab/from-sessions.ts');
      end(await fromSessions(io, options));
    });
}
