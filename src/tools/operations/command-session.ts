import * as z from 'zod/mini';
import {FettleError} from '../../base/errors.ts';
import {commandSessions, type CommandSession, type CommandSessions} from '../command-sessions.ts';
import type {ToolContext} from '../context.ts';
import type {Operation, ToolOutput} from '../operation.ts';
import {commandResult} from './run-shell.ts';

const startArgs = z.object({
  command: z.string(),
  /** Where it runs; must lie in the workspace. Absent: the folder of the environment. */
  cwd: z.optional(z.string()),
  timeoutMs: z.number(),
  /** What it has written after so long, or by its end, is in the result. */
  waitMs: z.number(),
  headBytes: z.number(),
  tailBytes: z.number(),
});

const seen = z.object({
  session: z.string(),
  command: z.string(),
  /** What was written since it was last looked at, both streams in the order they came. */
  output: z.string(),
  /** Characters that were written before and are not in the output: too much came at once. */
  dropped: z.number(),
  ageMs: z.number(),
  /** null while it runs. */
  ended: z.nullable(commandResult),
});

export type StartCommandArgs = z.infer<typeof startArgs>;
export type SeenCommand = z.infer<typeof seen>;

/**
 * Starts a command that goes on until it ends by itself, its time is over, it is closed or the thread ends
 * ("vtcode architecture › CommandTool": streaming support for long-lived shell tasks with cancellation).
 */
export const startCommand: Operation<StartCommandArgs, SeenCommand> = {
  id: 'exec.start',
  permission: 'bash',
  args: startArgs,
  result: seen,
  sideEffect: 'execute',
  async subjects({command, cwd}, ctx) {
    return [{kind: 'command', command, cwd: await folderOf(cwd, ctx), workspace: ctx.workspace.root}];
  },
  async *run({command, cwd, timeoutMs, waitMs, headBytes, tailBytes}, ctx) {
    const spec = {shell: command, cwd: await folderOf(cwd, ctx), timeoutMs, capture: {headBytes, tailBytes}};
    const session = await sessionsOf(ctx).start(spec);
    const result = yield* watched(session, waitMs, ctx);
    if (!ctx.signal.aborted) return result;
    await session.end();
    return {...result, ended: session.ended() ?? null};
  },
};

const sessionArgs = z.object({
  /** `look`: what was written since the last look · `close`: ends it, with everything it started · `list`: all that this thread has started. */
  action: z.enum(['look', 'close', 'list']),
  session: z.optional(z.string()),
  waitMs: z.number(),
});

export const sessionResult = z.object({
  /** null for `list`. */
  seen: z.nullable(seen),
  sessions: z.array(z.object({session: z.string(), command: z.string(), ageMs: z.number(), isRunning: z.boolean()})),
});

export type CommandSessionArgs = z.infer<typeof sessionArgs>;
export type CommandSessionResult = z.infer<typeof sessionResult>;

/** Looks at, ends or lists the commands that the thread has started. Throws NOT_FOUND for an unknown one. */
export const commandSession: Operation<CommandSessionArgs, CommandSessionResult> = {
  id: 'exec.session',
  permission: 'command_session',
  args: sessionArgs,
  result: sessionResult,
  sideEffect: 'pure',
  subjects: async () => [],
  async *run({action, session, waitMs}, ctx) {
    const sessions = sessionsOf(ctx);
    if (action === 'list') return {seen: null, sessions: sessions.list().map(overview)};
    const found = sessions.find(session ?? '');
    if (action === 'look') return {seen: yield* watched(found, waitMs, ctx), sessions: []};
    await found.end();
    return {seen: seenNow(found, found.take()), sessions: []};
  },
};

function overview(session: CommandSession): CommandSessionResult['sessions'][number] {
  return {session: session.id, command: session.command, ageMs: session.age(), isRunning: session.ended() === undefined};
}

function sessionsOf({jobs}: ToolContext): CommandSessions {
  if (jobs !== undefined) return commandSessions(jobs);
  const hint = 'Run the command to its end instead.';
  throw new FettleError({code: 'UNAVAILABLE', message: 'Nothing here would end a command that goes on after its call.', hint});
}

/** Events as they come, until the command ends or the time to wait is over. */
async function* watched(session: CommandSession, waitMs: number, ctx: ToolContext): AsyncGenerator<ToolOutput, SeenCommand, undefined> {
  const pieces: ToolOutput[] = [];
  const enough = AbortSignal.any([AbortSignal.timeout(waitMs), ctx.signal]);
  for (;;) {
    for (const piece of session.take()) {
      pieces.push(piece);
      yield piece;
    }
    if (session.ended() !== undefined || enough.aborted) break;
    await session.changed(enough);
  }
  return seenNow(session, [...pieces, ...session.take()]);
}

function seenNow(session: CommandSession, pieces: readonly ToolOutput[]): SeenCommand {
  return {
    session: session.id,
    command: session.command,
    output: pieces.map(({text}) => text).join(''),
    dropped: session.dropped(),
    ageMs: session.age(),
    ended: session.ended() ?? null,
  };
}

async function folderOf(cwd: string | undefined, ctx: ToolContext): Promise<string> {
  return cwd === undefined ? ctx.exec.cwd : (await ctx.workspace.resolve(cwd, {scope: 'inside', forWrite: false})).path;
}
