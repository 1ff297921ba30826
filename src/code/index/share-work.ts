import {setImmediate} from 'node:timers/promises';
import {Worker} from 'node:worker_threads';
import {onAbort} from '../../base/waiting/on-abort.ts';

export interface SharedWork<Task, Answer> {
  /** The file that each thread runs: it answers each task with one message. */
  readonly entry: URL;
  readonly tasks: readonly Task[];
  /** The same work in this thread. */
  readonly here: (task: Task) => Answer | Promise<Answer>;
  /** What can run at once. */
  readonly cores: number;
}

/**
 * Does tasks in two threads and hands each answer over as it comes. With no more than two cores this thread is one of them: another would compile
 * for itself what this one has, and take the core from whom it works for. Threads end with the work, however it ends.
 */
export async function mapInWorkers<Task, Answer>(
  work: SharedWork<Task, Answer>,
  take: (answer: Answer) => void,
  signal: AbortSignal,
): Promise<void> {
  const left = [...work.tasks];
  const ended = new AbortController();
  const until = AbortSignal.any([signal, ended.signal]);
  // From both ends: tasks beside each other look at the same things.
  const ends = [(): Task | undefined => left.shift(), (): Task | undefined => left.pop()];
  const shares = ends.slice(0, Math.min(work.cores, left.length)).map(async (next, share) => {
    await (share === 0 && work.cores <= 2 ? workHere : inOneThread)({...work, next}, take, until);
  });
  try {
    await Promise.all(shares);
  } finally {
    ended.abort();
    await Promise.allSettled(shares);
  }
}

interface Share<Task, Answer> extends SharedWork<Task, Answer> {
  readonly next: () => Task | undefined;
}

async function workHere<Task, Answer>(
  {next, here}: Share<Task, Answer>,
  take: (answer: Answer) => void,
  until: AbortSignal,
): Promise<void> {
  for (let task = next(); task !== undefined; task = next()) {
    until.throwIfAborted();
    take(await here(task));
    await setImmediate(); // what other threads say is taken in between
  }
}

async function inOneThread<Task, Answer>(share: Share<Task, Answer>, take: (answer: Answer) => void, until: AbortSignal): Promise<void> {
  until.throwIfAborted();
  const worker = new Worker(share.entry, {resourceLimits: {maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 8}});
  const leave = onAbort(until, () => void worker.terminate());
  try {
    await feed(worker, share, take);
  } catch (thrown) {
    until.throwIfAborted();
    throw thrown;
  } finally {
    leave();
    await worker.terminate();
  }
}

/** Two tasks are on their way to each thread: it never waits for the one that takes. */
function feed<Task, Answer>(worker: Worker, {next}: Share<Task, Answer>, take: (answer: Answer) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    let underWay = 0;
    const send = (): void => {
      const task = next();
      if (task === undefined) return;
      underWay++;
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      worker.postMessage(task);
    };
    worker.on('message', (answer: Answer) => {
      underWay--;
      send();
      try {
        take(answer);
      } catch (thrown) {
        reject(thrown);
      }
      if (underWay === 0) resolve();
    });
    worker.on('error', reject);
    worker.on('exit', () => reject(new Error('A thread of the code index has ended.')));
    send();
    send();
    if (underWay === 0) resolve();
  });
}
