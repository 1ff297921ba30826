/** Asks a person; undefined in a context means that nobody is there. */
export type AskUser = (questions: readonly Question[], signal: AbortSignal) => Promise<Answers>;

/** One question with choices; a free text is always possible besides (vibe tool system › Ask User Question Tool). */
export interface Question {
  readonly question: string;
  /** A word or two, for a tab: at most 12 characters. */
  readonly header: string;
  readonly options: readonly Choice[];
  readonly multiSelect: boolean;
}

export interface Choice {
  readonly label: string;
  readonly description: string;
}

export interface Answers {
  /** In the order of the questions; empty when cancelled. */
  readonly answers: readonly Answer[];
  readonly cancelled: boolean;
}

export interface Answer {
  readonly question: string;
  /** The label chosen (several joined by `, `), or the free text. */
  readonly answer: string;
  readonly isOther: boolean;
}
