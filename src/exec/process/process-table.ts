import {execFileSync} from 'node:child_process';
import {lstatSync, readFileSync, readdirSync} from 'node:fs';

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
  /** Those that were listed and are dead: one that they started may have slipped through. */
  readonly ended: readonly number[];
  /** True where a process is just becoming another program: its environment cannot be read, so nobody knows whose it is. */
  readonly becoming: boolean;
}

export interface ProcessListOptions {
  /** `NAME=value` that the wanted processes inherited. */
  readonly marker: string;
  /** {@link startOf} the first of them. */
  readonly since: number;
}

/**
 * The living processes (zombies are dead) that may have come from the first of the wanted ones: those that are not older. An environment that
 * cannot be read counts as unmarked.
 */
export function listProcesses(options: ProcessListOptions): ProcessList {
  return process.platform === 'linux' ? listFromProc(options) : {entries: listFromPs(), ended: [], becoming: false};
}

/** When a process was started, in hundredths of a second since the system was; 0 where that cannot be known. */
export function startOf(pid: number): number {
  const stat = process.platform === 'linux' ? statOf(pid) : undefined;
  return stat?.start ?? 0;
}

/** The group of this process; undefined where that cannot be known. */
export function ownGroup(): number | undefined {
  return process.platform === 'linux' ? statOf(process.pid)?.group : listFromPs().find(({pid}) => pid === process.pid)?.group;
}

/**
 * What was seen of each process at the last look. The number of the file that stands for it is given to no other process, also where its
 * process number is used again: whether it is too old is read once.
 */
let seen = new Map<number, Seen>();

interface Seen {
  readonly file: number;
  readonly start: number;
}

function listFromProc(options: ProcessListOptions): ProcessList {
  const before = seen;
  seen = new Map();
  const list = {entries: [] as ProcessEntry[], ended: [] as number[], becoming: false};
  for (const name of readdirSync('/proc')) {
    const pid = Number(name);
    if (pid > 0) addProcess(list, pid, {...options, known: before.get(pid)});
  }
  return list;
}

type MutableList = {entries: ProcessEntry[]; ended: number[]; becoming: boolean};

function addProcess(list: MutableList, pid: number, {since, marker, known}: ProcessListOptions & {readonly known: Seen | undefined}): void {
  const file = fileOf(pid);
  const isOld = known !== undefined && known.start < since;
  if (isOld && known.file === file) {
    seen.set(pid, known);
    return;
  }
  const stat = statOf(pid);
  if (stat === undefined) {
    if (!isOld) list.ended.push(pid);
    return;
  }
  if (file !== undefined) seen.set(pid, {file, start: stat.start});
  if (stat.start >= since) addYoung(list, pid, {stat, marker});
}

function fileOf(pid: number): number | undefined {
  try {
    return lstatSync(`/proc/${pid}`, {throwIfNoEntry: false})?.ino;
  } catch {
    return undefined;
  }
}

function addYoung(list: MutableList, pid: number, {stat, marker}: {stat: Stat; marker: string}): void {
  const {parent, group, session, dead, environment: at} = stat;
  if (dead) {
    list.ended.push(pid);
    return;
  }
  const environment = readOrNothing(`/proc/${pid}/environ`) ?? Buffer.from('another user');
  list.entries.push({pid, parent, group, session, marked: environment.includes(marker)});
  list.becoming ||= environment.length === 0 && parent !== KERNEL && !isEmpty(at, pid);
}

/** Parent of the kernel's own threads, which never have an environment. */
const KERNEL = 2;

/**
 * `env -i` leaves an environment with nothing in it: it begins and ends at one address all the time. Of a process that becomes another program both
 * are 0, then the end alone, and at last they are others than before.
 */
function isEmpty(before: Stat['environment'], pid: number): boolean {
  const now = statOf(pid)?.environment;
  return before.from !== 0 && before.from === before.to && now?.from === before.from && now.to === before.to;
}

interface Stat {
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  readonly start: number;
  readonly dead: boolean;
  /** Addresses; 0 where there is none, and where this user may not know. */
  readonly environment: {readonly from: number; readonly to: number};
}

function statOf(pid: number): Stat | undefined {
  const stat = readOrNothing(`/proc/${pid}/stat`)?.toString('latin1');
  return stat === undefined ? undefined : parseStat(stat);
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
