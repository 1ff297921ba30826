/** The command lines of a program that only look. A word that is not named here makes the line one that is asked about. */
export interface ReadOnlyForm {
  /** Short options without a value; they may be glued together. */
  readonly flags?: string;
  /** Short options with a value, glued or as the next word. */
  readonly values?: string;
  /** Long options without a value, or with one after `=`; blanks between them, no abbreviations. */
  readonly long?: string;
  /** Long options whose value is the next word, or follows `=`. */
  readonly longValues?: string;
  /** Further words that are fine as a whole: `-20`, `aux`. */
  readonly words?: RegExp;
  /** Words that are never fine: a value that leads elsewhere. */
  readonly refuse?: RegExp;
  /**
   * Kind of the operands. `files` (the default): they are read, so they must be in the workspace or in system folders; `names`: anything but
   * files; `none`: not allowed. An expression: each operand must match it, and none is a file.
   */
  readonly operands?: 'files' | 'names' | 'none' | RegExp;
  /** Operands are allowed only after one of these words. */
  readonly listedBy?: RegExp;
  /** One of these words is required. */
  readonly needs?: RegExp;
  /** A language or a bundle of options that is checked elsewhere: no word may be a risk (`program-risks.ts`). */
  readonly noRisks?: true;
}

/** Forms by the first words of the command; several with `, ` between them. */
export type ReadOnlyTable = Readonly<Record<string, ReadOnlyForm>>;
