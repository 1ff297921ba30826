import {readFileSync} from 'node:fs';

/** A process as proc(5) describes it. */
export interface ProcessStat {
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  readonly start: number;
  readonly dead: boolean;
  /** Addresses; 0 where there is none, and where this user may not know. */
  readonly environment: {readonly from: number; readonly to: number};
}

/** Reads the state of a process, also of a zombie; undefined if it does not exist. */
export function statOf(pid: number): ProcessStat | undefined {
  const stat = readOrNothing(`/proc/${pid}/stat`)?.toString('latin1');
  return stat === undefined ? undefined : parseStat(stat);
}

/** proc(5): `pid (name) state ppid pgrp session …`, start time as the 22nd, env_start and env_end as the 50th and 51st; the name may hold blanks and parentheses. */
function parseStat(stat: string): ProcessStat {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ', 49);
  const [state = '', parent, group, session] = fields;
  return {
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    start: Number(fields[19]),
    dead: state === 'Z' || state === 'X',
    environment: {from: Number(fields[47]), to: Number(fields[48])},
  };
}

/** Returns undefined if the file no longer exists, or this user may not read it. */
export function readOrNothing(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}
