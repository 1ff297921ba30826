import type {SideEffect} from '../protocol/side-effect.ts';

/** Calls of other tools from inside a call (batch): through the same dispatcher, with its permissions and bounds. */
export interface NestedCalls {
  /** The published name and the side effect of a tool; undefined where the name is unknown. */
  find(name: string): {readonly name: string; readonly sideEffect: SideEffect} | undefined;
  run(name: string, input: unknown, signal: AbortSignal): Promise<NestedResult>;
}

export interface NestedResult {
  readonly text: string;
  readonly isError: boolean;
}
