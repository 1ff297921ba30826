/** Asks a person to decide on a plan. */
export interface PlanQuestion {
  /** Markdown. */
  readonly plan: string;
  /** The file in which it may be changed. */
  readonly path?: string | undefined;
  readonly choices: readonly PlanChoice[];
}

export interface PlanChoice {
  readonly label: string;
  readonly description: string;
  /** False: the plan goes back. */
  readonly accepts: boolean;
}

/** A comment of a person on lines of the plan. */
export interface PlanComment {
  /** From 1, both included; absent: the whole plan. */
  readonly lines?: PlanRange | undefined;
  readonly text: string;
}

export interface PlanRange {
  readonly first: number;
  readonly last: number;
}

export interface PlanReply {
  /** The label of the choice. */
  readonly choice: string;
  readonly comments: readonly PlanComment[];
}
