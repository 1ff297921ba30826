import {execFile} from 'node:child_process';
import {lstatSync, readdirSync, readlinkSync} from 'node:fs';
import {mkdir, mkdtemp, realpath, rm, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {promisify} from 'node:util';
import type {Isolation, IsolationRules, OpenNetwork} from '../isolation.ts';
import {ALL_PUBLIC} from '../network/allowed-domain.ts';
import {LISTENERS, openEgressProxy} from '../network/egress-proxy.ts';
import {openNetworkNamespace} from '../network/network-namespace.ts';
import {isolationArgs, type RootEntry} from './isolation-args.ts';
import {innerLimits, outerLimits} from './process-limits.ts';
import {resolverFile} from './resolver-file.ts';
import {endSandboxed} from './sandboxed-processes.ts';
import {seccompFilter} from './seccomp-filter.ts';
import {HINT_INSTALL, HINT_NAMESPACES, programAt, unavailable} from './system-programs.ts';
import {FILTER_ENTRY, FILTER_FD} from './filter-entry.ts';

/** Opens the isolation by bubblewrap, and tries out both of its kinds. Throws UNAVAILABLE with the reason and the package to install. */
export async function openBubblewrapIsolation(stateDir: string): Promise<Isolation> {
  const filter = seccompFilter(process.arch);
  const bwrap = programAt('bwrap');
  const shell = programAt('bash');
  const prlimit = programAt('prlimit');
  if (filter === undefined) throw unavailable(`there is no filter for system calls on ${process.arch}`);
  if (bwrap === undefined) throw unavailable('bubblewrap is not installed', HINT_INSTALL);
  if (shell === undefined) throw unavailable('bash is not installed', 'Install bash.');
  await mkdir(stateDir, {recursive: true, mode: 0o700});
  const folder = await realpath(await mkdtemp(join(stateDir, 'isolation-')));
  const [filterFile, blankFile] = [join(folder, 'filter'), join(folder, 'blank')];
  const close = async (): Promise<void> => await rm(folder, {recursive: true, force: true});
  const isolation: Isolation = {
    name: 'bubblewrap',
    canShow: true,
    wrap(command, rules, place) {
      const facts = {
        root: rootEntries(),
        isFolder,
        resolver: resolverFile()[0],
        place,
        isRoot: process.getuid?.() === 0,
        blankFile,
        filterFd: FILTER_FD,
      };
      if (rules.nested) return {program: bwrap, args: [...isolationArgs(rules, facts), command.program, ...command.args]};
      // A shell opens the filter; it also closes descriptors that were inherited.
      const limited = [
        ...outerLimits(prlimit),
        bwrap,
        ...isolationArgs(rules, facts),
        ...innerLimits(prlimit),
        command.program,
        ...command.args,
      ];
      return {program: shell, args: ['--norc', '--noprofile', '-c', FILTER_ENTRY, filterFile, ...limited]};
    },
    endAll: endSandboxed,
    openNetwork: async (isPublic) => await openPublicNetwork(bwrap, isPublic),
    close,
  };
  try {
    await writeFile(filterFile, filter, {mode: 0o600});
    await writeFile(blankFile, '', {mode: 0o600});
    await tryOut(isolation, bwrap);
    return isolation;
  } catch (error) {
    await close();
    throw error;
  }
}

async function openPublicNetwork(bwrap: string, isPublic: (address: string) => boolean): Promise<OpenNetwork> {
  const nsenter = programAt('nsenter');
  if (nsenter === undefined) throw unavailable('nsenter is not installed', 'Install util-linux.');
  const namespace = await openNetworkNamespace({bwrap, nsenter, listeners: LISTENERS});
  const proxy = openEgressProxy(namespace, {open: false, domains: [ALL_PUBLIC], isPublic});
  return {
    enter: namespace.enter,
    env: proxy.env,
    close() {
      proxy.close();
      namespace.close();
    },
  };
}

const NOTHING: Omit<IsolationRules, 'nested'> = {writable: [], hidden: [], visible: [], shown: [], network: false};

/** Isolation works when a command has run in it, and when another sandbox has been opened inside. */
async function tryOut(isolation: Isolation, bwrap: string): Promise<void> {
  const place = {cwd: '/', env: {}};
  const inner = {
    program: bwrap,
    args: [...'--unshare-user --unshare-pid --ro-bind / / --dev /dev --proc /proc --'.split(' '), '/bin/true'],
  };
  await Promise.all([
    run(isolation.wrap({program: '/bin/true', args: []}, {...NOTHING, nested: false}, place)),
    run(isolation.wrap(inner, {...NOTHING, nested: true}, place)),
  ]);
}

async function run({program, args}: {readonly program: string; readonly args: readonly string[]}): Promise<void> {
  try {
    await promisify(execFile)(program, [...args], {env: {PATH: '/usr/bin:/bin'}, cwd: '/', timeout: TIMEOUT_MS, killSignal: 'SIGKILL'});
  } catch (error) {
    const said =
      typeof error === 'object' && error !== null && 'stderr' in error ? String(error.stderr).trim().split('\n').at(-1) : undefined;
    throw unavailable(said === undefined || said === '' ? 'a command could not be run in isolation' : said, HINT_NAMESPACES);
  }
}

const TIMEOUT_MS = 10_000;

function rootEntries(): RootEntry[] {
  return readdirSync('/', {withFileTypes: true}).flatMap((entry) => {
    const path = `/${entry.name}`;
    if (entry.isSymbolicLink()) return [{path, link: readlinkSync(path)}];
    return entry.isDirectory() || entry.isFile() ? [{path}] : [];
  });
}

function isFolder(path: string): boolean | undefined {
  return lstatSync(path, {throwIfNoEntry: false})?.isDirectory();
}
