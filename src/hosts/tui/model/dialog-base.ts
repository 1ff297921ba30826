/** The fields that every question on the screen has. */
export interface DialogBase {
  readonly id: string;
  /** The time at which the dialog was first shown: keys typed before, or without a pause since then, do not answer it. */
  readonly shownAt?: number | undefined;
  /** The person has answered with a first key: all others are meant for it, too. */
  readonly isArmed?: boolean | undefined;
}
