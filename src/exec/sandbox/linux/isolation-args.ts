import type {IsolatedPlace, IsolationRules} from '../isolation.ts';

/** One entry of the root folder of the machine. */
export interface RootEntry {
  /** Absolute. */
  readonly path: string;
  /** The target, if it is a link. */
  readonly link?: string | undefined;
}

export interface IsolationFacts {
  readonly root: readonly RootEntry[];
  /** True for a folder, false for a file, undefined if there is nothing. */
  readonly isFolder: (path: string) => boolean | undefined;
  /** File of the resolver below a folder that is hidden, if there is one. */
  readonly resolver: string | undefined;
  readonly place: IsolatedPlace;
  /** True for the root user. */
  readonly isRoot: boolean;
  /** An empty file, which is shown in the place of hidden ones. */
  readonly blankFile: string;
  /** The descriptor with the program for seccomp; without nesting. */
  readonly filterFd: number;
}

interface Mount {
  readonly at: string;
  readonly args: readonly string[];
  /** An empty folder, which becomes read-only at the end. */
  readonly isEmpty?: boolean | undefined;
}

/**
 * The arguments of `bwrap` up to the command. The root is an empty folder into which the entries of the machine are bound, so that folders such as
 * `/app` can be shown that the machine does not have. A private list of processes cannot be had together with sandboxes inside: in a container the
 * kernel refuses the second mount of /proc.
 */
export function isolationArgs(rules: IsolationRules, facts: IsolationFacts): string[] {
  const mounts = inOrder([...machine(rules, facts), ...folders(rules, facts)]);
  const isAlone = !rules.nested;
  return [
    '--unshare-user',
    '--unshare-ipc',
    '--unshare-uts',
    ...(isAlone ? ['--unshare-pid', '--unshare-cgroup-try'] : []),
    ...(rules.network ? [] : ['--unshare-net']),
    '--die-with-parent',
    '--new-session',
    '--cap-drop',
    'ALL',
    // A sandbox inside that maps the root user needs it (user_namespaces(7)).
    ...(rules.nested && facts.isRoot ? ['--cap-add', 'CAP_SETFCAP'] : []),
    '--hostname',
    'sandbox',
    '--tmpfs',
    '/',
    ...mounts.flatMap(({args}) => args),
    ...mounts.filter(({isEmpty}) => isEmpty === true).flatMap(({at}) => ['--remount-ro', at]),
    '--remount-ro',
    '/',
    '--chdir',
    facts.place.cwd,
    ...(isAlone ? ['--seccomp', String(facts.filterFd)] : []),
    '--',
  ];
}

const KERNEL = new Set(['/proc', '/dev']);

/** The machine as it is, read-only. */
function machine({nested, network}: IsolationRules, {root, resolver, isFolder}: IsolationFacts): Mount[] {
  const entries = root
    .filter(({path}) => !KERNEL.has(path))
    .map(({path, link}): Mount => ({at: path, args: link === undefined ? ['--ro-bind', path, path] : ['--symlink', link, path]}));
  if (nested)
    return [
      ...entries,
      {at: '/dev', args: ['--dev-bind', '/dev', '/dev']},
      // That of the machine is shared with all other programs, those of other rollouts among them.
      ...(isFolder('/dev/shm') === true ? [{at: '/dev/shm', args: ['--perms', '1777', '--tmpfs', '/dev/shm']}] : []),
      // With `--bind` the kernel would refuse the sandboxes inside their own.
      {at: '/proc', args: ['--dev-bind', '/proc', '/proc']},
    ];
  const hasRun = root.some(({path, link}) => path === '/run' && link === undefined);
  return [
    ...entries,
    {at: '/dev', args: ['--dev', '/dev']},
    // Without the memory of the first process: it is that of bwrap.
    {at: '/proc', args: ['--proc', '/proc', '--tmpfs', '/proc/1', '--remount-ro', '/proc/1']},
    // Sockets of the machine.
    ...(hasRun ? [empty('/run')] : []),
    ...(network && resolver !== undefined ? [bound('--ro-bind', resolver)] : []),
  ];
}

function folders({hidden, visible, writable, shown}: IsolationRules, {isFolder, blankFile}: IsolationFacts): Mount[] {
  return [
    ...hidden.flatMap((path): Mount[] => {
      const kind = isFolder(path);
      if (kind === undefined) return [];
      return [kind ? empty(path) : {at: path, args: ['--ro-bind', blankFile, path]}];
    }),
    ...visible.filter((path) => isFolder(path) !== undefined).map((path) => bound('--ro-bind', path)),
    ...writable.map((path) => bound('--bind', path)),
    ...shown.map(({folder, at, writable: isWritable}): Mount => ({at, args: [isWritable ? '--bind' : '--ro-bind', folder, at]})),
  ];
}

function empty(path: string): Mount {
  return {at: path, args: ['--perms', '0755', '--tmpfs', path], isEmpty: true};
}

function bound(option: '--bind' | '--ro-bind', path: string): Mount {
  return {at: path, args: [option, path, path]};
}

/** Outer folders first: inner ones are mounted over them. Of the same path the last one counts. */
function inOrder(mounts: readonly Mount[]): Mount[] {
  const byPath = new Map(mounts.map((mount) => [mount.at, mount]));
  return [...byPath.values()].toSorted((a, b) => depthOf(a.at) - depthOf(b.at));
}

function depthOf(path: string): number {
  return path.split('/').length;
}
