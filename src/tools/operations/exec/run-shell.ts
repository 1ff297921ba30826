import * as z from 'zod/mini';
import {createAsyncQueue} from '../../../base/async-queue.ts';
import {plainOperation} from '../../operation.ts';
import type {ToolStreamEvent} from '../../stream-event.ts';

const args = z.object({
  command: z.string(),
  timeoutMs: z.number(),
  /** Bytes of each stream that are kept for the result, from its beginning and its end. */
  headBytes: z.number(),
  tailBytes: z.number(),
  /** A stream longer than this is also stored in a file, even if it fits in memory. */
  spillAbove: z.optional(z.number()),
});

const captured = z.object({
  head: z.string(),
  tail: z.string(),
  totalBytes: z.number(),
  totalLines: z.number(),
  truncated: z.boolean(),
  spillPath: z.union([z.string(), z.undefined()]),
  /** Output that is missing from the spill file. */
  spillLoss: z.optional(z.string()),
});

/** Schema of the resource limit that a command exceeded, in bytes. */
export const overrun = z.object({resource: z.enum(['memory', 'disk']), used: z.number(), limit: z.number()});

/** The end of a command, and its output. */
export const commandResult = z.object({
  /** null if a signal ended it. */
  exitCode: z.nullable(z.number()),
  signal: z.nullable(z.string()),
  timedOut: z.boolean(),
  cancelled: z.boolean(),
  /** The limit for which the command was ended. */
  overrun: z.optional(overrun),
  durationMs: z.number(),
  stdout: captured,
  stderr: captured,
});

export type RunShellArgs = z.infer<typeof args>;
export type RunShellResult = z.infer<typeof commandResult>;

/** Runs a command line with `bash -c` in the workspace; nothing that it started survives its end. */
export const runShell = plainOperation<RunShellArgs, RunShellResult>({
  id: 'exec.shell',
  permission: 'bash',
  args,
  result: commandResult,
  sideEffect: 'execute',
  isLine: true,
  subjects: async ({command}, ctx) => [{kind: 'command', command, cwd: ctx.exec.cwd, workspace: ctx.workspace.root}],
  async *run({command, timeoutMs, ...capture}, ctx) {
    const output = createAsyncQueue<ToolStreamEvent>();
    const spec = {shell: command, timeoutMs, capture};
    const running = ctx.exec.run(spec, ctx.signal, (stream, text) => output.push({type: 'output', stream, text}));
    running.then(output.end, output.fail);
    yield* output;
    return await running;
  },
});
