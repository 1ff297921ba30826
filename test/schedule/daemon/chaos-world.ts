import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {FettleError} from '../../../src/base/errors.ts';
import type {ProcessIdentity} from '../../../src/exec/process/process-identity.ts';
import {createChangeLog} from '../../../src/schedule/daemon/change-log.ts';
import type {DaemonParts} from '../../../src/schedule/daemon/daemon-ports.ts';
import {createLook} from '../../../src/schedule/daemon/look.ts';
import {createNotifications} from '../../../src/schedule/daemon/notifications.ts';
import {createSupervisors} from '../../../src/schedule/daemon/supervisors.ts';
import {waitMs} from '../../../src/schedule/daemon/waker.ts';
import type {JobDefinition} from '../../../src/schedule/jobs/job-definition.ts';
import {runFolder, scheduleFolders} from '../../../src/schedule/store/schedule-folders.ts';
import type {RunLease, ScheduleStore} from '../../../src/schedule/store/schedule-store.ts';
import {preventBegin} from '../../../src/schedule/supervisor/gate.ts';
import type {Processes} from '../../../src/schedule/supervisor/processes.ts';

/** A supervisor that goes one step at a time, and can be killed between any two. */
interface Supervisor {
  readonly id: number;
  readonly identity: ProcessIdentity;
  readonly ended: () => void;
  step: 'started' | 'leased' | 'led' | 'opened' | 'begun' | 'ended' | 'gone';
  lease?: RunLease;
}

const KILLED = new Error('kill -9');

/** A computer with a daemon, supervisors, a clock and a disk, all of which go wrong when they are asked to. */
export class World {
  wall = 0;
  isFull = false;
  readonly jobs = new Map<string, JobDefinition>();
  readonly broken = new Set<string>();
  readonly supervisors: Supervisor[] = [];
  /** Ids of runs, one for each time that their program has begun. */
  readonly began: number[] = [];
  /** What must never happen. */
  readonly faults: string[] = [];
  readonly told: number[] = [];
  readonly log: string[] = [];
  readonly #store: ScheduleStore;
  readonly #home: string;
  #look: (() => Promise<number | undefined>) | undefined;
  #stop = new AbortController();
  #mono = 0;
  #timer: number | undefined;
  #isWoken = false;
  #callsToKill = Infinity;
  #pids = 1;

  constructor(store: ScheduleStore, home: string) {
    this.#store = store;
    this.#home = home;
  }

