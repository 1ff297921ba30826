import {EXIT} from '../../../../protocol/exit-code.ts';
import {superviseRun} from '../../../../schedule/supervisor/supervise-run.ts';
import {listenForInterrupts} from '../../interrupt.ts';
import type {Io} from '../../io.ts';
import {supervisorPorts} from './job-ports.ts';
import {schedulePlace, withStore} from './schedule-place.ts';

/** `fettle schedule supervise ID`: the process that the daemon starts for each run. What fails goes to stderr and is tried again by the daemon. */
export async function supervise(io: Io, id: number): Promise<number> {
  const place = schedulePlace(io);
  const interrupts = listenForInterrupts(() => undefined);
  try {
    const ports = supervisorPorts(io, place);
    await withStore(place, (store) => superviseRun({id, store, folders: place.folders, ports}, interrupts.signal()));
    return EXIT.done;
  } finally {
    interrupts.dispose();
  }
}
