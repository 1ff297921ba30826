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
  const exitCode = code === null || killer !== undefined ? {} : {exitCode: code};
  if (stopped !== undefined && (killer !== undefined || code === EXIT.interrupted))
    return {status: 'cancelled', note: stopped, ...exitCode};
  if (killer !== undefined) return {status: 'interrupted', note: `It was ended by ${killer}.${KILLERS[killer] ?? ''}`};
  const status = BY_CODE.get(code ?? EXIT.failed);
  if (status === 'done') return {status, ...exitCode};
  const note = reason ?? (status === 'cancelled' ? 'It was asked to end.' : undefined);
  if (status !== undefined) return {status, ...(note === undefined ? {} : {note}), ...exitCode};
  return {status: 'failed', note: [`It ended with exit code ${code}.`, ...(reason === undefined ? [] : [reason])].join(' '), ...exitCode};
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
