import * as z from 'zod/mini';
import {FettleError} from '../../../base/errors.ts';
import type {ToolContext} from '../../context.ts';
import {plainOperation, type PlainOperation} from '../../operation.ts';
import type {ToolStreamEvent} from '../../stream-event.ts';
import {runProgram} from './run-program.ts';
import {commandResult} from './run-shell.ts';
import {seenSession} from './session-output.ts';
import {startSession} from './start-session.ts';

const args = z.object({
  /**
   * terminal: runs to its end, on plain pipes · streaming: keeps running, and its output is read as it is written
   * · pty: has a terminal of its own.
   */
  mode: z.enum(['terminal', 'pty', 'streaming']),
  command: z.string(),
  /** Must be in the workspace. */
  cwd: z.optional(z.string()),
  timeoutMs: z.number(),
  /** streaming, pty: how long the call waits for output. */
  waitMs: z.number(),
  headBytes: z.number(),
  tailBytes: z.number(),
});

const result = z.object({
  mode: z.enum(['terminal', 'pty', 'streaming']),
  /** Set for a terminal; else null. */
  ended: z.nullable(commandResult),
  /** streaming, pty: the output or screen of the session; else null. */
  session: z.nullable(seenSession),
});

export type RunInModeArgs = z.infer<typeof args>;
export type RunInModeResult = z.infer<typeof result>;

/**
 * Runs a command in one of three modes ("vtcode architecture › CommandTool": exit code and output capture; sessions with a terminal;
 * streaming for long-lived tasks). Throws UNAVAILABLE for `pty` without pseudo-terminals.
 */
export const runInMode = plainOperation<RunInModeArgs, RunInModeResult>({
  id: 'exec.mode',
  permission: 'bash',
  args,
  result,
  sideEffect: 'execute',
  subjects: ({mode, ...options}, ctx) => startSession.subjects({...options, pty: mode === 'pty', keep: false}, ctx),
  async *run({mode, ...options}, ctx) {
    if (mode !== 'terminal') {
      const session = yield* generator(startSession, {...options, pty: mode === 'pty', keep: false}, ctx);
      return {mode, ended: null, session};
    }
    const {waitMs: _, command: line, ...spec} = options;
    const done = yield* generator(runProgram, {line, ...spec}, ctx);
    if (done.state === 'running') throw new FettleError({code: 'INTERNAL', message: 'The command was not waited for.'});
    return {mode, ended: done.ended, session: null};
  },
});

async function* generator<Args, Result>(
  operation: PlainOperation<Args, Result>,
  options: Args,
  ctx: ToolContext,
): AsyncGenerator<ToolStreamEvent, Result, undefined> {
  const running = operation.run(options, ctx);
  return Symbol.asyncIterator in running ? yield* running : await running;
}
