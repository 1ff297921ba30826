import type {AskUser} from '../../tools/ports/user-questions.ts';

/** The environment in which a server is started. */
export interface ServerPlace {
  /** The variables of the owner: scrubbed for a child, and used to look up keys by name. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute; a relative `cwd` of a server is taken from here. */
  readonly cwd: string;
  /** Absolute; the folder for logins. */
  readonly stateDir: string;
  /** The version of Fettle. */
  readonly version: string;
  /** Asks a person about changes to what they accepted; undefined: nobody is there, and changes are withheld. */
  readonly askUser?: AskUser | undefined;
  /** Tells a person which servers are awaited, if they take longer than a second to start. */
  readonly onWait?: ((line: string) => void) | undefined;
}
