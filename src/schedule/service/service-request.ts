/** Everything that the file of the service says. All paths are absolute. */
export interface ServiceRequest {
  /** The program of Node. */
  readonly node: string;
  /** The script that is the command `fettle`. */
  readonly launcher: string;
  /** Variables that the daemon and its runs need, such as PATH. */
  readonly variables: Readonly<Record<string, string>>;
  /** A file with further variables, one `NAME=value` a line, that may be missing: the place for keys. */
  readonly variablesFile: string;
  /** The log of the daemon, where the system has none for services. */
  readonly logFile: string;
}

export const DAEMON_WORDS: readonly string[] = ['schedule', 'daemon'];
