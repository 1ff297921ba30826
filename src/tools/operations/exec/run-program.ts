import * as z from 'zod/mini';
import {createAsyncQueue} from '../../../base/async-queue.ts';
import {FettleError} from '../../../base/errors.ts';
import type {CommandSpec} from '../../../exec/process/command.ts';
import type {ToolContext} from '../../context.ts';
import {plainOperation} from '../../operation.ts';
import type {ToolStreamEvent} from '../../stream-event.ts';
import {commandResult, type RunShellResult} from './run-shell.ts';

const args = z.object({
  /** The command line as rules and people see it; run by a shell unless `program` is set. */
  line: z.string(),
  /** A program with its arguments, started without a shell. */
  program: z.optional(z.object({name: z.string(), args: z.array(z.string())})),
  /** Working folder, inside the workspace. Absent: the folder of the environment. */
  cwd: z.optional(z.string()),
  timeoutMs: z.number(),
  /** The longest time to wait; a command that still runs then continues as a session. Absent: waits for its end. */
  waitMs: z.optional(z.number()),
  /** Bytes of each stream that are kept for the result, from its beginning and its end. */
  headBytes: z.number(),
  tailBytes: z.number(),
});

const result = z.union([
  z.object({state: z.literal('ended'), ended: commandResult}),
  z.object({
    state: z.literal('running'),
    session: z.string(),
    pid: z.number(),
    waitedMs: z.number(),
    stdout: z.string(),
    stderr: z.string(),
  }),
]);

export type RunProgramArgs = z.infer<typeof args>;
export type RunProgramResult = z.infer<typeof result>;

/** Runs a command line or a program somewhere in the workspace, to its end, or as a session that the end of the thread ends. */
export const runProgram = plainOperation<RunProgramArgs, RunProgramResult>({
  id: 'exec.program',
  permission: 'bash',
  args,
  result,
  sideEffect: 'execute',
  async subjects({line, cwd}, ctx) {
    return [{kind: 'command', command: line, cwd: await folderOf(cwd, ctx), workspace: ctx.workspace.root}];
  },
  async *run({line, program, cwd, timeoutMs, waitMs, headBytes, tailBytes}, ctx) {
    const what = program === undefined ? {shell: line} : {program: program.name, args: program.args};
    const spec: CommandSpec = {...what, cwd: await folderOf(cwd, ctx), timeoutMs, capture: {headBytes, tailBytes}};
    if (waitMs !== undefined) return yield* started({line, spec: {...spec, timeoutMs: NO_LIMIT_MS}, waitMs}, ctx);
    const output = createAsyncQueue<ToolStreamEvent>();
    const running = ctx.exec.run(spec, ctx.signal, (stream, text) => output.push({type: 'output', stream, text}));
    running.then(output.end, output.fail);
    yield* output;
    return ended(await running);
  },
});

/** As long as a timer can wait: 24 days. The thread ends before that. */
const NO_LIMIT_MS = 2 ** 31 - 1;

async function folderOf(cwd: string | undefined, ctx: ToolContext): Promise<string> {
  return cwd === undefined ? ctx.exec.cwd : (await ctx.workspace.resolve(cwd, {scope: 'inside', forWrite: false})).path;
}

interface Start {
  readonly line: string;
  readonly spec: CommandSpec;
  readonly waitMs: number;
}

async function* started({line, spec, waitMs}: Start, ctx: ToolContext): AsyncGenerator<ToolStreamEvent, RunProgramResult, undefined> {
  if (ctx.sessions === undefined) {
    const hint = 'Run it with blocking: true.';
    throw new FettleError({code: 'UNAVAILABLE', message: 'Nothing here could end a command that runs in the background.', hint});
  }
  const session = await ctx.sessions.start({command: line, spec});
  const written = {stdout: '', stderr: ''};
  const pieces = session.watch(AbortSignal.any([AbortSignal.timeout(waitMs), ctx.signal]));
  for (let step = await pieces.next(); step.done !== true; step = await pieces.next()) {
    const {stream, text} = step.value;
    if (stream !== 'progress') written[stream] += text;
    yield step.value;
  }
  const done = session.ended();
  if (done !== undefined) return ended(done);
  if (!ctx.signal.aborted) return {state: 'running', session: session.id, pid: session.pid, waitedMs: waitMs, ...written};
  await session.end();
  throw new FettleError({code: 'CANCELLED', message: 'Cancelled.'});
}

function ended(result: RunShellResult): RunProgramResult {
  return {state: 'ended', ended: result};
}
