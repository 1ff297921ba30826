import type {ThreadEvent} from '../../protocol/events.ts';
import {readLog} from '../../sessions/log-reader.ts';

/** The run of a session that began last. */
export interface NewestRun {
  readonly model: string;
  /** The choice of its model, where `model = "auto"` made it for this session; a copy of a session has none of its own. */
  readonly choice: string | undefined;
  /** ISO 8601. */
  readonly startedAt: string;
  /** Its events that say how it ended, and what it took. */
  readonly events: readonly ThreadEvent[];
}

/** Reads the newest run from a session log; undefined if the log has no beginning. */
export async function newestRun(file: string): Promise<NewestRun | undefined> {
  let run: NewestRun | undefined;
  let events: ThreadEvent[] = [];
  await readLog(file, ({event, ts}) => {
    if (event.type === 'thread.started') {
      const choice = event.forked_from === undefined ? event.model_choice?.choice : undefined;
      run = {model: event.model, choice, startedAt: ts, events: []};
      events = [];
    }
    // What was taken back before a new turn was work of an earlier one.
    if (event.type === 'turn.started') events = events.filter(({type}) => type !== 'thread.rewound');
    if (JUDGED.has(event.type)) events.push(event);
  });
  return run === undefined ? undefined : {...run, events};
}

const JUDGED: ReadonlySet<ThreadEvent['type']> = new Set(['thread.completed', 'thread.rewound', 'turn.completed', 'turn.failed']);
