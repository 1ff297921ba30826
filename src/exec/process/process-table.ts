import {execFileSync} from 'node:child_process';
import {readFileSync, readdirSync} from 'node:fs';

interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** Carries the marker that was asked for in its environment. Known on Linux only. */
  readonly marked: boolean;
}

interface ProcessList {
  readonly entries: readonly ProcessEntry[];
  /** False if a process ended or began while the list was made: another one may have slipped through. */
  readonly settled: boolean;
  /** True if a process is just becoming another program: its environment cannot be read, so its owner is unknown. */
  readonly becoming: boolean;
}

export interface ProcessListOptions {
  /** `NAME=value` that the wanted processes inherited. */
  readonly marker: string;
  /** {@link systemTicks} when the first of them was started. */
  readonly since: number;
}

/** All living processes (zombies are dead). An environment that cannot be read counts as unmarked. */
export function listProcesses(options: ProcessListOptions): ProcessList {
  return process.platform === 'linux' ? listFromProc(options) : {entries: listFromPs(), settled: true, becoming: false};
}

/** Age of the system in hundredths of a second, the unit of start times in /proc; 0 without /proc. */
export function systemTicks(): number {
  return process.platform === 'linux'
    ? Math.floor(Number(readOrNothing('/proc/uptime')?.toString('latin1').split(' ', 1)[0] ?? 0) * 100)
    : 0;
}

function listFromProc(options: ProcessListOptions): ProcessList {
  const read = readdirSync('/proc')
    .filter((name) => /^[1-9]/.test(name))
    .map((name) => readProcess(Number(name), options));
  return {
    entries: read.flatMap(({entry}) => entry ?? []),
    settled: !read.some(({changing}) => changing),
    becoming: read.some(({becoming}) => becoming),
  };
}

interface ProcessReading {
  readonly entry?: ProcessEntry;
  readonly changing: boolean;
  readonly becoming: boolean;
}

function readProcess(pid: number, {marker, since}: ProcessListOptions): ProcessReading {
  const stat = readOrNothing(`/proc/${pid}/stat`)?.toString('latin1');
  if (stat === undefined) return {changing: true, becoming: false};
  const {parent, group, session, start, dead, environment: at} = parseStat(stat);
  const young = start >= since;
  if (dead) return {changing: young, becoming: false};
  const environment = readOrNothing(`/proc/${pid}/environ`) ?? Buffer.from('another user');
  const entry = {pid, parent, group, session, marked: environment.includes(marker)};
  const becoming = young && environment.length === 0 && parent !== KERNEL && !isEmpty(at, pid);
  return {entry, changing: becoming, becoming};
}

/** Parent of the kernel's own threads, which never have an environment. */
const KERNEL = 2;

/**
 * `env -i` leaves an environment with nothing in it: it begins and ends at one address all the time. Of a process that becomes another program both
 * are 0, then the end alone, and at last they are others than before.
 */
function isEmpty(before: Stat['environment'], pid: number): boolean {
  const stat = readOrNothing(`/proc/${pid}/stat`)?.toString('latin1');
  const now = stat === undefined ? undefined : parseStat(stat).environment;
  return before.from !== 0 && before.from === before.to && now?.from === before.from && now.to === before.to;
}

interface Stat {
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  readonly start: number;
  readonly dead: boolean;
  /** Addresses; 0 if there is none, or if this user may not know it. */
  readonly environment: {readonly from: number; readonly to: number};
}

/** proc(5): `pid (name) state ppid pgrp session …`, start time as the 22nd, env_start and env_end as the 50th and 51st; the name may hold blanks and parentheses. */
function parseStat(stat: string): Stat {
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

function readOrNothing(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}

function listFromPs(): ProcessEntry[] {
  const lines = execFileSync('/bin/ps', ['-A', '-o', 'pid=,ppid=,pgid=,state='], {encoding: 'utf8'}).split('\n');
  return lines.flatMap((line) => {
    const [pid, parent, group, state] = line.trim().split(/\s+/);
    if (state === undefined || state.startsWith('Z')) return [];
    return [{pid: Number(pid), parent: Number(parent), group: Number(group), session: 0, marked: false}];
  });
}
