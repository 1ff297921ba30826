import * as z from 'zod/mini';
import {FettleError} from '../../../base/errors.ts';
import type {TerminalScreen} from '../../../exec/terminal/terminal.ts';
import type {CommandSession, SessionView} from '../../shells/command-session.ts';
import type {CommandSessions} from '../../shells/command-sessions.ts';
import type {ToolContext} from '../../context.ts';
import type {ToolOutput} from '../../stream-event.ts';
import {overrun} from './run-shell.ts';

const screen = z.object({
  /** The newest lines: scrollback, then the screen; empty lines at the end left out. */
  lines: z.array(z.string()),
  /** The number of lines before those. */
  above: z.number(),
  /** From 1, in `lines`; the line may be below the last one. */
  cursor: z.object({line: z.number(), column: z.number()}),
  /** Title set by the program; '' if it set none. */
  title: z.string(),
  columns: z.number(),
  rows: z.number(),
});

export const seenSession = z.object({
  session: z.string(),
  command: z.string(),
  pid: z.number(),
  /** True if the command keeps running after the thread. */
  kept: z.boolean(),
  ageMs: z.number(),
  /** Output since the last result; '' for a session with a terminal. */
  output: z.string(),
  /** Number of characters missing before the output, because too much was written at once. */
  dropped: z.number(),
  /** null without a terminal. */
  screen: z.nullable(screen),
  /** Actions of a person on the session since the last result, one line each; absent: none. */
  person: z.optional(z.array(z.string())),
  /** null while the command runs. */
  ended: z.nullable(
    z.object({
      /** null if a signal ended it. */
      exitCode: z.nullable(z.number()),
      signal: z.nullable(z.string()),
      timedOut: z.boolean(),
      cancelled: z.boolean(),
      overrun: z.optional(overrun),
      durationMs: z.number(),
    }),
  ),
});

export type SeenSession = z.infer<typeof seenSession>;

/** Yields events as they arrive until the command ends or the time is over; then returns the current output or screen. */
export async function* watched(
  session: CommandSession,
  waitMs: number,
  ctx: ToolContext,
): AsyncGenerator<ToolOutput, SeenSession, undefined> {
  const {live} = sessionsOf(ctx);
  const release = live.attach(session.id, ctx.callId);
  try {
    const watching = session.watch(AbortSignal.any([AbortSignal.timeout(waitMs), ctx.signal]));
    const view = Symbol.asyncIterator in watching ? yield* watching : await watching;
    return seenIn(session, view, live.takeNotes(session.id));
  } finally {
    release();
  }
}

function seenIn(session: CommandSession, view: SessionView, person: readonly string[]): SeenSession {
  return {
    session: session.id,
    command: session.command,
    pid: session.pid,
    kept: session.isKept,
    ageMs: session.age(),
    output: view.output,
    dropped: view.dropped,
    screen: view.screen === undefined ? null : shown(view.screen),
    ...(person.length === 0 ? {} : {person: [...person]}),
    ended: endOf(session),
  };
}

export function sessionsOf({sessions}: ToolContext): CommandSessions {
  if (sessions !== undefined) return sessions;
  const hint = 'Run the command to its end instead.';
  throw new FettleError({code: 'UNAVAILABLE', message: 'Nothing here could end a command that outlives its call.', hint});
}

/** A model needs the end of the scrollback, not all of it. */
const MAX_LINES = 200;

function shown({lines, cursor, title, columns, rows}: TerminalScreen): SeenSession['screen'] {
  const above = Math.max(0, lines.length - MAX_LINES);
  return {
    lines: lines.slice(above).map((line) => line.trimEnd()),
    above,
    cursor: {line: cursor.line - above + 1, column: cursor.column + 1},
    title,
    columns,
    rows,
  };
}

function endOf(session: CommandSession): SeenSession['ended'] {
  const ended = session.ended();
  if (ended === undefined) return null;
  const {exitCode, signal, timedOut, cancelled, durationMs} = ended;
  return {exitCode, signal, timedOut, cancelled, ...(ended.overrun === undefined ? {} : {overrun: ended.overrun}), durationMs};
}
