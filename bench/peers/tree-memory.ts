import {existsSync, readdirSync, readFileSync, readlinkSync} from 'node:fs';

export interface ProcessMemory {
  readonly program: string;
  /** The most that was resident so far. */
  readonly peakKib: number;
  /** What is resident now of files, such as the program itself. */
  readonly fileKib: number;
}

/** Returns the peaks of all processes below `pid`, by /proc of Linux; NaN where there is none. */
export function treeKib(pid: number): number {
  return existsSync('/proc/self/status') ? sumKib(childrenOf(pid).flatMap(withDescendants)) : Number.NaN;
}

/** Adds peaks. Processes of one program share its pages, which count once. */
export function sumKib(processes: readonly ProcessMemory[]): number {
  const programs = [...Map.groupBy(processes, ({program}) => program).values()];
  return programs.reduce((sum, group) => {
    const files = group.map(({fileKib}) => fileKib);
    const shared = files.reduce((a, b) => a + b, 0) - Math.max(...files);
    return sum + group.reduce((a, {peakKib}) => a + peakKib, 0) - shared;
  }, 0);
}

function withDescendants(pid: number): ProcessMemory[] {
  const own = memoryOf(pid);
  return [...(own === undefined ? [] : [own]), ...childrenOf(pid).flatMap(withDescendants)];
}

function memoryOf(pid: number): ProcessMemory | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const kib = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0);
    return {program: readlinkSync(`/proc/${pid}/exe`), peakKib: kib('VmHWM'), fileKib: kib('RssFile')};
  } catch {
    return undefined; // it has ended
  }
}

function childrenOf(pid: number): number[] {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    return threads.flatMap((thread) => readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean).map(Number));
  } catch {
    return []; // it has ended
  }
}
