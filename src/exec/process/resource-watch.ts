import {statfsSync, writeFileSync} from 'node:fs';
import {statfs} from 'node:fs/promises';
import {freemem, totalmem} from 'node:os';
import {PLATFORM} from './platform.ts';
import type {Overrun} from './resource-overrun.ts';
import {treeProcesses, type ProcessTree} from './process-tree.ts';
import {memoryOf} from './tree-memory.ts';

/** Limits on the resources of a command and everything it starts. */
export interface ResourceLimits {
  /** Bytes, swap included; absent: {@link DEFAULT_SHARE} of the memory that the machine or the container has. */
  readonly memoryBytes?: number | undefined;
  /**
   * Bytes by which the free space of a disk may fall while it runs; absent: 50 GB, and at most {@link
   * DEFAULT_SHARE} of the free space at the start.
   */
  readonly diskBytes?: number | undefined;
}

interface Watched {
  readonly tree: ProcessTree;
  readonly limits: ResourceLimits;
  /** Their disks are watched. */
  readonly folders: readonly string[];
  /** Called once at most. */
  readonly onOverrun: (overrun: Overrun) => void;
}

/**
 * Checks periodically whether a command exceeds its limits. Limits of the kernel cannot be relied on: control groups are rarely
 * delegated, a limit of the address space breaks programs that reserve much and use little (Node, Java, Go, sanitizers), a limit of the file size
 * breaks sparse files. Should the memory of the machine be used up between two checks, the kernel kills the command before others.
 * @returns Ends the watch.
 */
export function watchResources({tree, limits, folders, onOverrun}: Watched): () => void {
  giveUpFirst(tree.leader);
  let isOver = false;
  let timer: NodeJS.Timeout | undefined;
  const end = (): void => {
    isOver = true;
    clearTimeout(timer);
  };
  const report = (overrun: Overrun | undefined): void => {
    if (overrun === undefined || isOver) return;
    end();
    onOverrun(overrun);
  };
  const isDiskOver = watchDisks(folders, limits.diskBytes);
  let memoryLimit: number | undefined;
  const look = (): void => {
    const began = performance.now();
    memoryLimit ??= limits.memoryBytes ?? DEFAULT_SHARE * memoryOfMachine();
    report(memoryOverrun(tree, memoryLimit));
    if (isOver) return;
    void isDiskOver().then(report);
    const isClose = usedMemory() > CLOSE_SHARE * memoryLimit;
    wait(Math.max(isClose ? CLOSE_MS : CALM_MS, (performance.now() - began) * REST));
  };
  const wait = (ms: number): void => {
    timer = setTimeout(look, ms).unref();
  };
  wait(CALM_MS);
  return end;
}

const DEFAULT_SHARE = 0.8;
const MOST_DISK_BYTES = 50_000_000_000;
/** Most commands have ended before the first look. */
const CALM_MS = 250;
/** Memory is filled with some gigabytes a second: when it gets tight, the next look comes sooner. */
const CLOSE_MS = 100;
const CLOSE_SHARE = 0.75;
/** The pause after a look is this many times longer than the look itself. */
const REST = 20;

/** proc_pid_oom_score_adj(5): between 0 as usual and 1000 for "always". What it starts inherits it. */
const OOM_SCORE = '500';

function giveUpFirst(pid: number): void {
  if (PLATFORM !== 'linux') return;
  try {
    writeFileSync(`/proc/${pid}/oom_score_adj`, OOM_SCORE);
  } catch {
    // Ended already, or it has a higher one.
  }
}

/** Measures the tree only if the machine as a whole uses more than the limit: otherwise the command cannot. */
function memoryOverrun(tree: ProcessTree, limit: number): Overrun | undefined {
  if (usedMemory() < limit) return undefined;
  const used = memoryOf(treeProcesses(tree), limit);
  return used > limit ? {resource: 'memory', used, limit} : undefined;
}

function usedMemory(): number {
  return totalmem() - freemem();
}

/** Returns the memory of the container, if it has less than the machine. */
function memoryOfMachine(): number {
  const constrained = process.constrainedMemory();
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
}

/**
 * Compares with the largest free space since the start, so that space freed by other programs hides nothing. The
 * consumer cannot be identified without tracing each call: the purpose is to protect the disk. While a disk does
 * not answer, it is not asked again.
 */
function watchDisks(folders: readonly string[], limit: number | undefined): () => Promise<Overrun | undefined> {
  const most = new Map([...new Set(folders)].map((folder) => [folder, freeAtOnce(folder)]));
  let isAsking = false;
  const overrunOf = async ([folder, before]: readonly [string, number | undefined]): Promise<Overrun | undefined> => {
    const now = await freeBytes(folder);
    if (before === undefined || now === undefined) return undefined;
    const then = Math.max(before, now);
    most.set(folder, then);
    const allowed = limit ?? Math.min(MOST_DISK_BYTES, DEFAULT_SHARE * then);
    return then - now > allowed ? {resource: 'disk', used: then - now, limit: allowed} : undefined;
  };
  return async () => {
    if (isAsking) return undefined;
    isAsking = true;
    const found = await Promise.all([...most].map(overrunOf));
    isAsking = false;
    return found.find((overrun) => overrun !== undefined);
  };
}

/** The same before the command has done anything: it does not wait for other work of this process. */
function freeAtOnce(folder: string): number | undefined {
  try {
    const {bavail, bsize} = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return undefined;
  }
}

/** undefined if unknown, for example because the folder is gone. */
async function freeBytes(folder: string): Promise<number | undefined> {
  return statfs(folder).then(
    ({bavail, bsize}) => bavail * bsize,
    () => undefined,
  );
}
