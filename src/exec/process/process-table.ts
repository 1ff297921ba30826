import {execFileSync} from 'node:child_process';
import {lstatSync, readdirSync} from 'node:fs';
import {readOrNothing, statOf, type ProcessStat} from './process-stat.ts';
import {eachRecent, type Birth} from './recent-processes.ts';

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
  /** Listed processes that are dead: one that they started may have slipped through. */
  readonly ended: readonly number[];
  /** True if a process is just becoming another program: its environment cannot be read, so its owner is unknown. */
  readonly becoming: boolean;
}

export interface ProcessListOptions {
  /** `NAME=value` that the wanted processes inherited. */
  readonly marker: string;
  /** {@link startOf} the first of them. */
  readonly since: number;
  /** That of the first of them; absent: not known well enough. */
  readonly birth?: Birth | undefined;
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
 * Processes at the last look. The inode number of a process in /proc is given to no other one, even if its process number is reused: its age
 * is read once.
 */
let seen = new Map<number, Seen>();

interface Seen {
  readonly file: number;
  readonly start: number;
}

function listFromProc(options: ProcessListOptions): ProcessList {
  const {birth} = options;
  const recent: MutableList = {entries: [], ended: [], becoming: false};
  // Whatever they started while they were looked at has been looked at, too: it does not matter who has ended.
  if (birth !== undefined && eachRecent(birth, (pid) => addRecent(recent, pid, options))) return {...recent, ended: []};
  const list: MutableList = {entries: [], ended: [], becoming: false};
  const before = seen;
  seen = new Map();
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

function addRecent(list: MutableList, pid: number, {since, marker}: ProcessListOptions): void {
  const stat = statOf(pid);
  if (stat !== undefined && stat.start >= since) addYoung(list, pid, {stat, marker});
}

function fileOf(pid: number): number | undefined {
  try {
    return lstatSync(`/proc/${pid}`, {throwIfNoEntry: false})?.ino;
  } catch {
    return undefined;
  }
}

function addYoung(list: MutableList, pid: number, {stat, marker}: {stat: ProcessStat; marker: string}): void {
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
function isEmpty(before: ProcessStat['environment'], pid: number): boolean {
  const now = statOf(pid)?.environment;
  return before.from !== 0 && before.from === before.to && now?.from === before.from && now.to === before.to;
}

function listFromPs(): ProcessEntry[] {
  const lines = execFileSync('/bin/ps', ['-A', '-o', 'pid=,ppid=,pgid=,state='], {encoding: 'utf8'}).split('\n');
  return lines.flatMap((line) => {
    const [pid, parent, group, state] = line.trim().split(/\s+/);
    if (state === undefined || state.startsWith('Z')) return [];
    return [{pid: Number(pid), parent: Number(parent), group: Number(group), session: 0, marked: false}];
  });
}
