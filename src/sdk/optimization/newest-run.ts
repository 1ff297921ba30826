import type {ThreadEvent, ThreadStarted} from '../../protocol/events.ts';
import {findSession} from '../../sessions/session-files.ts';
import {readLog} from '../../sessions/log-reader.ts';
import {threadIdFor} from '../thread/open-history.ts';
import type {OpenThreadOptions} from '../thread/thread-options.ts';

/** The run of a session that began last. */
export interface NewestRun {
  readonly model: string;
  readonly toolset: string;
  /** The edit dialect, where it was chosen automatically. */
  readonly dialect: string | undefined;
  /** The choices that were made automatically for this session, by their ids; a copy of a session has none of its own. */
  readonly choices: {readonly model?: string | undefined; readonly toolset?: string | undefined; readonly edit?: string | undefined};
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
      run = {
        model: event.model,
        toolset: event.toolset,
        dialect: event.edit_choice?.dialect,
        choices: idsOf(event),
        startedAt: ts,
        events: [],
      };
      events = [];
    }
    // What was taken back before a new turn was work of an earlier one.
    if (event.type === 'turn.started') events = events.filter(({type}) => type !== 'thread.rewound');
    if (JUDGED.has(event.type)) events.push(event);
  });
  return run === undefined ? undefined : {...run, events};
}

/** The newest run of the session that is resumed; undefined for a new one. */
export async function resumedRun(options: OpenThreadOptions): Promise<NewestRun | undefined> {
  if (options.resume === undefined) return undefined;
  return await newestRun(findSession(options.session.paths.stateDir, threadIdFor(options)).file);
}

function idsOf({forked_from: from, model_choice: model, toolset_choice: toolset, edit_choice: edit}: ThreadStarted): NewestRun['choices'] {
  return from === undefined ? {model: model?.choice, toolset: toolset?.choice, edit: edit?.choice} : {};
}

const JUDGED: ReadonlySet<ThreadEvent['type']> = new Set(['thread.completed', 'thread.rewound', 'turn.completed', 'turn.failed']);
