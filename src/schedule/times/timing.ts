/** When a job is due. All moments are milliseconds since 1970 (UTC). */
export type Timing =
  /** Every so many seconds, counted from the anchor, whatever the clocks on the wall do. */
  | {readonly kind: 'every'; readonly seconds: number; readonly anchor: number}
  /** A cron expression, read by the clock on the wall of an IANA time zone. */
  | {readonly kind: 'cron'; readonly expression: string; readonly timeZone: string}
  | {readonly kind: 'at'; readonly at: number};
