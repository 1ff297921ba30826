import type {CodeGraph} from '../../code/code-graph.ts';

/** The index of the code of the workspace, opened by the first call that needs it. */
export interface CodeAccess {
  /** Returns the same index each time. Throws UNAVAILABLE with the reason if there cannot be one. */
  open(signal: AbortSignal): Promise<CodeGraph>;
}
