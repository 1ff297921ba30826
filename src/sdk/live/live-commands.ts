import {FettleError} from '../../base/errors.ts';
import {createRedactor} from '../../base/redact.ts';
import type {LiveCommand, LiveContent} from '../../protocol/live-command.ts';
import type {CommandSession} from '../../tools/shells/command-session.ts';
import type {CommandSessions} from '../../tools/shells/command-sessions.ts';
import {assertArguments} from '../arguments/check-arguments.ts';
import {redactContent} from './redact-content.ts';
import {LIVE_ARGUMENTS} from './live-arguments.ts';
import {createThrottle} from './throttle.ts';

/** The commands of a thread that keep running after their call: servers, watchers, programs with a terminal. Their output is not logged. */
export interface LiveCommands {
  /** Returns the newest 50 commands, oldest first, including those that have ended. */
  list(): readonly LiveCommand[];
  /**
   * Reports the list whenever a command starts or ends, or another call waits for it; at most 20 times a second.
   * Returns a function that stops the reports.
   */
  onChange(listener: (commands: readonly LiveCommand[]) => void): () => void;
  /**
   * Reports the display of a command at once, and again whenever it changes, at most 20 times a second. Each
   * report is complete: the cells of its screen, or the newest 16,384 characters of its output. Returns a function
   * that stops the reports. Throws NOT_FOUND for an unknown command.
   */
  watch(id: string, listener: (content: LiveContent) => void): () => void;
  /**
   * Types into a command with a terminal, for a person: bytes as a terminal sends them, at most 65,536. The model is told that the person
   * typed, but not the text. Throws NOT_FOUND, LIMIT, and UNAVAILABLE if the command has ended or has no terminal.
   */
  type(id: string, bytes: string): void;
  /** Ends a command with everything it started, for a person; the model is notified. Throws NOT_FOUND. */
  end(id: string): Promise<void>;
}

export interface LiveOptions {
  readonly sessions: CommandSessions | undefined;
  readonly secrets: readonly string[] | undefined;
  /** Called when a person did something: earlier verification may no longer hold. */
  readonly onAct: () => void;
}

/** Milliseconds. */
const EVERY = 50;
const MAX_TYPED = 65_536;

export function createLiveCommands({sessions, secrets, onAct}: LiveOptions): LiveCommands {
  if (sessions === undefined) return NONE;
  const redactor = createRedactor({secrets, shapes: true});
  const list = (): readonly LiveCommand[] =>
    sessions.list().map((session) => commandOf(session, sessions.live.calls(session.id), redactor.text));
  return {
    list,
    onChange(listener) {
      assertArguments('thread.live.onChange', LIVE_ARGUMENTS.onChange, [listener]);
      const throttle = createThrottle(() => listener(list()), EVERY);
      return stopping(throttle.stop, sessions.live.onChange(throttle.ask));
    },
    watch(id, listener) {
      assertArguments('thread.live.watch', LIVE_ARGUMENTS.watch, [id, listener]);
      const session = sessions.find(id);
      const throttle = createThrottle(() => listener(redactContent(session.live(), redactor)), EVERY);
      throttle.ask();
      return stopping(throttle.stop, session.onLive(throttle.ask));
    },
    type(id, bytes) {
      assertArguments('thread.live.type', LIVE_ARGUMENTS.type, [id, bytes]);
      const session = sessions.find(id);
      if (bytes.length > MAX_TYPED) throw new FettleError(TOO_COMPLEX);
      session.type(bytes);
      sessions.live.note(id, {type: 'typed', keys: keysIn(bytes)});
      onAct();
    },
    async end(id) {
      assertArguments('thread.live.end', LIVE_ARGUMENTS.end, [id]);
      const session = sessions.find(id);
      if (session.ended() !== undefined) return;
      sessions.live.note(id, {type: 'ended'});
      await session.end();
      onAct();
    },
  };
}

const TOO_COMPLEX = {
  code: 'LIMIT',
  message: `More than ${MAX_TYPED} characters cannot be typed at once.`,
  hint: 'Write them into a file.',
} as const;

/** The functions of a thread without background commands. */
const NONE: LiveCommands = {
  list: () => [],
  onChange: () => () => undefined,
  watch: (id) => unknown(id),
  type: (id) => unknown(id),
  end: async (id) => unknown(id),
};

function unknown(id: string): never {
  throw new FettleError({code: 'NOT_FOUND', message: `There is no session "${id}".`});
}

function stopping(...stops: readonly (() => void)[]): () => void {
  return () => {
    for (const stop of stops) stop();
  };
}

function commandOf(session: CommandSession, calls: readonly string[], redacted: (text: string) => string): LiveCommand {
  const ended = session.ended();
  return {
    id: session.id,
    command: redacted(session.command),
    pid: session.pid,
    isInteractive: session.isInteractive,
    isKept: session.isKept,
    ageMs: session.age(),
    ...(ended === undefined
      ? {}
      : {end: {exitCode: ended.exitCode, signal: ended.signal, timedOut: ended.timedOut, cancelled: ended.cancelled}}),
    calls,
  };
}

/** Each character is a key, a sequence that begins with Esc as a whole; marks around a paste are none. */
function keysIn(bytes: string): number {
  // oxlint-disable-next-line no-control-regex -- the sequences that a terminal sends
  const keys = bytes.replaceAll(/\x1b\[20[01]~/g, '').replaceAll(/\x1b(?:\[[\d;]*[@-~]|O[@-~]|[^[O])/g, 'x');
  return Array.from(keys).length;
}
