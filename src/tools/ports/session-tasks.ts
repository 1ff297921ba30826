/** The tasks that a session runs by itself while it is open: a model may add, list and remove them as a person may. */
export interface SessionTasks {
  /** Throws USAGE for a time that is not understood, past, or beyond the life of a task, and LIMIT where there are too many. */
  create(request: TaskRequest): Promise<CreatedTask>;
  /** By their next due time. */
  list(): readonly SessionTask[];
  /** Throws NOT_FOUND if there is no such task. */
  cancel(id: string): SessionTask;
}

/** A task as it is asked for; exactly one of `every`, `cron` and `at` says when. */
export interface TaskRequest {
  readonly prompt: string;
  /** Absent: the beginning of the prompt. */
  readonly name?: string | undefined;
  /** A span of time: `10m`, `2 hours`. */
  readonly every?: string | undefined;
  /** A cron expression of five fields, in the time zone of the session. */
  readonly cron?: string | undefined;
  /** A moment: `15:00`, `in 20 minutes`, RFC 3339. */
  readonly at?: string | undefined;
  /** True: the person is reminded of the text, and no model is asked. */
  readonly isReminder?: boolean | undefined;
}

export interface SessionTask {
  /** Eight hexadecimal digits. */
  readonly id: string;
  readonly name: string;
  readonly prompt: string;
  readonly isReminder: boolean;
  /** The timing in words: `every 2 hours`. */
  readonly timing: string;
  /** Milliseconds since 1970. */
  readonly nextDue: number;
  /** The next due time on the clock of the person: `2026-12-01 09:00`. */
  readonly next: string;
}

export interface CreatedTask extends SessionTask {
  /** Says that the interval is another one than was asked for. */
  readonly note?: string | undefined;
}
