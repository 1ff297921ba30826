/** When a job is due. All moments are milliseconds since 1970 (UTC). */
export type Timing =
  /** Every so many seconds, counted from the anchor; a change of the system clock or of daylight saving does not matter. */
  | {readonly kind: 'every'; readonly seconds: number; readonly anchor: number}
  /** A cron expression, in the local time of an IANA time zone. */
  | {readonly kind: 'cron'; readonly expression: string; readonly timeZone: string}
  | {readonly kind: 'at'; readonly at: number};
