import type {Command} from 'commander';
import type {Io} from '../io.ts';
import type {LabReportFlags} from '../commands/lab/report-run.ts';
import type {LabRunFlags} from '../commands/lab/run-suite.ts';
import {addOptions} from './add-options.ts';
import type {OptionFacts} from './option-facts.ts';
import type {End} from './parsing.ts';

const RUN_SUITE_OPTIONS: readonly OptionFacts[] = [
  {
    flags: '--models <list>',
    help: 'models, separated by commas; `script` uses the recorded replies of each task; default: the configured model',
  },
  {flags: '--toolsets <list>', help: 'toolsets, separated by commas; default: fettle'},
  {flags: '--tasks <list>', help: 'only these tasks, separated by commas; `*` stands for any characters'},
  {flags: '--attempts <n>', help: 'rollouts of each task by each model and toolset; default: 1'},
  {flags: '--workers <n>', help: 'rollouts at the same time; default: half of the processors'},
  {flags: '--budget <usd>', help: 'start no more rollouts once this many US dollars are spent'},
  {flags: '--name <name>', help: 'name of the run; default: the suite and the time'},
  {
    flags: '--no-isolation',
    help: 'run without isolation where the system has none: agents can then read hidden tests and change files of yours',
  },
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
  lab
    .command('list')
    .description('list the runs, newest first')
    .option('--json', 'print as JSON')
    .action(async (options: {json?: true}) => {
      const {listLabRuns} = await import('../commands/lab/list-runs.ts');
      end(await listLabRuns(io, options));
    });
  addReading(lab, io, end);
}

/** Adds the commands that read the results of runs. */
function addReading(lab: Command, io: Io, end: End): void {
  lab
    .command('report')
    .description('report the results of a run')
    .argument('[run]', 'name of the run; default: the newest')
    .option('--against <run>', 'compare with this run')
    .option('--json', 'print as JSON')
    .option('--csv', 'print the results of all rollouts as CSV')
    .option('--html <file>', 'write a page with plots')
    .action(async (run: string | undefined, options: LabReportFlags) => {
      const {reportRun} = await import('../commands/lab/report-run.ts');
      end(await reportRun(io, run, options));
    });
  lab
    .command('show')
    .description('show one rollout: its task, conversation, changes and verification')
    .argument('<rollout>', 'TASK/MODEL/TOOLSET/ATTEMPT; its beginning is enough if it is unique')
    .option('--run <name>', 'name of the run; default: the newest')
    .option('--json', 'print its result as JSON')
    .action(async (rollout: string, options: {run?: string; json?: true}) => {
      const {showRollout} = await import('../commands/lab/show-rollout.ts');
      end(await showRollout(io, rollout, options));
    });
}
