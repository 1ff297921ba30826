import {onTestFinished} from 'vitest';
import {systemProcesses, type Processes} from '../../../src/schedule/supervisor/processes.ts';

/**
 * The processes of the system for a daemon in the process of a test. A supervisor outlives its daemon, and still wakes it when its run has
 * ended: when the test ends, its exit is awaited.
 */
export function awaitedProcesses(): Processes {
  const started: Promise<void>[] = [];
  onTestFinished(async () => void (await Promise.all(started)));
  return {
    ...systemProcesses,
    async start(command, errorsFile) {
      const ended = systemProcesses.start(command, errorsFile);
      started.push(ended);
      await ended;
    },
  };
}
