import {execFileSync} from 'node:child_process';
import {readlinkSync} from 'node:fs';
import {PLATFORM} from './platform.ts';
import {readOrNothing, statOf} from './process-stat.ts';

/** One process and never another one, even if its number is used again. Two are the same if all fields are equal. */
export interface ProcessIdentity {
  readonly pid: number;
  /** The moment of its start: ticks since the system's own on Linux, else the time that ps(1) prints. */
  readonly start: string;
  /** The boot of the system that it belongs to; empty where the system has no name for it. */
  readonly boot: string;
  /** The namespace in which `pid` is its number (pid_namespaces(7)); empty where there are none. */
  readonly space: string;
}

/** `unknown`: it belongs to another namespace of this system, so its number says nothing here. */
export type ProcessLife = 'alive' | 'dead' | 'unknown';

/** Returns the identity of a living process; undefined where there is none with this number. */
export function identityOf(pid: number): ProcessIdentity | undefined {
  const start = startText(pid);
  return start === undefined ? undefined : {pid, start, boot: currentBoot(), space: currentSpace()};
}

/** Says whether a process that was identified earlier still runs. One that has ended and was not yet waited for is dead. */
export function lifeOf({pid, start, boot, space}: ProcessIdentity): ProcessLife {
  if (boot !== currentBoot()) return 'dead';
  if (space !== currentSpace()) return 'unknown';
  return startText(pid) === start ? 'alive' : 'dead';
}

/** Says whether a process belongs to the present boot of the system: files of an earlier one may have lost their last changes. */
export function isOfThisBoot({boot}: ProcessIdentity): boolean {
  return boot === currentBoot();
}

function startText(pid: number): string | undefined {
  if (PLATFORM === 'linux') {
    const stat = statOf(pid);
    return stat === undefined || stat.dead ? undefined : String(stat.start);
  }
  try {
    const env = {LC_ALL: 'C', TZ: 'UTC'};
    const line = execFileSync('/bin/ps', ['-o', 'state=,lstart=', '-p', String(pid)], {encoding: 'utf8', stdio: 'pipe', env}).trim();
    return line === '' || line.startsWith('Z') ? undefined : line.replace(/^\S+\s+/, '');
  } catch {
    return undefined; // ps ends with 1 where there is no such process
  }
}

let boot: string | undefined;
let space: string | undefined;

function currentBoot(): string {
  boot ??= readOrNothing('/proc/sys/kernel/random/boot_id')?.toString('latin1').trim() ?? '';
  return boot;
}

function currentSpace(): string {
  space ??= readSpace();
  return space;
}

function readSpace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}
