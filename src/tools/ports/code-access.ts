import type {CodeGraph} from '../../code/code-graph.ts';

/** The index of the code of the workspace, opened by the first call that needs it. */
export interface CodeAccess {
  /** The same one each time. Throws UNAVAILABLE if there can be none, with the reason. */
  open(signal: AbortSignal): Promise<CodeGraph>;
}
