import type {SandboxPlace} from '../sandbox.ts';

/** One place in the file system of a command, by its absolute path. */
export interface Mount {
  readonly path: string;
  /**
   * `empty`: an empty folder. `blank`: an empty file. `scratch`: the folder that commands may write besides.
   * `private`: a folder of memory that may be written. The others show the existing content.
   */
  readonly as: 'read-only' | 'writable' | 'empty' | 'blank' | 'scratch' | 'private';
  /** For `read-only`: the content that is shown there instead. */
  readonly source?: string | undefined;
}

export interface SandboxFacts {
  /** Those of the same path: the last one counts. */
  readonly mounts: readonly Mount[];
  readonly scratchDir: string;
  readonly blankFile: string;
  readonly place: SandboxPlace;
  /** False: there is a network namespace already, or none is wanted. */
  readonly ownNetwork: boolean;
  /** The descriptor with the program for seccomp. */
  readonly filterFd: number;
}

/** The arguments of `bwrap` up to the command. Pure: everything was looked at before. */
export function bubblewrapArgs({mounts, scratchDir, blankFile, place, ownNetwork, filterFd}: SandboxFacts): string[] {
  const ordered = inOrder(mounts);
  return [
    '--unshare-user',
    '--unshare-pid',
    '--unshare-ipc',
    '--unshare-uts',
    '--unshare-cgroup-try',
    ...(ownNetwork ? ['--unshare-net'] : []),
    '--die-with-parent',
    '--cap-drop',
    'ALL',
    '--hostname',
    'sandbox',
    // A command with a terminal of its own can only type into that one.
    ...(place.terminal === true ? [] : ['--new-session']),
    '--ro-bind',
    '/',
    '/',
    '--dev',
    '/dev',
    '--proc',
    '/proc',
    // Its memory: the first process is that of bwrap, and notifies the one outside when the command has ended.
    '--tmpfs',
    '/proc/1',
    '--remount-ro',
    '/proc/1',
    ...ordered.flatMap((mount) => mountArgs(mount, {scratchDir, blankFile})),
    // Only now: the mount points inside them had to be created.
    ...ordered.filter(({as}) => as === 'empty').flatMap(({path}) => ['--remount-ro', path]),
    '--chdir',
    place.cwd,
    '--seccomp',
    String(filterFd),
    '--',
  ];
}

/** Outer folders first: inner ones are mounted over them. */
function inOrder(mounts: readonly Mount[]): Mount[] {
  const byPath = new Map(mounts.map((mount) => [mount.path, mount]));
  return [...byPath.values()].toSorted((a, b) => depthOf(a.path) - depthOf(b.path));
}

function depthOf(path: string): number {
  return path.split('/').length;
}

function mountArgs({path, as, source = path}: Mount, {scratchDir, blankFile}: Pick<SandboxFacts, 'scratchDir' | 'blankFile'>): string[] {
  switch (as) {
    case 'read-only':
      return ['--ro-bind', source, path];
    case 'writable':
      return ['--bind', path, path];
    case 'empty':
      return ['--perms', '0755', '--tmpfs', path];
    case 'private':
      return ['--perms', '1777', '--tmpfs', path];
    case 'blank':
      return ['--ro-bind', blankFile, path];
    case 'scratch':
      return ['--bind', scratchDir, path];
  }
}
