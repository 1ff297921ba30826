import {spawn, type ChildProcess} from 'node:child_process';
import {randomUUID} from 'node:crypto';
import {once} from 'node:events';
import {existsSync} from 'node:fs';
import {getCompileCacheDir} from 'node:module';
import {dirname} from 'node:path';
import {fileURLToPath} from 'node:url';
import {FettleError, toFettleError} from '../../base/errors.ts';
import {orAbort} from '../../base/waiting/or-abort.ts';
import {childEnvironment, type Variables} from '../../exec/variables/child-environment.ts';
import {watchTree} from '../../exec/process/orphan-reaper.ts';
import {endTree, treeOf} from '../../exec/process/process-tree.ts';
import type {IndexProgress} from '../code-graph.ts';
import type {Answer, Said, Question} from './messages.ts';

/** The process that parses and writes. It is started with the first question and dies with its owner. */
export interface IndexChild {
  ask(question: Asked, signal: AbortSignal, progress?: (done: IndexProgress) => void): Promise<Said | undefined>;
  tell(question: Extract<Question, {is: 'overlay'}>): void;
  close(): Promise<void>;
}

type Asked =
  | Omit<Extract<Question, {is: 'fresh'}>, 'id'>
  | Omit<Extract<Question, {is: 'places'}>, 'id'>
  | Omit<Extract<Question, {is: 'facts'}>, 'id'>
  | Omit<Extract<Question, {is: 'names'}>, 'id'>;

interface Waiting {
  readonly progress: ((done: IndexProgress) => void) | undefined;
  resolve(said: Said | undefined): void;
  reject(error: unknown): void;
}

/** Errors of a question: UNAVAILABLE (it cannot be started, or has ended), CANCELLED, and those of the process itself. */
export function createIndexChild(opening: Omit<Extract<Question, {is: 'open'}>, 'is'>): IndexChild {
  const waiting = new Map<number, Waiting>();
  const told = new Map<string, Question>();
  let running: Running | undefined;
  let next = 1;
  let {rebuild} = opening;

  function started(): Running {
    if (running !== undefined) return running;
    running = startProcess(settle, ended);
    running.send({is: 'open', ...opening, rebuild});
    rebuild = false;
    for (const question of told.values()) running.send(question);
    return running;
  }

  function ended(why: string): void {
    running = undefined;
    for (const {reject} of waiting.values()) reject(hasEnded(why));
    waiting.clear();
  }

  function settle(answer: Answer): void {
    const asked = waiting.get(answer.id);
    if (answer.is === 'progress') asked?.progress?.(answer.progress);
    else if (answer.is === 'done') asked?.resolve(answer.said);
    else asked?.reject(new FettleError(answer));
  }

  return {
    async ask(question, signal, progress) {
      signal.throwIfAborted();
      const child = started();
      const id = next++;
      child.hold();
      const {promise, resolve, reject} = Promise.withResolvers<Said | undefined>();
      try {
        waiting.set(id, {progress, resolve, reject});
        child.send({...question, id});
        return await orAbort(promise, signal, toFettleError);
      } finally {
        waiting.delete(id);
        if (waiting.size === 0) child.release();
      }
    },
    tell(question) {
      if (question.text === undefined) told.delete(question.path);
      else told.set(question.path, question);
      running?.send(question);
    },
    async close() {
      await running?.end();
    },
  };
}

function hasEnded(why: string): FettleError {
  return new FettleError({code: 'UNAVAILABLE', message: `The process of the code index ${why}.`, hint: 'Ask again: it is started anew.'});
}

interface Running {
  send(question: Question): void;
  /** Keeps this process alive while it waits; an idle child does not. */
  hold(): void;
  release(): void;
  end(): Promise<void>;
}

/**
 * Without `--liftoff-only` Node 24 may abort on large grammars (nodejs/node#63421); the process itself excepts the engine. Three heaps that grow
 * slowly, and a young one that stays small, need half the memory.
 */
const FLAGS = [
  '--liftoff-only',
  '--max-old-space-size=400',
  '--max-semi-space-size=8',
  '--heap-growing-percent=20',
  '--disable-warning=ExperimentalWarning',
];
/**
 * Facts are made in one thread and freed in another: with an allocator for each, the C library would keep 50 MB that nobody uses. Limits that are
 * set stay as they are; else they grow with the largest block that was freed, and less is given back.
 */
const ALLOCATION = {MALLOC_ARENA_MAX: '2', MALLOC_TRIM_THRESHOLD_: '131072', MALLOC_MMAP_THRESHOLD_: '131072'};
const MARKER = 'FETTLE_CALL_ID';

function startProcess(onAnswer: (answer: Answer) => void, onEnd: (why: string) => void): Running {
  const mark = randomUUID();
  const env = {...childEnvironment(process.env), ...ALLOCATION, ...compiled(), [MARKER]: mark};
  const began = performance.now();
  const child = spawn(process.execPath, [...FLAGS, entryFile()], {
    cwd: '/',
    env,
    detached: true,
    windowsHide: true,
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
  });
  const tree = treeOf(child.pid ?? 0, `${MARKER}=${mark}`, began);
  const unwatch = watchTree(tree);
  const exited = once(child, 'exit').catch(() => undefined);
  child.on('message', (answer: Answer) => onAnswer(answer));
  child.on('error', (thrown) => onEnd(`cannot be started (${thrown.message})`));
  child.on('exit', (code, signal) => {
    unwatch();
    onEnd(code === null ? `was ended by ${signal ?? 'the system'}` : `ended with exit code ${code}`);
  });
  release(child);
  return {
    send: (question) => void (child.connected && child.send(question, () => undefined)),
    hold() {
      child.ref();
      child.channel?.ref();
    },
    release: () => release(child),
    async end() {
      child.ref(); // it is waited for
      if (child.connected) child.disconnect();
      await endTree(tree);
      await exited;
    },
  };
}

/** Our code is compiled once for this process and that one. The folder that Node names has its version at the end. */
function compiled(): Variables {
  const folder = getCompileCacheDir();
  return folder === undefined ? {} : {NODE_COMPILE_CACHE: dirname(folder)};
}

function release(child: ChildProcess): void {
  child.unref();
  child.channel?.unref();
}

/** The source as it is, or its bundle beside the chunk that this became part of. */
function entryFile(): string {
  const places = import.meta.url.endsWith('.ts') ? ['./index-process.ts'] : ['./code-index.js', '../code-index.js'];
  const found = places.map((place) => fileURLToPath(new URL(place, import.meta.url))).find((path) => existsSync(path));
  if (found !== undefined) return found;
  throw new FettleError({code: 'UNAVAILABLE', message: 'The program of the code index is missing.', hint: 'Install Fettle again.'});
}
