import * as z from 'zod/mini';
import type {CommandSession} from '../../shells/command-session.ts';
import {plainOperation} from '../../operation.ts';
import {seenSession, sessionsOf, watched} from './session-output.ts';

const args = z.object({
  /**
   * `look`: returns the output since the last look, or the screen of a terminal · `write`: sends keys to a
   * terminal, then like `look` · `close`: ends the session with everything it started · `list`: lists the sessions
   * of this thread.
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
 * Looks at, types into, resizes, ends or lists the commands that the thread has started. Throws NOT_FOUND for an
 * unknown one, UNAVAILABLE for typing into one that has ended or has no terminal. Typing has no subject: the
 * effect of keys is not in a command line (`less` runs programs, too), so a rule for the started command does
 * not cover it. A rule for this tool or for all of `bash` does. The other actions only affect sessions that the
 * thread itself has started.
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
