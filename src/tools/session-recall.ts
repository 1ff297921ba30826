/** What can be had of the log of a session that left the conversation. */
export interface SessionRecall {
  /** Items by their numbers, from 1, both included, as text. */
  show(from: number, to: number): Promise<readonly string[]>;
  /** Passages in which words stand, the best first. */
  search(wanted: RecallQuery): Promise<readonly RecalledPassage[]>;
}

export interface RecallQuery {
  readonly query: string;
  /** Only results of this tool, or `person` for what the person said. */
  readonly tool?: string | undefined;
  /** Only calls that name this file, or a part of its path. */
  readonly file?: string | undefined;
}

export interface RecalledPassage {
  /** The item's number in the log. */
  readonly item: number;
  /** The item's kind, or the call that it is the result of. */
  readonly about: string;
  readonly text: string;
}
