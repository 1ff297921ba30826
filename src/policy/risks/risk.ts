/** A word that makes an otherwise harmless program run another one, write a file or load code (security: options are the hole). */
export interface Risk {
  /**
   * Index of the word. A rule covers a risk only if it names that word exactly. The number of words stands for the whole command: only a rule
   * without a star covers it; Infinity: only `*` does.
   */
  readonly index: number;
  readonly reason: string;
  /** True if the risk comes from the place of a path. */
  readonly isPlace?: true;
}
