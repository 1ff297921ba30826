import {execFileSync} from 'node:child_process';
import {setTimeout as delay} from 'node:timers/promises';
import {systemErrorCode} from '../../base/errors.ts';
import {birthOf} from './recent-processes.ts';
import {PLATFORM} from './platform.ts';
import {listProcesses, ownGroup, startOf, type ProcessListOptions} from './process-table.ts';

/** All processes of one command, including those that left its group. */
export interface ProcessTree extends ProcessListOptions {
  /** The process that was started: leader of its own group and session. */
  readonly leader: number;
}

/**
 * Describes the tree of a process that was started just now: asked for later, it may be gone, and all processes have to be looked at.
 * `at`: `performance.now()` before it was started.
 */
export function treeOf(leader: number, marker: string, at: number): ProcessTree {
  return {leader, marker, since: startOf(leader), birth: PLATFORM === 'linux' ? birthOf(leader, at) : undefined};
}

/** Time that leftover processes of a command have to finish: `> >(tee log)` still writes when the command has ended. */
const SETTLE_MS = 100;
/** Time that a process has to end after SIGTERM. */
const GRACE_MS = 250;
const POLL_MS = 10;
/** Against a program that forks faster than it is killed: then the group and the last list have been killed 100 times. */
const MAX_ROUNDS = 100;

/**
 * Ends the whole tree: SIGTERM, a short grace, SIGKILL, until no process is left. Processes are stopped before
 * they are killed: a program that forks without end then finds no room for more, while killing one by one would
 * make room. Members are found by group, session, parent and the inherited marker; a process that left the group
 * and the session, lost its parent and cleared its environment cannot be found (that takes a sandbox).
 */
export async function endTree(tree: ProcessTree, graceMs: number = GRACE_MS): Promise<void> {
  if (process.platform === 'win32') {
    runQuietly('taskkill', ['/T', '/F', '/PID', String(tree.leader)]);
    return;
  }
  send(members(tree), 'SIGTERM');
  if (await isGoneWithin(tree, graceMs)) return;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    send(stopped(tree), 'SIGKILL');
    if (await isGoneWithin(tree, 1)) return;
  }
}

/** Returns the ids of living processes of the tree; none on Windows. */
export function treeProcesses(tree: ProcessTree): readonly number[] {
  return members(tree).pids;
}

/** Stops all members, until a look finds no more of them than the one before. */
function stopped(tree: ProcessTree): Members {
  let found = members(tree);
  for (let before = 0, looks = 0; found.pids.length > before && looks < MAX_LOOKS; looks += 1) {
    send(found, 'SIGSTOP');
    before = found.pids.length;
    found = members(tree);
  }
  return found;
}

const MAX_LOOKS = 20;

/** After the leader has ended by itself: nothing survives a command. */
export async function endLeftovers(tree: ProcessTree): Promise<void> {
  // Elsewhere whoever has lost its parent is known by its group alone, and a list of all processes takes a program.
  if (process.platform !== 'linux' && !isReached(-tree.leader)) return;
  if (!(await isGoneWithin(tree, SETTLE_MS))) await endTree(tree);
  // A program that constantly moves on to a new process may be in no list, but it is in the group.
  send({pids: [], groups: [tree.leader]}, 'SIGKILL');
}

function isReached(target: number): boolean {
  try {
    return process.kill(target, 0);
  } catch (error) {
    return systemErrorCode(error) !== 'ESRCH';
  }
}

async function isGoneWithin(tree: ProcessTree, ms: number): Promise<boolean> {
  const begin = performance.now();
  let endedBefore: readonly number[] = [];
  for (let rounds = 0; ; rounds += 1) {
    const {pids, ended, becoming} = members(tree);
    const waited = performance.now() - begin;
    // For a process that is in the middle of an exec, it cannot be known yet whether it belongs to the tree.
    const decided = !becoming || waited > BECOMING_MS;
    // What slipped through one list, since the one that started it ended meanwhile, is in the next.
    const settled = rounds >= MAX_UNSETTLED || ended.every((pid) => endedBefore.includes(pid));
    if (pids.length === 0 && decided && settled) return true;
    if (waited > ms && (pids.length > 0 || decided)) return pids.length === 0;
    await delay(pids.length > 0 ? POLL_MS : 2);
    endedBefore = ended;
  }
}

/** On a busy machine something begins or ends all the time. */
const MAX_UNSETTLED = 5;
/** A process becomes another program in less than a millisecond, once it gets a processor. */
const BECOMING_MS = 1000;

interface Members {
  readonly pids: readonly number[];
  /** Their process groups. */
  readonly groups: readonly number[];
  /** Listed processes that are dead, of this tree or not. */
  readonly ended: readonly number[];
  readonly becoming: boolean;
}

/** Lists the living members of the tree. On Windows nothing is known. */
function members({leader, ...options}: ProcessTree): Members {
  if (process.platform === 'win32') return {pids: [], groups: [], ended: [], becoming: false};
  const {entries, ended, becoming} = listProcesses(options);
  const found = new Set<number>();
  for (const entry of entries) {
    if (entry.pid === leader || entry.group === leader || entry.session === leader || entry.marked) found.add(entry.pid);
  }
  for (let before = -1; before !== found.size;) {
    before = found.size;
    for (const entry of entries) if (found.has(entry.parent)) found.add(entry.pid);
  }
  found.delete(process.pid);
  const own = found.size === 0 ? undefined : ownGroup();
  const groups = entries.filter(({pid, group}) => found.has(pid) && group !== own && group > 1).map(({group}) => group);
  return {pids: [...found], groups: [...new Set([leader, ...groups])], ended, becoming};
}

/** Signals go to whole groups: a process that keeps continuing in a new child would be gone before its own id is used. */
function send({pids, groups}: Pick<Members, 'pids' | 'groups'>, signal: NodeJS.Signals): void {
  for (const pid of [...groups.map((group) => -group), ...pids]) {
    try {
      process.kill(pid, signal);
    } catch {
      // Gone already, or another user's (a setuid program): nothing to do.
    }
  }
}

function runQuietly(program: string, args: readonly string[]): void {
  try {
    execFileSync(program, args, {stdio: 'ignore'});
  } catch {
    // The process was gone already.
  }
}
