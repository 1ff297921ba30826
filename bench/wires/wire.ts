/** A call that the model asks for in one turn. */
export interface PlannedCall {
  readonly name: string;
  /** The arguments; a text is the input of a tool that takes free text instead. */
  readonly arguments: Readonly<Record<string, unknown>> | string;
}

/** A wire format: which requests are for it, and an answer in it. */
export interface Wire {
  readonly path: RegExp;
  /** Returns the body of a stream that asks for the call, or that says "Done." without one. The index numbers the answers of a run. */
  answer(call: PlannedCall | undefined, index: number): string;
}

/** Writes values as server-sent events. */
export function events(values: readonly object[]): string {
  return values.map((value) => `data: ${JSON.stringify(value)}\n\n`).join('');
}
