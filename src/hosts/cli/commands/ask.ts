import type {Io} from '../io.ts';
import type {SettingOptions} from '../command-line/run-options.ts';
import {exec} from './exec.ts';

/** `fettle ask`: like exec, with the tools that only read, in plan mode. */
export async function ask(io: Io, typed: string, options: SettingOptions): Promise<number> {
  return await exec(io, typed, {...options, mode: 'plan', readOnly: true});
}
