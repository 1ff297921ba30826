import {counted} from '../../../../base/counted.ts';
import {toFettleError} from '../../../../base/errors.ts';
import {runningDaemon} from '../../../../schedule/daemon/daemon-status.ts';
import {readJobs} from '../../../../schedule/jobs/job-folder.ts';
import type {Io} from '../../io.ts';
import {schedulePlace, withStore} from './schedule-place.ts';

interface DoctorLine {
  readonly state: 'ok' | 'note' | 'bad';
  readonly text: string;
}

/** Says for `fettle doctor` whether the jobs of the person run by themselves; undefined where there are none. */
export async function doctorLine(io: Pick<Io, 'env' | 'home'>): Promise<DoctorLine | undefined> {
  const place = schedulePlace(io);
  try {
    const found = await readJobs(place.folders.jobs);
    if (found.length === 0) return undefined;
    const jobs = counted(found.length, 'scheduled job');
    const broken = found.filter((one) => !('job' in one)).map(({name}) => name);
    if (broken.length > 0) return {state: 'bad', text: `${jobs}: ${broken.join(', ')} cannot be used; \`fettle schedule list\` says why`};
    const daemon = runningDaemon(place.folders);
    if (daemon === undefined) return {state: 'note', text: `${jobs}, and no daemon runs that starts them: \`fettle schedule daemon\``};
    const waiting = await withStore(place, (store) =>
      found.flatMap((one) => ('job' in one && store.state(one.job).waiting !== undefined ? [one.name] : [])),
    );
    if (waiting.length > 0) return {state: 'note', text: `${jobs}: waiting for you: ${waiting.join(', ')}; \`fettle schedule list\``};
    return {state: 'ok', text: `${jobs}, started by the daemon${daemon.pid === undefined ? '' : ` (process ${daemon.pid})`}`};
  } catch (thrown) {
    return {state: 'bad', text: `scheduled jobs: ${toFettleError(thrown).message}`};
  }
}
