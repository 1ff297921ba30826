import {mkdir} from 'node:fs/promises';
import {join} from 'node:path';
import {FettleError} from '../../base/errors.ts';
import type {ExecEnvironment} from '../../exec/environment.ts';
import type {TerminalRequest} from '../../exec/terminal/terminal.ts';
import type {CommandSession} from './command-session.ts';
import {createLiveSessions, type LiveSessions} from '../live/live-sessions.ts';
import {startPiped, type PipedRequest, type PipedSession} from './piped-session.ts';
import {startWithTerminal} from './terminal-session.ts';

/** The commands of a thread that run beside its other work; its owner calls `endAll` when the thread ends. */
export interface CommandSessions {
  /** Starts a command. Throws LIMIT if 10 are already running, naming them, and the errors of the environment. */
  start(request: PipedRequest): Promise<PipedSession>;
  /** The same with a terminal. */
  open(request: TerminalRequest): Promise<CommandSession>;
  /** Throws NOT_FOUND, naming those that there are. */
  find(id: string): CommandSession;
  /** Returns all commands that were started; beyond 50, the oldest ended ones are dropped. */
  list(): readonly CommandSession[];
  /** Tracks the calls that wait for the sessions, and the actions of a person on them. */
  readonly live: LiveSessions;
  /** Ends all commands except those that outlive the thread, and returns these. */
  endAll(): Promise<readonly KeptCommand[]>;
}

/** A command that keeps running after its thread. */
export interface KeptCommand {
  readonly pid: number;
  readonly command: string;
  /** The file that receives further output; absolute. */
  readonly outputFile: string;
}

export interface SessionsOptions {
  readonly exec: Pick<ExecEnvironment, 'run' | 'openTerminal'>;
  /** Folder for the output of commands that outlive the thread. */
  readonly spoolDir: string;
}

const MAX_RUNNING = 10;
const MAX_KNOWN = 50;

export function createCommandSessions({exec, spoolDir}: SessionsOptions): CommandSessions {
  const sessions = new Map<string, CommandSession>();
  const live = createLiveSessions();
  const starting = new Set<Promise<CommandSession>>();
  const counts = {s: 0, t: 0};
  const nextId = (kind: 's' | 't') => (): string => `${kind}${(counts[kind] += 1)}`;
  const running = (): CommandSession[] => [...sessions.values()].filter((session) => session.ended() === undefined);

  const register = async <Session extends CommandSession>(start: () => Promise<Session>): Promise<Session> => {
    if (running().length + starting.size >= MAX_RUNNING) throw tooMany(running());
    const started = start();
    starting.add(started);
    try {
      const session = await started;
      sessions.set(session.id, session);
      const oldest = [...sessions.values()].find((other) => other.ended() !== undefined);
      if (sessions.size > MAX_KNOWN && oldest !== undefined) sessions.delete(oldest.id);
      live.add(session);
      return session;
    } finally {
      starting.delete(started);
    }
  };

  return {
    start: (request) => register(() => startPiped(exec, request, nextId('s'))),
    open: (request) => register(() => startWithTerminal(exec, request, nextId('t'))),
    find(id) {
      const session = sessions.get(id);
      if (session !== undefined) return session;
      const hint = sessions.size === 0 ? 'No command was started in the background.' : `Sessions: ${[...sessions.keys()].join(', ')}.`;
      throw new FettleError({code: 'NOT_FOUND', message: `There is no session "${id}".`, hint});
    },
    list: () => [...sessions.values()],
    live,
    async endAll() {
      await Promise.allSettled(starting);
      // Includes commands that have ended: they may have left processes.
      const all = [...sessions.values()];
      const kept = running().filter((session) => session.isKept);
      await Promise.all(all.filter((session) => !kept.includes(session)).map((session) => session.end()));
      const notes = await Promise.all(kept.map((session) => detach(session, spoolDir)));
      // An environment without support for this has ended the command instead.
      return notes.filter((_, index) => kept[index]?.ended()?.cancelled !== true);
    },
  };
}

/** Longest command in a message. */
const MAX_COMMAND_CHARS = 60;

function tooMany(running: readonly CommandSession[]): FettleError {
  const names = running.map(({id, command}) => `${id} (${command.replaceAll(/\s+/g, ' ').slice(0, MAX_COMMAND_CHARS)})`);
  return new FettleError({
    code: 'LIMIT',
    message: `${MAX_RUNNING} sessions are already running: ${names.join(', ')}.`,
    hint: 'Close one that is no longer needed.',
  });
}

async function detach(session: CommandSession, spoolDir: string): Promise<KeptCommand> {
  const {pid, command} = session;
  const outputFile = join(spoolDir, `kept-${pid}.log`);
  await mkdir(spoolDir, {recursive: true, mode: 0o700});
  await session.detach(outputFile);
  return {pid, command, outputFile};
}
