import {once} from 'node:events';
import {isFettleError, toFettleError} from '../../base/errors.ts';
import {visibleText} from '../../base/visible-text.ts';
import {onAbort} from '../../base/waiting/on-abort.ts';
import {orLate} from '../../base/waiting/or-late.ts';
import {identityOf} from '../../exec/process/process-identity.ts';
import {endLeftovers, endTree} from '../../exec/process/process-tree.ts';
import type {Clock} from '../clock.ts';
import type {RunEnd, RunLease, ScheduleStore} from '../store/schedule-store.ts';
import {hasBegun, startGate, type Attempt, type Gate, type ProgramExit} from './gate.ts';
import {createEventReader} from './read-events.ts';
import {runEnd} from './run-end.ts';
import {openRunFiles, type RunFiles} from './run-files.ts';
import {stored} from './stored.ts';
import type {ProgramCommand} from './supervisor-ports.ts';

export interface ProgramRequest {
  readonly command: ProgramCommand;
  readonly attempt: Attempt & {readonly cwd: string};
  readonly lease: RunLease;
  readonly store: ScheduleStore;
  readonly clock: Clock;
  readonly onStderr?: ((chunk: Buffer) => void) | undefined;
  /** Gets the causes why the store could not be written. */
  readonly onFailure: (cause: unknown) => void;
}

/** `lost`: another process has taken over the run, and has decided how it ends. */
export type ProgramEnd =
  | {readonly kind: 'ended'; readonly end: Omit<RunEnd, 'endedAt'>}
  | {readonly kind: 'not begun'; readonly reason: string}
  | {readonly kind: 'lost'};

/** Between two renewals of the lease; a run that is to be cancelled learns it then, if not before. */
const RENEW_MS = 10_000;
/** The time that a program has to end after SIGTERM. */
const GRACE_MS = 15_000;
/** The time that its pipes have to end after it. */
const PIPES_MS = 1000;

/** Runs the program of a run whose lease is held, and keeps its output. It does not throw: what goes wrong is its end. */
export async function runProgram(request: ProgramRequest, signal: AbortSignal): Promise<ProgramEnd> {
  const {attempt, command} = request;
  const reader = createEventReader();
  try {
    const files = openRunFiles(attempt.folder, reader);
    try {
      const gate = await startGate(command, attempt);
      const watched = await watchProgram(request, {gate, files}, signal);
      return endOf(attempt, {...watched, reason: reader.report().failure ?? watched.lastError, problem: files.problem()});
    } finally {
      files.close();
    }
  } catch (thrown) {
    const {message} = toFettleError(thrown);
    if (hasBegun(attempt)) return {kind: 'ended', end: {status: 'interrupted', note: message}};
    return {kind: 'not begun', reason: `It could not be begun: ${message}`};
  }
}

interface Watched extends ProgramExit {
  readonly stopped: Stopped | undefined;
  /** The last line of stderr. */
  readonly lastError: string | undefined;
}

interface Stopped {
  readonly reason: string;
  readonly isLost: boolean;
}

async function watchProgram(
  request: ProgramRequest,
  {gate, files}: {readonly gate: Gate; readonly files: RunFiles},
  signal: AbortSignal,
): Promise<Watched> {
  const {store, lease, clock, onFailure} = request;
  const stop = createStop(gate, clock);
  const output = keepOutput(request, {gate, files});
  const leave = onAbort(signal, () => stop.ask({reason: stopReason(request, signal), isLost: false}));
  const endRenewal = renewLease(request, stop.ask);
  try {
    const leader = identityOf(gate.pid);
    const isHeld = leader === undefined || (await stored(() => store.setLeader(lease, leader), {clock, signal, onFailure}));
    if (!isHeld) stop.ask({reason: 'Another process has taken it over.', isLost: true});
    if (stop.asked() === undefined) gate.open();
    const exit = await gate.exited;
    return {...exit, stopped: stop.asked(), lastError: output.lastLine()};
  } finally {
    leave();
    endRenewal();
    stop.end();
    await endLeftovers(gate.tree);
    await orLate(output.ended, PIPES_MS);
    gate.release();
  }
}

