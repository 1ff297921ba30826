import * as z from 'zod/mini';
import {FettleError} from '../../base/errors.ts';
import type {ToolContext} from '../context.ts';
import {terminalSessions, type TerminalSession, type TerminalSessions} from '../terminal-sessions.ts';

export const seenTerminal = z.object({
  session: z.string(),
  command: z.string(),
  /** The newest lines: what scrolled away, then the screen; empty lines at the end left out. */
  lines: z.array(z.string()),
  /** How many lines came before those. */
  above: z.number(),
  /** From 1, in `lines`; the line may be below the last one. */
  cursor: z.object({line: z.number(), column: z.number()}),
  ageMs: z.number(),
  /** null while it runs. The signal is a number, 0 for none. */
  ended: z.nullable(z.object({exitCode: z.number(), signal: z.number()})),
});

export type SeenTerminal = z.infer<typeof seenTerminal>;

/** Until a program or the model asks for another one. */
const SIZE = {columns: 100, rows: 30};

/** Starts a command in a terminal of its own ("vtcode architecture › CommandTool": PTY session management for interactive commands). */
export async function startTerminal({command, cwd, waitMs}: TerminalStart, ctx: ToolContext): Promise<SeenTerminal> {
  const folder = cwd === undefined ? ctx.exec.cwd : (await ctx.workspace.resolve(cwd, {scope: 'inside', forWrite: false})).path;
  const session = await terminalsOf(ctx).start({command, cwd: folder, ...SIZE});
  await session.settled(AbortSignal.any([AbortSignal.timeout(waitMs), ctx.signal]));
  if (ctx.signal.aborted) await session.end();
  return seenNow(session);
}

interface TerminalUse {
  /** `look`: the screen, once it has changed · `write`: a new size, keys, then the screen · `close`: ends it, with everything it started. */
  readonly action: 'look' | 'write' | 'close';
  readonly session: string;
  /** Text, with `<C-c>`, `<Up>` and the like for keys. */
  readonly input?: string | undefined;
  readonly size?: {readonly columns?: number | undefined; readonly rows?: number | undefined} | undefined;
  readonly waitMs: number;
}

/** Looks at, types into or closes a terminal. Throws NOT_FOUND for an unknown one, UNAVAILABLE for keys to one that has ended. */
export async function useTerminal({action, session: id, input, size, waitMs}: TerminalUse, ctx: ToolContext): Promise<SeenTerminal> {
  const session = terminalsOf(ctx).find(id);
  if (action === 'close') await session.end();
  if (action === 'write' && size !== undefined) session.resize(size);
  if (action === 'write' && input !== undefined) await session.write(input);
  await session.settled(AbortSignal.any([AbortSignal.timeout(waitMs), ctx.signal]));
  return seenNow(session);
}

function terminalsOf({terminals}: ToolContext): TerminalSessions {
  if (terminals !== undefined) return terminalSessions(terminals);
  const hint = 'Run the command to its end instead.';
  throw new FettleError({code: 'UNAVAILABLE', message: 'Nothing here would end a terminal that stays open after its call.', hint});
}

interface TerminalStart {
  readonly command: string;
  /** Where it runs; must lie in the workspace. Absent: the folder of the environment. */
  readonly cwd?: string | undefined;
  /** The longest that is waited for the screen to be drawn, in milliseconds. */
  readonly waitMs: number;
}

/** A model needs the end of what scrolled by, and not all of it. */
const MAX_LINES = 200;

async function seenNow(session: TerminalSession): Promise<SeenTerminal> {
  const {lines, cursor} = await session.screen();
  const above = Math.max(0, lines.length - MAX_LINES);
  const ended = session.ended();
  return {
    session: session.id,
    command: session.command,
    lines: lines.slice(above).map((line) => line.trimEnd()),
    above,
    cursor: {line: cursor.line - above + 1, column: cursor.column + 1},
    ageMs: session.age(),
    ended: ended === undefined ? null : {exitCode: ended.exitCode, signal: ended.signal ?? 0},
  };
}
