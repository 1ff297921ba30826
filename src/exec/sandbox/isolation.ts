import type {Variables} from '../variables/child-environment.ts';
import type {SandboxedCommand} from './sandbox.ts';

/**
 * Limits what one program sees of the machine, with everything that it starts. Unlike a {@link Sandbox}, it protects no workspace of a person:
 * the folders that may be written are scratch folders. All paths are absolute and real.
 */
export interface IsolationRules {
  /** Folders that may be written; everything else is read-only. */
  readonly writable: readonly string[];
  /** Files and folders that are empty, although they may contain folders of the other lists. */
  readonly hidden: readonly string[];
  /** Files and folders that can be read although they are inside hidden ones. */
  readonly visible: readonly string[];
  /** Folders that are shown at another path, too. The path may not exist outside. */
  readonly shown: readonly ShownFolder[];
  /** True: the network of the machine. False: none but a loopback of its own. */
  readonly network: boolean;
  /**
   * True: the program may open sandboxes of its own, as Fettle does for its commands. It then shares the list of processes with the machine, and
   * the caller has to end its tree. False: all of its processes are gone when it ends, and system calls that lead around the sandbox are refused.
   */
  readonly nested: boolean;
}

export interface ShownFolder {
  readonly folder: string;
  readonly at: string;
  readonly writable: boolean;
}

export interface IsolatedPlace {
  /** Absolute, as the program sees it. */
  readonly cwd: string;
  readonly env: Variables;
}

/** The mechanism of this system. Whoever opened it closes it. */
export interface Isolation {
  readonly name: 'bubblewrap' | 'seatbelt';
  /** True if folders can be shown at other paths. */
  readonly canShow: boolean;
  /** Returns the same command under these rules. Throws UNAVAILABLE if they cannot be kept: then nothing may be started. */
  wrap(command: SandboxedCommand, rules: IsolationRules, place: IsolatedPlace): SandboxedCommand;
  /** Ends every process that still runs under rules with this writable folder, whatever it did to leave its tree. Throws IO if one cannot be ended. */
  endAll(folder: string): Promise<void>;
  /**
   * Opens a network for one program, from which only proxies lead out, to the public internet: not to the loopback of this machine, and not to
   * its local network. Undefined: this mechanism has none. Throws UNAVAILABLE if it cannot be opened.
   */
  openNetwork?(isPublic: (address: string) => boolean): Promise<OpenNetwork>;
  close(): Promise<void>;
}

export interface OpenNetwork {
  /** Prefix of a command line that runs it in the network. */
  readonly enter: readonly string[];
  /** Variables that point programs to the proxies. */
  readonly env: Variables;
  close(): void;
}
