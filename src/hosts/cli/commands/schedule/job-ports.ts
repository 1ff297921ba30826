import {FettleError} from '../../../../base/errors.ts';
import {execArguments} from '../../../../schedule/jobs/exec-arguments.ts';
import {readJob} from '../../../../schedule/jobs/job-folder.ts';
import type {ProgramCommand, SupervisorPorts} from '../../../../schedule/supervisor/supervisor-ports.ts';
import type {Io} from '../../io.ts';
import type {SchedulePlace} from './schedule-place.ts';

/** The command by which this process was started, to start others of its kind. */
export function ownCommand(words: readonly string[], {env}: Pick<Io, 'env'>): ProgramCommand {
  const flags = process.execArgv.filter((flag) => !DAEMON_FLAGS.has(flag));
  return {file: process.execPath, args: [...flags, process.argv[1] ?? '', ...words], env};
}

/** The daemon is started with them by the launcher; a run needs compilers and space. */
const DAEMON_FLAGS: ReadonlySet<string> = new Set(['--lite-mode', '--max-semi-space-size=1', '--v8-pool-size=0']);

/** Everything that a supervisor needs from this host: definitions, the check of the project, the command of the run. */
export function supervisorPorts(io: Pick<Io, 'env' | 'home'>, {folders}: Pick<SchedulePlace, 'folders'>): SupervisorPorts {
  return {
    async readJob(name) {
      const found = await readJob(folders.jobs, name);
      if (found === undefined || 'job' in found) return found?.job;
      throw new FettleError({code: 'CONFIG', message: found.problems.join('; ')});
    },
    async checkProject(job) {
      const {reasonToWait} = await import('./known-project.ts');
      return await reasonToWait(io, folders, job);
    },
    execCommand: (job) => ownCommand(execArguments(job), io),
  };
}
