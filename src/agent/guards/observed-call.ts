/** One call of a reply, and its result. */
export interface ObservedCall {
  readonly toolName: string;
  /** The arguments as the model wrote them. */
  readonly arguments: string;
  /** Equal for equivalent calls; absent: not computed yet. */
  readonly key?: string | undefined;
  readonly text: string;
  readonly isError: boolean;
  readonly isRead: boolean;
  /** The command line, if the call ran one. */
  readonly command?: string | undefined;
  /** True if the call may wait for something that goes on without the model. */
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
  /** A note for the model. */
  readonly note?: string | undefined;
  /** The reason why the turn is over. */
  readonly stop?: string | undefined;
}

export function keyOf({key, toolName, arguments: args}: ObservedCall): string {
  return key ?? `${toolName}\n${args}`;
}
