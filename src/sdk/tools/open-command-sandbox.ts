import {join} from 'node:path';
import {listedHome} from '../../exec/variables/user-home.ts';
import {openSandbox} from '../../exec/sandbox/open-sandbox.ts';
import type {Sandbox, SandboxRules} from '../../exec/sandbox/sandbox.ts';
import {machinePlace} from '../../policy/places/machine-places.ts';
import {protectedWrite} from '../../policy/places/protected-paths.ts';
import {machineOf} from '../settings/machine.ts';
import {RESERVED_NAMES} from '../settings/reserved-names.ts';
import type {SessionSettings} from '../settings/session-settings.ts';
import {gitPrograms} from '../trust/scan-git-config.ts';

interface SandboxRequest {
  readonly session: SessionSettings;
  /** The real path of the workspace. */
  readonly root: string;
  readonly spoolDir: string;
  readonly readOnly: boolean;
}

/** Returns the profile of commands if settings and mode do not say otherwise; with `off`, commands may do whatever the user may. */
export function sandboxProfile({settings: {mode, sandbox}}: Pick<SessionSettings, 'settings'>): SandboxRules['profile'] | 'off' {
  return sandbox.profile ?? (mode === 'full-auto' ? 'workspace-write' : 'off');
}

/**
 * Returns a notice for the start if a flag, a variable or a file switched the sandbox off and nobody is asked:
 * nothing restricts the commands then.
 */
export function sandboxNotices(session: Pick<SessionSettings, 'settings'>, readOnly: boolean | undefined): string[] {
  if (readOnly === true || session.settings.mode !== 'full-auto' || sandboxProfile(session) !== 'off') return [];
  return [
    'There is no sandbox in this full-auto session: commands can write anywhere you can, read your keys, and use the network. ' +
      'Leave out --no-sandbox, --sandbox off, FETTLE_SANDBOX=off and sandbox.profile = "off" to have one.',
  ];
}

/**
 * Opens the sandbox of commands that a session wants. Returns undefined if it wants none. Throws UNAVAILABLE if
 * the sandbox is wanted but cannot be used.
 */
export async function openCommandSandbox({session, root, spoolDir, readOnly}: SandboxRequest): Promise<Sandbox | undefined> {
  const profile = sandboxProfile(session);
  if (profile === 'off') return undefined;
  const [{hiddenPlaces}, {isPublicAddress}] = await Promise.all([
    import('../../exec/sandbox/linux/hidden-paths.ts'),
    import('../../tools/web/public-address.ts'),
  ]);
  const {settings, home, paths} = session;
  const {network, allowed_domains: domains, writable} = settings.sandbox;
  const listed = listedHome();
  const machine = await machineOf(session);
  return await openSandbox({
    profile: readOnly ? 'read-only' : profile,
    root,
    writable,
    hidden: hiddenPlaces({
      homes: [home, ...(listed === undefined ? [] : [listed])],
      own: [paths.stateDir, paths.configFile, join(paths.configDir, 'schedule.env')],
      isRoot: process.getuid?.() === 0,
    }),
    visible: [spoolDir],
    autoloaded: (path) =>
      isAutoloaded(path) || (machinePlace({path: join(root, path), root}, machine) !== undefined && !KERNEL.test(join(root, path))),
    reserved: RESERVED_NAMES,
    gitPrograms,
    network: {open: network, domains, isPublic: isPublicAddress},
    stateDir: paths.stateDir,
  });
}

/** Programs in `node_modules/.bin` and the like are exempt: commands must be able to install packages. */
function isAutoloaded(path: string): boolean {
  return protectedWrite(path) !== undefined && !PROGRAMS.test(path);
}

/** Paths that the sandbox replaces by mounts of its own. */
const KERNEL = /^\/(?:proc|sys|dev|run)(?:\/|$)/;

const PROGRAMS = /(?:^|\/)(?:node_modules\/\.bin|\.?v?env\/(?:bin|scripts))\/[^/]+$/i;
