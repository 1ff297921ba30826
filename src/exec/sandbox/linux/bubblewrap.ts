import {execFile} from 'node:child_process';
import {lstatSync, readFileSync, writeFileSync} from 'node:fs';
import {mkdir, mkdtemp, realpath, rm, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {promisify} from 'node:util';
import {bubblewrapArgs, type Mount} from './bubblewrap-args.ts';
import {leaseWorkspace} from '../guards/workspace-lease.ts';
import type {Placeholder} from './placeholders.ts';
import {openNetworkNamespace, type NetworkNamespace} from '../network/network-namespace.ts';
import {sandboxVariables} from '../sandbox-variables.ts';
import type {Sandbox, SandboxedCommand, SandboxPlace, SandboxRules, WrappedCommand} from '../sandbox.ts';
import {innerLimits, outerLimits} from './process-limits.ts';
import {seccompFilter} from './seccomp-filter.ts';
import {systemMounts} from './system-mounts.ts';
import {LISTENERS, openEgressProxy, type EgressProxy} from '../network/egress-proxy.ts';
import {FILTER_ENTRY, FILTER_FD} from './filter-entry.ts';
import {HINT_INSTALL, HINT_MODE, HINT_NAMESPACES, programAt, unavailable} from './system-programs.ts';
import {workspaceMounts} from './workspace-mounts.ts';

/**
 * Opens a sandbox that runs commands in namespaces of their own, by bubblewrap. Tests it first; throws
 * UNAVAILABLE with the reason and the package to install.
 */
export async function openBubblewrap(rules: SandboxRules): Promise<Sandbox> {
  const filter = seccompFilter(process.arch);
  const bwrap = programAt('bwrap');
  const nsenter = programAt('nsenter');
  const shell = programAt('bash');
  if (filter === undefined) throw unavailable(`there is no filter for system calls on ${process.arch}`, HINT_MODE);
  if (bwrap === undefined) throw unavailable('bubblewrap is not installed', HINT_INSTALL);
  if (shell === undefined) throw unavailable('bash is not installed', 'Install bash.');
  const scratch = await makeScratch(rules.stateDir, filter);
  const around = {rules, bwrap, shell, scratch, prlimit: programAt('prlimit')};
  try {
    const network = await openNetwork(rules, {bwrap, nsenter});
    const context = {...around, network};
    try {
      await tryOut(context);
    } catch (error) {
      network.close();
      throw error;
    }
    return {
      name: 'bubblewrap',
      rules,
      scratchDir: scratch.folder,
      wrap: async (command, place) => await wrapCommand(context, command, place),
      async close() {
        network.close();
        await rm(dirname(scratch.filterFile), {recursive: true, force: true});
      },
    };
  } catch (error) {
    await rm(dirname(scratch.filterFile), {recursive: true, force: true});
    throw error;
  }
}

interface BubblewrapContext {
  readonly rules: SandboxRules;
  readonly bwrap: string;
  readonly shell: string;
  readonly prlimit: string | undefined;
  readonly scratch: Scratch;
  readonly network: SessionNetwork;
}

interface SessionNetwork {
  readonly namespace?: NetworkNamespace;
  readonly egressProxy?: EgressProxy;
  /** Each command has a network of its own. */
  readonly isolated: boolean;
  close(): void;
}

async function openNetwork(
  {network}: SandboxRules,
  {bwrap, nsenter}: {bwrap: string; nsenter: string | undefined},
): Promise<SessionNetwork> {
  if (network.open) return {isolated: false, close: () => undefined};
  const needsEgressProxy = network.domains.length > 0;
  if (nsenter === undefined && needsEgressProxy) throw unavailable('nsenter is not installed', 'Install util-linux.');
  try {
    if (nsenter === undefined) return {isolated: true, close: () => undefined};
    const namespace = await openNetworkNamespace({bwrap, nsenter, listeners: needsEgressProxy ? LISTENERS : 0});
    const egressProxy = openEgressProxy(namespace, network);
    const close = (): void => {
      egressProxy.close();
      namespace.close();
    };
    // A system may allow one layer of namespaces and not two.
    const canEnter = await succeeds([...namespace.enter, bwrap, '--unshare-user', '--ro-bind', '/', '/', '--', '/bin/true']);
    if (canEnter) return {namespace, egressProxy, isolated: false, close};
    close();
  } catch (error) {
    if (needsEgressProxy) throw unavailable(error instanceof Error ? error.message : String(error), HINT_NAMESPACES);
  }
  if (needsEgressProxy) throw unavailable('commands cannot be put into a network with a way out', HINT_NAMESPACES);
  return {isolated: true, close: () => undefined};
}

async function wrapCommand(context: BubblewrapContext, command: SandboxedCommand, place: SandboxPlace): Promise<WrappedCommand> {
  const {rules, scratch, network} = context;
  const workspace = await leasedWorkspace(context);
  const mounts: Mount[] = [...systemMounts(rules, scratch.folder), ...workspace.mounts];
  const {folder: scratchDir, blankFile, filterFile} = scratch;
  const args = bubblewrapArgs({mounts, scratchDir, blankFile, place, ownNetwork: network.isolated, filterFd: FILTER_FD});
  const env = {...sandboxVariables(place.env, {scratchDir, hasNetwork: rules.network.open}), ...network.egressProxy?.env};
  let isReleased = false;
  return {
    // A shell opens the filter, since the library that starts terminals passes no descriptors. It also closes descriptors that Fettle has inherited.
    program: context.shell,
    args: [
      '--norc',
      '--noprofile',
      '-c',
      FILTER_ENTRY,
      filterFile,
      ...(network.namespace?.enter ?? []),
      ...outerLimits(context.prlimit),
      context.bwrap,
      ...args,
      ...innerLimits(context.prlimit),
      command.program,
      ...command.args,
    ],
    env,
    async release() {
      if (isReleased) return [];
      isReleased = true;
      return await workspace.release();
    },
  };
}

interface LeasedWorkspace {
  readonly mounts: readonly Mount[];
  release(): Promise<readonly string[]>;
}

/** Until the lease is released, protected entries stay in place. */
async function leasedWorkspace({rules, scratch}: Pick<BubblewrapContext, 'rules' | 'scratch'>): Promise<LeasedWorkspace> {
  if (rules.profile === 'read-only') return {mounts: [], release: async () => []};
  const {paths, made, mark, release} = await leaseWorkspace(rules);
  try {
    const mounts: Mount[] = [...workspaceMounts(rules, paths), ...excluding(rules.root, made, scratch), {path: mark, as: 'read-only'}];
    return {mounts, release};
  } catch (error) {
    await release();
    throw error;
  }
}

/** Makes git ignore placeholders. */
function excluding(root: string, made: readonly Placeholder[], {excludeFile}: Scratch): Mount[] {
  // That of a worktree is a file.
  if (lstatSync(join(root, '.git'), {throwIfNoEntry: false})?.isDirectory() !== true) return [];
  const path = join(root, '.git', 'info', 'exclude');
  const standing = made.filter((placeholder) => !placeholder.path.startsWith('.git/'));
  if (standing.length === 0 || lstatSync(path, {throwIfNoEntry: false})?.isFile() !== true) return [];
  writeFileSync(excludeFile, [readFileSync(path, 'utf8'), ...standing.map((placeholder) => `/${placeholder.path}`), ''].join('\n'));
  return [{path, as: 'read-only', source: excludeFile}];
}

interface Scratch {
  readonly folder: string;
  readonly filterFile: string;
  readonly blankFile: string;
  readonly excludeFile: string;
}

async function makeScratch(stateDir: string, filter: Uint8Array): Promise<Scratch> {
  const parent = join(stateDir, 'sandbox-tmp');
  await mkdir(parent, {recursive: true, mode: 0o700});
  const own = await realpath(await mkdtemp(join(parent, `${process.pid}-`)));
  const scratch = {
    folder: join(own, 'tmp'),
    filterFile: join(own, 'filter'),
    blankFile: join(own, 'blank'),
    excludeFile: join(own, 'exclude'),
  };
  await Promise.all([mkdir(scratch.folder), writeFile(scratch.filterFile, filter), writeFile(scratch.blankFile, '')]);
  return scratch;
}

/** The sandbox works when a command has run in it. */
async function tryOut(context: BubblewrapContext): Promise<void> {
  const {program, args, env, release} = await wrapCommand(
    {...context, rules: {...context.rules, profile: 'read-only'}},
    {program: '/bin/true', args: []},
    {cwd: '/', env: {PATH: '/usr/bin:/bin'}},
  );
  try {
    await promisify(execFile)(program, [...args], {env, cwd: '/', timeout: TIMEOUT_MS, killSignal: 'SIGKILL'});
  } catch (error) {
    const said =
      typeof error === 'object' && error !== null && 'stderr' in error ? String(error.stderr).trim().split('\n').at(-1) : undefined;
    throw unavailable(said === undefined || said === '' ? 'a command could not be run in it' : said, HINT_NAMESPACES);
  } finally {
    await release();
  }
}

const TIMEOUT_MS = 10_000;

async function succeeds([program = '', ...args]: readonly string[]): Promise<boolean> {
  return await promisify(execFile)(program, args, {env: {PATH: '/usr/bin:/bin'}, cwd: '/', timeout: TIMEOUT_MS}).then(
    () => true,
    () => false,
  );
}