  startDaemon(): void {
    if (this.#look !== undefined) return;
    const own = this.#newProcess();
    const folders = scheduleFolders({configDir: this.#home, stateDir: this.#home});
    this.#stop = new AbortController();
    const {signal} = this.#stop;
    const parts: DaemonParts = {
      folders,
      store: this.#failing(() => {
        if (signal.aborted) throw KILLED;
        this.#callsToKill -= 1;
        if (this.#callsToKill <= 0) this.killDaemon();
        if (this.#callsToKill <= 0) throw KILLED;
      }),
      clock: {now: () => this.wall, after: () => () => undefined},
      processes: this.#processes(own),
      ports: {
        loadJobs: async () =>
          await Promise.resolve({
            jobs: [...this.jobs.values()].filter(({name}) => !this.broken.has(name)),
            broken: [...this.broken].map((name) => ({name, reason: 'line 3'})),
          }),
        superviseCommand: ({id}) => ({file: 'supervise', args: [String(id)], env: {}}),
        tell: async ({run}) => await Promise.resolve(void this.told.push(run.id)),
        log: (line) => void this.log.push(line),
      },
    };
    const supervisors = createSupervisors(parts, () => {
      if (!signal.aborted) this.#isWoken = true;
    });
    const notifications = createNotifications(parts, signal);
    const look = createLook(parts, {supervisors, notifications, log: createChangeLog(parts.ports.log)});
    this.#look = async () => {
      const next = await look();
      await notifications.idle();
      return next;
    };
    this.#isWoken = true;
  }

  killDaemon(): void {
    this.#stop.abort();
    this.#look = undefined;
    this.#timer = undefined;
    this.#isWoken = false;
  }

  /** Kills the daemon when it has called the store so often. */
  killDaemonLater(calls: number): void {
    this.#callsToKill = calls;
  }

  wake(): void {
    this.#isWoken = true;
  }

  /** Lets time pass. */
  async advance(ms: number): Promise<void> {
    const end = this.#mono + ms;
    await this.settle();
    while (this.#timer !== undefined && this.#timer <= end) {
      this.wall += this.#timer - this.#mono;
      this.#mono = this.#timer;
      await this.#lookOnce();
      await this.settle();
    }
    this.wall += end - this.#mono;
    this.#mono = end;
  }

  /** Lets the daemon look while it is woken. */
  async settle(): Promise<void> {
    for (let looks = 0; this.#isWoken && this.#look !== undefined; looks += 1) {
      if (looks > 50) throw new Error('the daemon never rests');
      await this.#lookOnce();
    }
  }

  async #lookOnce(): Promise<void> {
    this.#isWoken = false;
    this.#timer = undefined;
    const look = this.#look;
    if (look === undefined) return;
    try {
      const next = await look();
      if (this.#look === look && next !== undefined) this.#timer = this.#mono + Math.max(1, waitMs(next - this.wall));
    } catch {
      if (this.#look === look) this.#timer = this.#mono + 1000;
    }
    await new Promise(setImmediate);
  }

  /** Takes a supervisor one step further. */
  async step(index: number): Promise<void> {
    const alive = this.supervisors.filter(({step}) => step !== 'gone');
    const one = alive[index % Math.max(1, alive.length)];
    if (one === undefined) return;
    try {
      this.#step(
        one,
        this.#failing(() => undefined),
      );
    } catch {
      // A full disk: it tries again.
    }
    await new Promise(setImmediate);
    await this.settle();
  }

  #step(one: Supervisor, store: ScheduleStore): void {
    const {lease, id} = one;
    if (one.step === 'started') {
      const run = store.openRun(id);
      const folder = runFolder(scheduleFolders({configDir: this.#home, stateDir: this.#home}), {job: run?.job ?? 'x', id});
      mkdirSync(folder, {recursive: true});
      const begun = store.begin(id, {owner: one.identity, startedAt: this.wall, folder});
      if (begun !== undefined) one.lease = begun;
      if (begun === undefined) this.#end(one);
      else one.step = 'leased';
    } else if (lease === undefined) this.#end(one);
    else if (one.step === 'leased') {
      if (store.setLeader(lease, one.identity)) one.step = 'led';
      else this.#end(one);
    } else if (one.step === 'led') one.step = 'opened';
    else if (one.step === 'opened') {
      if (this.#begin(one)) one.step = 'begun';
      else this.#end(one);
    } else if (one.step === 'begun') {
      writeFileSync(join(this.#folder(one), `exit-${lease.attempt}`), '0\n');
      one.step = 'ended';
    } else {
      store.end(lease, {status: 'done', exitCode: 0, endedAt: this.wall});
      this.#end(one);
    }
  }

  #begin(one: Supervisor): boolean {
    const isFirst = preventBegin({folder: this.#folder(one), attempt: one.lease?.attempt ?? 0});
    if (!isFirst) return false;
    const job = this.#store.run(one.id)?.job;
    const others = this.supervisors.filter((other) => other !== one && (other.step === 'begun' || other.step === 'ended'));
    if (others.some(({id}) => this.#store.run(id)?.job === job)) this.faults.push(`two runs of ${job} at once`);
    if (others.length >= 4) this.faults.push('more than four runs at once');
    this.began.push(one.id);
    return true;
  }

  #folder({id}: Supervisor): string {
    return this.#store.run(id)?.folder ?? '';
  }

  #end(one: Supervisor): void {
    one.step = 'gone';
    one.ended();
  }

  /** Kills a supervisor, and its program with it. A gate that was opened may begin once more before it is found. */
  async killSupervisor(index: number, opensLate: boolean): Promise<void> {
    const alive = this.supervisors.filter(({step}) => step !== 'gone');
    const one = alive[index % Math.max(1, alive.length)];
    if (one === undefined) return;
    if (one.step === 'opened' && opensLate) this.#begin(one);
    this.#end(one);
    await new Promise(setImmediate);
    await this.settle();
  }

  #newProcess(): ProcessIdentity {
    this.#pids += 1;
    return {pid: this.#pids, start: '1', boot: 'this', space: 'here'};
  }

  #processes(own: ProcessIdentity): Processes {
    const {signal} = this.#stop;
    return {
      own: () => own,
      isOfThisBoot: () => true,
      life: ({pid}) => {
        const isAlive = this.supervisors.some((one) => one.identity.pid === pid && one.step !== 'gone');
        return isAlive || (pid === own.pid && !signal.aborted) ? 'alive' : 'dead';
      },
      start: async ({args}) => {
        const ended = Promise.withResolvers<void>();
        this.supervisors.push({id: Number(args[0]), identity: this.#newProcess(), ended: ended.resolve, step: 'started'});
        await ended.promise;
      },
      terminate: ({pid}) => {
        const one = this.supervisors.find(({identity, step}) => identity.pid === pid && step !== 'gone');
        if (one?.lease === undefined) return;
        this.#store.end(one.lease, {status: 'cancelled', endedAt: this.wall});
        this.#end(one);
      },
      endGroup: async () => await Promise.resolve(),
    };
  }

  /** The store as it is seen by a process that may be killed at each of its calls, on a disk that may be full. */
  #failing(beforeCall: () => void): ScheduleStore {
    const writes = new Set(['apply', 'claim', 'begin', 'setLeader', 'end', 'release', 'endClaimed', 'setReported', 'setNote']);
    return new Proxy(this.#store, {
      get: (target, name, receiver) => {
        const method: unknown = Reflect.get(target, name, receiver);
        if (typeof method !== 'function') return method;
        return (...args: unknown[]): unknown => {
          beforeCall();
          if (this.isFull && writes.has(String(name))) throw new FettleError({code: 'IO', message: 'the disk is full.'});
          return Reflect.apply(method, target, args);
        };
      },
    });
  }

  /** Everything works again, and time goes on until nothing is left to do. */
  async recover(): Promise<void> {
    this.isFull = false;
    this.#callsToKill = Infinity;
    this.broken.clear();
    this.startDaemon();
    this.wake();
    await this.settle();
    for (let rounds = 0; this.#store.openRuns().length > 0; rounds += 1) {
      if (rounds > 5000) throw new Error(`it does not end: ${JSON.stringify(this.#store.openRuns())}`);
      for (const _ of this.supervisors.filter(({step}) => step !== 'gone')) await this.step(rounds);
      await this.advance(1000);
    }
  }
}
