/** The plan of a thread as a file that people can read and change: the one that may be written in the mode plan. */
export interface PlanFile {
  /** From the root of the workspace. */
  readonly path: string;
  /** undefined: there is none yet. */
  read(): Promise<string | undefined>;
  /** Returns why it could not be written. */
  write(text: string): Promise<string | undefined>;
}
