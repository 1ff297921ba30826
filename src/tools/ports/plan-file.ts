/** The plan of a thread as a file that people can read and change: the one that may be written in the mode plan. */
export interface PlanFile {
  /** From the root of the workspace. */
  readonly path: string;
  /** Returns undefined if there is no plan yet. */
  read(): Promise<string | undefined>;
  /** Returns why the file could not be written; undefined on success. */
  write(text: string): Promise<string | undefined>;
}
