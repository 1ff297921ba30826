import type {Output} from './output/output.ts';

/** Everything of the process that a command may use. */
export interface Io extends Output {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder to work in; '' if it was deleted and no other one is named. */
  readonly cwd: string;
  readonly home: string;
  /** True if stdin is a terminal. */
  readonly interactive: boolean;
  readStdin(): Promise<string>;
  /** stdin, if it is a pipe, a socket or a file: it may contain input beside the prompt. */
  piped(): NodeJS.ReadableStream | undefined;
}
