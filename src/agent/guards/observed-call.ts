/** One call of a reply, and its result. */
export interface ObservedCall {
  readonly toolName: string;
  /** The arguments as the model wrote them. */
  readonly arguments: string;
  /** Equal for two calls that ask for the same; absent: not compared yet. */
  readonly key?: string | undefined;
  readonly text: string;
  readonly isError: boolean;
  readonly isRead: boolean;
  /** The command line, where it was one. */
  readonly command?: string | undefined;
  /** It may wait for something that goes on without the model. */
  readonly mayWait?: boolean | undefined;
  /** True if it changed files. */
  readonly hasChanges?: boolean | undefined;
  /** The lines of a file that were read. */
  readonly shown?: ShownLines | undefined;
}

export interface ShownLines {
  readonly path: string;
  /** From 1. */
  readonly firstLine: number;
  readonly lines: readonly string[];
}

export interface ProgressVerdict {
  /** For the model. */
  readonly note?: string | undefined;
  /** Why the turn is over. */
  readonly stop?: string | undefined;
}

export function keyOf({key, toolName, arguments: args}: ObservedCall): string {
  return key ?? `${toolName}\n${args}`;
}
