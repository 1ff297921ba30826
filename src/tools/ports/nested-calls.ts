import type {SideEffect} from '../../protocol/side-effect.ts';

/** Calls of other tools from inside a call (batch): through the same dispatcher, with its permissions and bounds. */
export interface NestedCalls {
  /** The published name and the side effect of the tool that a call means; undefined if there is none. */
  find(name: string, input: unknown): Promise<{readonly name: string; readonly sideEffect: SideEffect} | undefined>;
  /** Throws DENIED for a tool that is not read-only; any other failure is a result. */
  run(name: string, input: unknown, signal: AbortSignal): Promise<NestedResult>;
}

export interface NestedResult {
  readonly text: string;
  readonly isError: boolean;
}
