import type {Io} from '../io.ts';
import type {AskOptions} from '../command-line/run-options.ts';
import {exec} from './exec.ts';

/** `fettle ask`: like exec, with the tools that only read, in plan mode. */
export async function ask(io: Io, typed: string, options: AskOptions): Promise<number> {
  return await exec(io, typed, {...options, mode: 'plan', readOnly: true});
}
