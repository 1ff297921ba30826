/** The result of parsing a command line. */
export interface Parsing {
  /** The first word of the command line that is not an option. */
  readonly first: string | undefined;
  readonly result: {exitCode: number};
}

/** Takes the exit code of the command that ran. */
export type End = (exitCode: number) => void;
