/** Asks a person; undefined in a context if nobody is there. */
export type AskUser = (questions: readonly Question[], signal: AbortSignal) => Promise<Answers>;

/** One question with choices; a free answer is always possible, too (vibe tool system › Ask User Question Tool). */
export interface Question {
  readonly question: string;
  /** A word or two, for a tab: at most 12 characters. */
  readonly header: string;
  readonly options: readonly Choice[];
  readonly multiSelect: boolean;
  /** The text that the question is about, for hosts that support comments on its lines. `question` contains the text, too. */
  readonly review?: ReviewedText | undefined;
}

/** A text that a person accepts or sends back. */
export interface ReviewedText {
  /** Markdown. */
  readonly text: string;
  /** The file in which the person may change the text, from the root of the workspace. */
  readonly path?: string | undefined;
  /** Labels of the options that accept the text; the others send it back. */
  readonly accepts: readonly string[];
}

/** A comment of a person on lines of a reviewed text. */
export interface ReviewComment {
  /** The first and the last line, from 1; absent: the whole text. */
  readonly lines?: readonly [first: number, last: number] | undefined;
  readonly comment: string;
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
  /** Comments on the text; only for a question with `review`. */
  readonly comments?: readonly ReviewComment[] | undefined;
}
