/** The fields that every question on the screen has. */
export interface DialogBase {
  readonly id: string;
  /** When it was first on the screen: keys typed before, or without a pause since, do not answer it. */
  readonly shownAt?: number | undefined;
  /** The person has answered with a first key: all others are meant for it, too. */
  readonly isArmed?: boolean | undefined;
}
