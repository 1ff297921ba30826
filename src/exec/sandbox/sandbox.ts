import type {Variables} from '../variables/child-environment.ts';

/** Restrictions on commands. All paths are absolute and real. */
export interface SandboxRules {
  readonly profile: 'read-only' | 'workspace-write';
  /** The workspace. Fixed when the session begins: no path of a model moves it (CVE-2025-59532). */
  readonly root: string;
  /** Further folders that may be written. */
  readonly writable: readonly string[];
  /** Files and folders that commands do not see, whether they exist or not. */
  readonly hidden: readonly string[];
  /** Paths that can be read, but not written, although they are inside hidden ones. */
  readonly visible: readonly string[];
  /** True if programs outside load this path (relative to the root): it stays as it is. */
  readonly autoloaded: (path: string) => boolean;
  /** Names in the root that must not come into being; a folder ends with a slash. */
  readonly reserved: readonly string[];
  /** The settings in a configuration of git that name a program, or further configuration. */
  readonly gitPrograms: (text: string) => readonly string[];
  readonly network: NetworkRules;
  /** Folder for the record of placeholders, so that they are removed even after a crash, and for quarantined files. */
  readonly stateDir: string;
}

export interface NetworkRules {
  /** True: that of the machine. */
  readonly open: boolean;
  /** Otherwise these hosts, exact or after `*.`; empty: none (CVE-2025-66479). */
  readonly domains: readonly string[];
  /** True if an address belongs to the public internet. */
  readonly isPublic: (address: string) => boolean;
}

export interface SandboxedCommand {
  readonly program: string;
  readonly args: readonly string[];
}

export interface SandboxPlace {
  /** Absolute. */
  readonly cwd: string;
  readonly env: Variables;
  /** True if the command has a terminal of its own, which the sandbox keeps. */
  readonly terminal?: boolean | undefined;
}

export interface WrappedCommand extends SandboxedCommand {
  readonly env: Variables;
  /** Call it when the command has ended; does not reject. Resolves to notices for the user, one line each. */
  release(): Promise<readonly string[]>;
}

/** OS sandbox around commands. Whoever opened it closes it, when no command runs any more. */
export interface Sandbox {
  readonly name: 'bubblewrap' | 'seatbelt';
  readonly rules: SandboxRules;
  /** A folder that commands may write, under the same path inside and outside. They see it as their `/tmp`, too. */
  readonly scratchDir: string;
  /** Returns the same command inside the sandbox. Throws why there is none: then nothing may be started. */
  wrap(command: SandboxedCommand, place: SandboxPlace): Promise<WrappedCommand>;
  close(): Promise<void>;
}
