import {execFileSync} from 'node:child_process';
import {setTimeout as delay} from 'node:timers/promises';
import {listProcesses, type ListOptions} from './process-table.ts';

/** Everything that came from one command, also what left its group. */
export interface ProcessTree extends ListOptions {
  /** The process that was started: leader of its own group and session. */
  readonly leader: number;
}

/** How long what a command left behind may take to finish by itself: `> >(tee log)` still writes when the command has ended. */
const SETTLE_MS = 100;
/** How long a process may take to end after SIGTERM. */
const GRACE_MS = 250;
const POLL_MS = 10;
/** Against a program that forks faster than it is killed: then the group and the last list have been killed 100 times. */
const MAX_ROUNDS = 100;

/**
 * Ends the whole tree: SIGTERM, a short grace, SIGKILL, until nothing of it is left.
 * Members are found by group, session, parent and the inherited marker; what left the group and the session, lost its parent
 * and cleared its environment all at once cannot be found (that takes a sandbox).
 */
export async function endTree(tree: ProcessTree): Promise<void> {
  if (process.platform === 'win32') {
    runQuietly('taskkill', ['/T', '/F', '/PID', String(tree.leader)]);
    return;
  }
  send(members(tree).pids, 'SIGTERM');
  if (await isGoneWithin(tree, GRACE_MS)) return;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    send(members(tree).pids, 'SIGKILL');
    if (await isGoneWithin(tree, 1)) return;
  }
}

/** After the leader has ended by itself: nothing survives a command. */
export async function endLeftovers(tree: ProcessTree): Promise<void> {
  if (!(await isGoneWithin(tree, SETTLE_MS))) await endTree(tree);
}

async function isGoneWithin(tree: ProcessTree, ms: number): Promise<boolean> {
  const deadline = performance.now() + ms;
  for (let rounds = 0; ; rounds += 1) {
    const {pids, settled} = members(tree);
    // What slipped through one list is in the next.
    if (pids.length === 0 && (settled || rounds >= MAX_UNSETTLED)) return true;
    if (performance.now() > deadline) return pids.length === 0;
    await delay(pids.length === 0 ? 2 : POLL_MS);
  }
}

/** On a busy machine something begins or ends all the time. */
const MAX_UNSETTLED = 5;

/** What of the tree still lives. On Windows nothing can be said. */
function members({leader, ...options}: ProcessTree): {readonly pids: readonly number[]; readonly settled: boolean} {
  if (process.platform === 'win32') return {pids: [], settled: true};
  const {entries, settled} = listProcesses(options);
  const found = new Set<number>();
  for (const entry of entries) {
    if (entry.pid === leader || entry.group === leader || entry.session === leader || entry.marked) found.add(entry.pid);
  }
  for (let before = -1; before !== found.size;) {
    before = found.size;
    for (const entry of entries) if (found.has(entry.parent)) found.add(entry.pid);
  }
  found.delete(process.pid);
  return {pids: [...found], settled};
}

function send(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
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
