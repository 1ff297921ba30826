import {Option, type Command} from 'commander';
import type {AddOptions, LogOptions} from '../commands/schedule/schedule-options.ts';
import type {Io} from '../io.ts';
import {addOptions} from './add-options.ts';
import {DOMAIN_OPTION, SETTING_OPTIONS, VERIFY_OPTION} from './option-facts.ts';
import type {End} from './parsing.ts';

/** `fettle schedule …`. */
export function addScheduleCommands(program: Command, io: Io, end: End): void {
  const schedule = program.command('schedule').description('run tasks at their times, without you').addHelpText('after', EXAMPLES);
  addAdding(schedule, io, end);
  addLooking(schedule, io, end);
  addChanging(schedule, io, end);
  addRunning(schedule, io, end);
}

const EXAMPLES = `
Examples:
  fettle schedule add --prompt "update the dependencies, run the tests, and say what changed" --cron "0 7 * * 1-5" --mode full-auto
  fettle schedule add --reminder "stand up" --every 45m
  fettle schedule list
  fettle schedule install                     the daemon that starts jobs, as a service of yours

Jobs are files: FOLDER OF THE CONFIGURATION/schedule/NAME.toml. A run has the rights that its file names, and no others.`;

function addAdding(schedule: Command, io: Io, end: End): void {
  const add = schedule
    .command('add')
    .description('add a job: a task for the model, or a reminder, and its times; prints its name')
    .option('--prompt <text>', 'the task; `-` reads it from stdin')
    .addOption(new Option('--reminder <text>', 'a text for you, without a model').conflicts('prompt'))
    .option('--every <period>', 'each so often, at least a minute: 30m, 2h, "1 day"')
    .addOption(new Option('--cron <expression>', 'minute, hour, day, month, weekday, by the clocks here: "0 7 * * 1-5"').conflicts('every'))
    .addOption(
      new Option('--at <moment>', 'once: 15:00, "tomorrow 9:00", "in 20 minutes", 2026-12-01T09:00:00Z').conflicts(['every', 'cron']),
    )
    .option('--name <name>', 'its name; by default made from the first words')
    .option('--workspace <folder>', 'the folder of the runs; by default this one')
    .addOption(
      new Option('--missed <rule>', 'what is made up for when the computer slept; by default once').choices(['skip', 'once', 'all']),
    )
    .addOption(
      new Option('--overlap <rule>', 'a due time while an earlier run goes on; by default skip').choices(['skip', 'queue', 'cancel-old']),
    )
    .addOption(new Option('--notify <when>', 'which runs you are told of; by default always').choices(['always', 'failure', 'never']));
  addOptions(add, [...SETTING_OPTIONS, DOMAIN_OPTION, VERIFY_OPTION]).action(async (options: AddOptions) => {
    const {addJob} = await import('../commands/schedule/add-job.ts');
    end(await addJob(io, options));
  });
}

function addLooking(schedule: Command, io: Io, end: End): void {
  schedule
    .command('list')
    .description('list the jobs: their times, their last runs, what waits for you')
    .option('--json', 'print as JSON')
    .action(async (options: {json?: true}) => {
      const {listJobs} = await import('../commands/schedule/list-jobs.ts');
      end(await listJobs(io, options));
    });
  schedule
    .command('show')
    .description('show a job: its task, its times, its rights, its last runs')
    .argument('<name>', 'the job')
    .option('--json', 'print as JSON')
    .action(async (name: string, options: {json?: true}) => {
      const {showJob} = await import('../commands/schedule/show-job.ts');
      end(await showJob(io, name, options));
    });
  schedule
    .command('logs')
    .description('show the last message of the newest run')
    .argument('<name>', 'the job')
    .option('--run <id>', 'of this run; `show` lists them')
    .option('--events', 'its events instead, one line of JSON each')
    .addOption(new Option('--stderr', 'what it wrote to stderr instead').conflicts('events'))
    .action(async (name: string, options: LogOptions) => {
      const {jobLogs} = await import('../commands/schedule/job-logs.ts');
      end(await jobLogs(io, name, options));
    });
}

function addChanging(schedule: Command, io: Io, end: End): void {
  schedule
    .command('pause')
    .description('let due times pass without a run')
    .argument('<name>', 'the job')
    .action(async (name: string) => {
      const {pauseJob} = await import('../commands/schedule/pause-job.ts');
      end(await pauseJob(io, name));
    });
  schedule
    .command('resume')
    .description('let a job go on: after a pause, or after its project changed, which is shown first')
    .argument('<name>', 'the job')
    .option('--yes', 'accept the project as it is now without asking')
    .action(async (name: string, options: {yes?: true}) => {
      const {resumeJob} = await import('../commands/schedule/pause-job.ts');
      end(await resumeJob(io, name, options));
    });
  schedule
    .command('remove')
    .description('remove a job, and what is kept of its runs')
    .argument('<name>', 'the job')
    .action(async (name: string) => {
      const {removeJob} = await import('../commands/schedule/remove-job.ts');
      end(await removeJob(io, name));
    });
}

function addRunning(schedule: Command, io: Io, end: End): void {
  schedule
    .command('run')
    .description('run a job now and here, with its rights; ends with the exit code of the run')
    .argument('<name>', 'the job')
    .action(async (name: string) => {
      const {runJob} = await import('../commands/schedule/run-job.ts');
      end(await runJob(io, name));
    });
  schedule
    .command('daemon')
    .description('start jobs when they are due, until it is ended; one for each user')
    .action(async () => {
      const {scheduleDaemon} = await import('../commands/schedule/daemon.ts');
      end(await scheduleDaemon(io));
    });
  schedule
    .command('install')
    .description('write the daemon as a service (systemd user unit, launchd agent), and print the commands that start it')
    .action(async () => {
      const {installService} = await import('../commands/schedule/service.ts');
      end(await installService(io));
    });
  schedule
    .command('uninstall')
    .description('remove that service, and print the commands that end it')
    .action(async () => {
      const {uninstallService} = await import('../commands/schedule/service.ts');
      end(await uninstallService(io));
    });
  schedule
    .command('supervise', {hidden: true})
    .description('run one claimed run; the daemon starts it')
    .argument('<id>', 'the run')
    .action(async (id: string) => {
      const {supervise} = await import('../commands/schedule/supervise.ts');
      end(await supervise(io, Number(id)));
    });
}
