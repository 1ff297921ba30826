import type {LiveState} from '../live-commands/live-state.ts';

/** Settings for showing an entry of the conversation. */
export interface EntryView {
  readonly width: number;
  /** Milliseconds of the clock, for what still runs. */
  readonly now: number;
  /** With everything in it, as the pager shows it. */
  readonly isWhole: boolean;
  /** Paths below it are shown relative to it. */
  readonly root?: string | undefined;
  /** The commands that calls wait for, with their screens; absent: nothing is followed. */
  readonly live?: LiveState | undefined;
  /** Rows of the screen; absent: as many as it likes. */
  readonly rows?: number | undefined;
}
