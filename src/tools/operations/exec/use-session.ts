import * as z from 'zod/mini';
import type {CommandSession} from '../../shells/command-session.ts';
import {plainOperation} from '../../operation.ts';
import {seenSession, sessionsOf, watched} from './session-output.ts';

const args = z.object({
  /**
   * `look`: what was written since the last look, of a terminal the screen · `write`: keys for a terminal, then as `look` · `close`: ends
   * it, with everything it started · `list`: all that this thread has started.
   */
  action: z.enum(['look', 'write', 'close', 'list']),
  session: z.optional(z.string()),
  /** Text, with `<C-c>`, `<Up>` and the like for keys. */
  input: z.optional(z.string()),
  /** A new size of the terminal, before anything else. */
  size: z.optional(z.object({columns: z.optional(z.number()), rows: z.optional(z.number())})),
  waitMs: z.number(),
});

const result = z.object({
  /** null for `list`. */
  seen: z.nullable(seenSession),
  sessions: z.array(z.object({session: z.string(), command: z.string(), ageMs: z.number(), isRunning: z.boolean(), kept: z.boolean()})),
});

export type UseSessionArgs = z.infer<typeof args>;
export type UseSessionResult = z.infer<typeof result>;

/**
 * Looks at, types into, resizes, ends or lists the commands that the thread has started. Throws NOT_FOUND for an unknown one, UNAVAILABLE
 * for typing into one that has ended or has no terminal.
 * Typing has no subject: what keys do is in no command line (`less` runs programs, too), so that a rule for the command that was started
 * does not cover it. A rule for this tool or for all of `bash` does. Everything else changes nothing but what the thread itself has started.
 */
export const useSession = plainOperation<UseSessionArgs, UseSessionResult>({
  id: 'exec.session',
  permission: 'bash',
  args,
  result,
  sideEffect: 'execute',
  effectiveCall: ({action}) => (action === 'write' ? undefined : {permission: 'command_session', sideEffect: 'pure'}),
  subjects: async () => [],
  async *run({action, session: id = '', input, size, waitMs}, ctx) {
    const sessions = sessionsOf(ctx);
    if (action === 'list') return {seen: null, sessions: sessions.list().map(overview)};
    const session = sessions.find(id);
    if (action === 'close') await session.end();
    else if (size !== undefined) session.resize(size);
    if (action === 'write' && input !== undefined) await session.write(input);
    return {seen: yield* watched(session, waitMs, ctx), sessions: []};
  },
});

function overview(session: CommandSession): UseSessionResult['sessions'][number] {
  const {id, command, isKept} = session;
  return {session: id, command, ageMs: session.age(), isRunning: session.ended() === undefined, kept: isKept};
}
