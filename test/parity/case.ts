/** One promise of a seed about a tool, or about a parameter of it ('' for the tool as a whole). */
export interface ParityCase {
  readonly toolset: string;
  readonly tool: string;
  readonly parameter: string;
  readonly what: string;
  /** `<name of the seed> › <place>`, or the program that decides where the seeds are silent. */
  readonly seed: string;
}

/** A promise that is tried out: on these files, after these calls, this call gives exactly this text. */
export interface GoldenCase extends ParityCase {
  readonly files?: Readonly<Record<string, string>>;
  readonly before?: readonly (readonly [string, object])[];
  /** Under which name it is called, where it is not the published one. */
  readonly as?: string;
  readonly args: object;
  /** `<root>` is the folder, `<web>` a server. */
  readonly text: string | RegExp;
  readonly outcome?: string;
  /** Files as they are afterwards. */
  readonly leaves?: Readonly<Record<string, string>>;
}