/** Asks the program to end, at most once, and ends it with everything that it started when it does not. */
function createStop(gate: Gate, clock: Clock): {ask(why: Stopped): void; asked(): Stopped | undefined; end(): void} {
  let asked: Stopped | undefined;
  let cancel: (() => void) | undefined;
  return {
    ask(why) {
      if (asked !== undefined) return;
      asked = why;
      signalGroup(gate.pid, 'SIGTERM');
      cancel = clock.after(GRACE_MS, () => void endTree(gate.tree, 0));
    },
    asked: () => asked,
    end: () => cancel?.(),
  };
}

function signalGroup(leader: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-leader, signal);
  } catch {
    // All of it has ended already.
  }
}

/** Renews the lease until the returned function is called. */
function renewLease({store, lease, clock, onFailure}: ProgramRequest, ask: (why: Stopped) => void): () => void {
  const renew = (): void => {
    try {
      const {lost, cancel: reason} = store.renew(lease, clock.now());
      if (lost) ask({reason: 'Another process has taken it over.', isLost: true});
      else if (reason !== undefined) ask({reason, isLost: false});
    } catch (thrown) {
      onFailure(thrown); // the lease of a living process does not run out
    }
    cancel = clock.after(RENEW_MS, renew);
  };
  let cancel = clock.after(RENEW_MS, renew);
  return () => cancel();
}

/** Whoever ends the supervisor has written down why, or is a person or the system. */
function stopReason({store, lease}: ProgramRequest, {reason}: AbortSignal): string {
  try {
    const asked = store.openRun(lease.id)?.cancel;
    if (asked !== undefined) return asked;
  } catch {
    // The reason of the signal is left.
  }
  return isFettleError(reason) ? reason.message : 'It was asked to end.';
}

interface Output {
  readonly ended: Promise<unknown>;
  lastLine(): string | undefined;
}

function keepOutput({onStderr}: ProgramRequest, {gate, files}: {readonly gate: Gate; readonly files: RunFiles}): Output {
  let tail = '';
  const {stdout, stderr} = gate;
  stdout.on('data', (chunk: Buffer) => files.addEvents(chunk));
  stderr.on('data', (chunk: Buffer) => {
    files.addErrors(chunk);
    tail = `${tail}${chunk.toString('utf8')}`.slice(-LINE_CHARS);
    onStderr?.(chunk);
  });
  const ended = Promise.allSettled([once(stdout, 'close'), once(stderr, 'close')]);
  return {ended, lastLine: () => tail.trim().split('\n').at(-1)};
}

const LINE_CHARS = 2000;

interface Ending extends Watched {
  readonly reason: string | undefined;
  /** The reason why the artefacts are not complete. */
  readonly problem: string | undefined;
}

function endOf(attempt: Attempt, {stopped, reason, problem, code, signal}: Ending): ProgramEnd {
  if (stopped?.isLost === true) return {kind: 'lost'};
  if (!hasBegun(attempt)) {
    if (stopped !== undefined) return {kind: 'ended', end: {status: 'cancelled', note: stopped.reason}};
    return {kind: 'not begun', reason: `It could not be begun: nothing can be written to ${attempt.folder}.`};
  }
  const end = runEnd({code, signal, stopped: stopped?.reason, reason: oneLine(reason)});
  const note = [end.note, problem].filter((part) => part !== undefined).join(' ');
  return {kind: 'ended', end: {...end, ...(note === '' ? {} : {note})}};
}

const NOTE_CHARS = 300;

/** The first line of a text that comes from a model or a program, as a terminal may show it. */
function oneLine(text: string | undefined): string | undefined {
  const line =
    visibleText(text ?? '')
      .trim()
      .split('\n')[0] ?? '';
  if (line === '') return undefined;
  return line.length > NOTE_CHARS ? `${line.slice(0, NOTE_CHARS)}…` : line;
}
