import {constants} from 'node:os';
import {EXIT} from '../../protocol/exit-code.ts';
import type {RunEnd} from '../store/schedule-store.ts';
import type {ProgramExit} from './gate.ts';

interface Ending extends ProgramExit {
  /** The reason why it was asked to end; absent: it was not. */
  readonly stopped?: string | undefined;
  /** The reason that the run gave itself. */
  readonly reason?: string | undefined;
}

/** Makes the end of a run from how its program ended (protocol/exit-code.ts). Only a run that was asked to end is cancelled for that reason. */
export function runEnd({code, signal, stopped, reason}: Ending): Omit<RunEnd, 'endedAt'> {
  const killer = signal ?? signalOf(code);
  if (killer !== undefined) return stopped === undefined ? killedBy(killer) : {status: 'cancelled', note: stopped};
  const exitCode = code ?? EXIT.failed;
  const status = BY_CODE.get(exitCode);
  if (status === undefined)
    return {status: 'failed', note: [`It ended with exit code ${exitCode}.`, reason ?? ''].join(' ').trim(), exitCode};
  if (status === 'done') return {status, exitCode};
  const note = status === 'cancelled' ? (stopped ?? reason ?? 'It was asked to end.') : reason;
  return {status, ...(note === undefined ? {} : {note}), exitCode};
}

function killedBy(killer: NodeJS.Signals): Omit<RunEnd, 'endedAt'> {
  return {status: 'interrupted', note: `It was ended by ${killer}.${KILLERS[killer] ?? ''}`};
}

const BY_CODE: ReadonlyMap<number, RunEnd['status']> = new Map([
  [EXIT.done, 'done'],
  [EXIT.failed, 'failed'],
  [EXIT.usage, 'usage'],
  [EXIT.denied, 'denied'],
  [EXIT.limit, 'limit'],
  [EXIT.loop, 'loop'],
  [EXIT.blocked, 'blocked'],
  [EXIT.provider, 'provider'],
  [EXIT.interrupted, 'cancelled'],
]);

const KILLERS: Readonly<Partial<Record<NodeJS.Signals, string>>> = {SIGKILL: ' The system does that when memory runs out.'};

/** POSIX shell › Exit status: more than 128 says that a signal ended the program. Fettle itself uses 130. */
function signalOf(code: number | null): NodeJS.Signals | undefined {
  if (code === null || code <= 128 || code === EXIT.interrupted) return undefined;
  const found = Object.entries(constants.signals).find(([, number]) => number === code - 128);
  return found?.[0] as NodeJS.Signals | undefined;
}
