import {spawn, type ChildProcess} from 'node:child_process';
import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {killedWithTest} from '../../support/processes.ts';
import {scratch} from '../../support/scratch.ts';
import {whenChanged} from '../../support/when-changed.ts';
import type {WorkerFacts} from './worker-process.ts';

const ENTRY = fileURLToPath(new URL('./worker-process.ts', import.meta.url));

export interface Step {
  readonly is: string;
  readonly task: string;
  readonly pid: number;
}

/** Processes that work on one place, and the steps that they wrote down, in order. */
export interface Workers {
  start(over?: Partial<WorkerFacts>): ChildProcess;
  steps(): readonly Step[];
  /** Waits until `is` holds for the steps; looks at them whenever one is written. */
  until(is: (steps: readonly Step[]) => boolean): Promise<void>;
}

export async function workersOf(place: string, defaults: Partial<WorkerFacts> = {}): Promise<Workers> {
  const folder = await scratch();
  const log = join(folder, 'log');
  const steps = (): readonly Step[] => (existsSync(log) ? readFileSync(log, 'utf8').trimEnd().split('\n') : []).map(stepOf);
  return {
    start(over = {}) {
      const facts: WorkerFacts = {place, slots: 2, ms: 20, log, artifacts: join(folder, 'artifacts'), ...defaults, ...over};
      const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ENTRY, JSON.stringify(facts)], {
        stdio: ['ignore', 'ignore', 'inherit'],
      });
      return killedWithTest(child);
    },
    steps,
    async until(is) {
      await whenChanged(folder, () => is(steps()));
    },
  };
}

function stepOf(line: string): Step {
  const [is = '', task = '', pid = ''] = line.split(' ');
  return {is, task, pid: Number(pid)};
}

/** The tasks that were paid again after their model run had finished. */
export function paidTwice(steps: readonly Step[]): readonly string[] {
  const finished = new Set<string>();
  const again: string[] = [];
  for (const {is, task} of steps) {
    if (is === 'finished') finished.add(task);
    if (is === 'paid' && finished.has(task)) again.push(task);
  }
  return again;
}

/** The tasks whose result was accepted more than once. */
export function acceptedTwice(steps: readonly Step[]): readonly string[] {
  const accepted = steps.filter(({is}) => is === 'accepted').map(({task}) => task);
  return accepted.filter((task, n) => accepted.indexOf(task) !== n);
}
