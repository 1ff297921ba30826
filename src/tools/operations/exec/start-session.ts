import * as z from 'zod/mini';
import {FettleError} from '../../../base/errors.ts';
import type {CommandSession} from '../../shells/command-session.ts';
import type {ToolContext} from '../../context.ts';
import {plainOperation} from '../../operation.ts';
import {seenSession, sessionsOf, watched, type SeenSession} from './session-output.ts';

const args = z.object({
  command: z.string(),
  /** True: the command gets a terminal, for programs that ask, draw or wait. */
  pty: z.boolean(),
  /** True: the command keeps running after the thread, which needs a permission of its own. Not with a terminal. */
  keep: z.boolean(),
  /** Working folder, inside the workspace. Absent: the folder of the environment. */
  cwd: z.optional(z.string()),
  timeoutMs: z.number(),
  /** Time after which the result is returned, if the command has not ended; a terminal returns its screen once it is drawn. */
  waitMs: z.number(),
  headBytes: z.number(),
  tailBytes: z.number(),
});

export type StartSessionArgs = z.infer<typeof args>;

/**
 * Starts a command that runs until it ends by itself, its time is over, it is closed, or the thread ends ("vtcode architecture ›
 * CommandTool": streaming support for long-lived shell tasks with cancellation, PTY session management for interactive commands).
 */
export const startSession = plainOperation<StartSessionArgs, SeenSession>({
  id: 'exec.start',
  permission: 'bash',
  args,
  result: seenSession,
  sideEffect: 'execute',
  background: ({keep}) => keep,
  async subjects({command, cwd, keep, pty}, ctx) {
    if (keep) requireKeepable(pty, ctx);
    return [{kind: 'command', command, cwd: await folderOf(cwd, ctx), workspace: ctx.workspace.root}];
  },
  async *run(options, ctx) {
    const session = await start(options, ctx);
    const seen = yield* watched(session, options.waitMs, ctx);
    if (!ctx.signal.aborted || session.ended() !== undefined) return seen;
    await session.end();
    // Does not wait: the command has ended.
    const last = yield* watched(session, 0, ctx);
    return {...last, output: seen.output + last.output};
  },
});

/** The size until the program or the model asks for another one. */
const SIZE = {columns: 100, rows: 30};

async function start(options: StartSessionArgs, ctx: ToolContext): Promise<CommandSession> {
  const {command, pty, keep, timeoutMs, headBytes, tailBytes} = options;
  const sessions = sessionsOf(ctx);
  const cwd = await folderOf(options.cwd, ctx);
  if (keep && ctx.exec.scratchDir !== undefined) {
    const message = 'A command in the sandbox cannot outlive the thread.';
    throw new FettleError({code: 'BAD_ARGS', message, hint: 'Start it without keeping it.'});
  }
  if (!pty) return await sessions.start({command, spec: {shell: command, cwd, timeoutMs, capture: {headBytes, tailBytes}}, keep});
  return await sessions.open({command, cwd, timeoutMs, ...SIZE});
}

/** Throws before anybody is asked whether the command may outlive the session. */
function requireKeepable(pty: boolean, {exec}: ToolContext): void {
  if (pty) {
    const message = 'A command with a terminal cannot outlive the thread.';
    throw new FettleError({code: 'BAD_ARGS', message, hint: 'Start it without pty.'});
  }
  if (exec.scratchDir === undefined) return;
  const message = 'Commands run in a sandbox, which ends with the session: none can outlive it.';
  throw new FettleError({code: 'UNAVAILABLE', message, hint: 'Start it without keep, and tell the user how to start it themselves.'});
}

async function folderOf(cwd: string | undefined, ctx: ToolContext): Promise<string> {
  return cwd === undefined ? ctx.exec.cwd : (await ctx.workspace.resolve(cwd, {scope: 'inside', forWrite: false})).path;
}
