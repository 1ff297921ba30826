import {readFileSync, readdirSync} from 'node:fs';
import {join} from 'node:path';
import type {Notification} from '../../../src/schedule/daemon/daemon-ports.ts';
import {runDaemon} from '../../../src/schedule/daemon/run-daemon.ts';
import type {JobDefinition} from '../../../src/schedule/jobs/job-definition.ts';
import {openScheduleStore} from '../../../src/schedule/store/open-store.ts';
import {scheduleFolders} from '../../../src/schedule/store/schedule-folders.ts';
import {superviseRun} from '../../../src/schedule/supervisor/supervise-run.ts';
import {fastClock} from './fast-clock.ts';

/**
 * A daemon (`entry.ts daemon HOME CLOCK`) and a supervisor (`entry.ts supervise HOME CLOCK RUN`) over definitions in JSON. The prompt of a job is
 * a command line.
 */
const [what = '', home = '', clockText = '', run = ''] = process.argv.slice(2);
const folders = scheduleFolders({configDir: home, stateDir: join(home, 'state')});
const clock = clockText === 'real' ? {} : {clock: fastClock(JSON.parse(clockText))};
const store = openScheduleStore(folders.database);
const stop = new AbortController();
process.once('SIGTERM', () => stop.abort());

function readJob(name: string): JobDefinition {
  return JSON.parse(readFileSync(join(folders.jobs, `${name}.json`), 'utf8')) as JobDefinition;
}

if (what === 'daemon') {
  const ports = {
    loadJobs: async () => {
      const names = readdirSync(folders.jobs).flatMap((name) => (name.endsWith('.json') ? [name.slice(0, -5)] : []));
      return await Promise.resolve({jobs: names.map(readJob), broken: []});
    },
    superviseCommand: ({id}: {readonly id: number}) => ({
      file: process.execPath,
      args: [import.meta.filename, 'supervise', home, clockText, String(id)],
      env: process.env,
    }),
    tell: async ({text}: Notification) => await Promise.resolve(void process.stdout.write(`told: ${text}\n`)),
    log: (line: string) => void process.stdout.write(`${line}\n`),
  };
  await runDaemon({folders, store, ports, ...clock}, stop.signal);
} else {
  const ports = {
    readJob: async (name: string) => await Promise.resolve(readJob(name)),
    checkProject: async () => await Promise.resolve(undefined),
    execCommand: ({action}: JobDefinition) => ({
      file: '/bin/sh',
      args: ['-c', action.kind === 'prompt' ? action.prompt : 'exit 1'],
      env: process.env,
    }),
  };
  await superviseRun({id: Number(run), store, folders, ports, ...clock}, stop.signal);
}
