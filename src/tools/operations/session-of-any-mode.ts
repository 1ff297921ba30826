import * as z from 'zod/mini';
import {FettleError} from '../../base/errors.ts';
import type {ToolContext} from '../context.ts';
import type {Operation, ToolStreamEvent} from '../operation.ts';
import {terminalSessions} from '../terminal-sessions.ts';
import {commandSession, sessionResult} from './command-session.ts';
import {seenTerminal, useTerminal} from './terminal-session.ts';

const args = z.object({
  action: z.enum(['look', 'write', 'list', 'close']),
  session: z.optional(z.string()),
  input: z.optional(z.string()),
  size: z.optional(z.object({columns: z.optional(z.number()), rows: z.optional(z.number())})),
  waitMs: z.number(),
});

const result = z.object({
  ...sessionResult.shape,
  /** A session with a terminal; then `seen` is null. */
  terminal: z.nullable(seenTerminal),
});

export type AnySessionArgs = z.infer<typeof args>;
export type AnySessionResult = z.infer<typeof result>;

/**
 * The sessions of both kinds: `s1` of a command that is watched, `t1` of one with a terminal. Throws UNAVAILABLE for typing into an `s1`.
 * Typing has no subject: what keys do is in no command line (`less` runs programs, too), so that a rule for the command that was started
 * does not cover it. A rule for this tool or for all of `bash` does. Everything else changes nothing but what the thread itself has started.
 */
export const sessionOfAnyMode: Operation<AnySessionArgs, AnySessionResult> = {
  id: 'exec.session.any',
  permission: 'bash',
  args,
  result,
  sideEffect: 'execute',
  lesser: ({action}) => (action === 'write' ? undefined : {permission: 'command_session', sideEffect: 'pure'}),
  subjects: async () => [],
  async *run({action, session: id = '', input, size, waitMs}, ctx): AsyncGenerator<ToolStreamEvent, AnySessionResult, undefined> {
    if (action !== 'list' && /^t\d+$/.test(id)) {
      return {terminal: await useTerminal({action, session: id, input, size, waitMs}, ctx), seen: null, sessions: []};
    }
    if (action === 'write') throw new FettleError(hasNoTerminal(id));
    const running = commandSession.run({action, session: id, waitMs}, ctx);
    const {seen, sessions} = Symbol.asyncIterator in running ? yield* running : await running;
    return {terminal: null, seen, sessions: [...sessions, ...(action === 'list' ? openTerminals(ctx) : [])]};
  },
};

function openTerminals({terminals}: ToolContext): AnySessionResult['sessions'] {
  if (terminals === undefined) return [];
  return terminalSessions(terminals)
    .list()
    .map((session) => ({session: session.id, command: session.command, ageMs: session.age(), isRunning: session.ended() === undefined}));
}

function hasNoTerminal(id: string): ConstructorParameters<typeof FettleError>[0] {
  return {code: 'UNAVAILABLE', message: `Session "${id}" has no terminal to type into.`, hint: 'Start the command with mode pty.'};
}
