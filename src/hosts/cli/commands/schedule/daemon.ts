import {EXIT} from '../../../../protocol/exit-code.ts';
import type {DaemonPorts, LoadedJobs} from '../../../../schedule/daemon/daemon-ports.ts';
import {runDaemon} from '../../../../schedule/daemon/run-daemon.ts';
import {readJobs, type FoundJob} from '../../../../schedule/jobs/job-folder.ts';
import {createTell} from '../../../../schedule/notify/create-tell.ts';
import {listenForInterrupts} from '../../interrupt.ts';
import type {Io} from '../../io.ts';
import {refuseInsideFettle} from '../../refuse-inside-fettle.ts';
import {ownCommand} from './job-ports.ts';
import {schedulePlace, withStore, type SchedulePlace} from './schedule-place.ts';

/** `fettle schedule daemon`: starts jobs when they are due, until Ctrl-C or SIGTERM. Runs that have begun go on. */
export async function scheduleDaemon(io: Io): Promise<number> {
  refuseInsideFettle(io, {cannot: 'be the daemon of the schedule', instead: 'fettle schedule daemon'});
  const place = schedulePlace(io);
  const interrupts = listenForInterrupts(() => undefined);
  try {
    const ports = daemonPorts(io, place);
    await withStore(place, (store) => runDaemon({folders: place.folders, store, ports}, interrupts.signal()));
    return EXIT.done;
  } finally {
    interrupts.dispose();
  }
}

function daemonPorts(io: Io, {folders, paths}: SchedulePlace): DaemonPorts {
  return {
    loadJobs: async () => loadedJobs(await readJobs(folders.jobs)),
    superviseCommand: ({id}) => ownCommand(['schedule', 'supervise', String(id)], io),
    tell: async (notification, signal) => await createTell({command: await notifyCommand(io, paths), env: io.env})(notification, signal),
    log: (line) => io.note(`${new Date().toISOString()} ${line}`),
  };
}

/** Read anew for each notification: a change takes effect at once. Of a project nothing is read. */
async function notifyCommand({env, home}: Io, {configDir}: SchedulePlace['paths']): Promise<readonly string[]> {
  const {loadConfig} = await import('../../../../config/load.ts');
  const {settings} = await loadConfig({env, home, cwd: configDir, lenient: true});
  return settings.schedule.notify;
}

function loadedJobs(found: readonly FoundJob[]): LoadedJobs {
  return {
    jobs: found.flatMap((one) => ('job' in one ? [one.job] : [])),
    broken: found.flatMap((one) => ('job' in one ? [] : [{name: one.name, reason: one.problems.join('; ')}])),
  };
}
