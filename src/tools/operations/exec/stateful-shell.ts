import {randomUUID} from 'node:crypto';
import {mkdir, readFile, realpath, rm} from 'node:fs/promises';
import {join, sep} from 'node:path';
import * as z from 'zod/mini';
import {createAsyncQueue} from '../../../base/async-queue.ts';
import type {ExecEnvironment} from '../../../exec/environment.ts';
import type {ToolContext} from '../../context.ts';
import {plainOperation} from '../../operation.ts';
import type {ToolStreamEvent} from '../../stream-event.ts';
import {commandResult} from './run-shell.ts';

const args = z.object({
  command: z.string(),
  timeoutMs: z.number(),
  /** Bytes of each stream that are kept for the result, from its beginning. */
  headBytes: z.number(),
});

const result = z.object({
  ...commandResult.shape,
  /** The folder in which the next command starts. */
  cwd: z.string(),
  /** True if the command left the workspace: the next one starts in its root again. */
  cwdReset: z.boolean(),
});

export type StatefulShellArgs = z.infer<typeof args>;
export type StatefulShellResult = z.infer<typeof result>;

/**
 * Runs a command line in the folder where the previous one ended: "Executes shell commands in a stateful
 * terminal session" (vibe tool system › Bash Tool). Only the working folder persists, as long as it is in the
 * workspace; rules evaluate the next line with it. Variables and functions do not persist: otherwise a rule that
 * allows `git status` would allow any program that an earlier PATH put in its place. Processes do not survive.
 */
export const statefulShell = plainOperation<StatefulShellArgs, StatefulShellResult>({
  id: 'exec.stateful',
  permission: 'bash',
  args,
  result,
  sideEffect: 'execute',
  isLine: true,
  subjects: async ({command}, ctx) => [{kind: 'command', command, cwd: await folderOf(ctx), workspace: ctx.workspace.root}],
  async *run({command, timeoutMs, headBytes}, ctx) {
    const noteDir = ctx.exec.scratchDir ?? ctx.spoolDir;
    const placeFile = join(noteDir, `cwd-${randomUUID()}`);
    await mkdir(noteDir, {recursive: true, mode: 0o700});
    // On the same line: the line numbers in messages of the shell stay right. A command that sets a trap of its own keeps the old folder.
    const shell = `trap 'pwd -P > ${quoted(placeFile)}' EXIT; ${command}`;
    const spec = {shell, cwd: await folderOf(ctx), timeoutMs, capture: {headBytes, tailBytes: 0}};
    const output = createAsyncQueue<ToolStreamEvent>();
    const running = ctx.exec.run(spec, ctx.signal, (stream, text) => output.push({type: 'output', stream, text}));
    running.then(output.end, output.fail);
    yield* output;
    const ended = await running;
    return {...ended, ...(await nextFolder(placeFile, ctx))};
  },
});

/** The current folder of the shell, by environment: a thread has one environment for its commands. */
const FOLDERS = new WeakMap<ExecEnvironment, string>();

/** Returns the start folder if the current one no longer exists. */
async function folderOf({exec}: ToolContext): Promise<string> {
  return await realpath(FOLDERS.get(exec) ?? exec.cwd).catch(() => exec.cwd);
}

async function nextFolder(placeFile: string, ctx: ToolContext): Promise<{cwd: string; cwdReset: boolean}> {
  const before = await folderOf(ctx);
  const written = await readFile(placeFile, 'utf8').catch(() => '');
  await rm(placeFile, {force: true});
  const cwd = written.endsWith('\n') ? await realpath(written.slice(0, -1)).catch(() => before) : before;
  const {root} = ctx.workspace;
  const isInside = cwd === root || cwd.startsWith(root + sep);
  FOLDERS.set(ctx.exec, isInside ? cwd : root);
  return {cwd: isInside ? cwd : root, cwdReset: !isInside};
}

function quoted(path: string): string {
  // Escaped for the single quotes of the trap.
  return `"${path.replaceAll(/["$`\\]/g, '\\$&').replaceAll("'", "'\\''")}"`;
}
