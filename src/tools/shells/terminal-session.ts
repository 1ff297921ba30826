import {FettleError} from '../../base/errors.ts';
import type {ExecEnvironment} from '../../exec/environment.ts';
import type {CommandTerminal, TerminalRequest} from '../../exec/terminal/terminal.ts';
import type {CommandSession} from './command-session.ts';
import {terminalKeys} from './terminal-keys.ts';

/** Starts a session with a terminal of its own. Throws the errors of the environment. */
export async function startWithTerminal(
  exec: Pick<ExecEnvironment, 'openTerminal'>,
  request: TerminalRequest,
  nextId: () => string,
): Promise<CommandSession> {
  const terminal = await exec.openTerminal(request);
  const id = nextId();
  const began = performance.now();
  let size = {columns: request.columns, rows: request.rows};
  let lasted: number | undefined;
  const age = (): number => lasted ?? performance.now() - began;
  void terminal.done.then(async () => {
    lasted = age();
    await terminal.end();
  });
  const requireRunning = (): void => {
    if (terminal.ended() === undefined) return;
    throw new FettleError({code: 'UNAVAILABLE', message: `Session ${id} has ended.`, hint: 'Start the command again.'});
  };
  return {
    id,
    command: request.command,
    pid: terminal.pid,
    isInteractive: true,
    isKept: false,
    ended() {
      const ended = terminal.ended();
      return ended === undefined ? undefined : {...ended, durationMs: age()};
    },
    age,
    async watch(signal) {
      await untilQuiet(terminal, signal);
      return {output: '', dropped: 0, screen: await terminal.screen()};
    },
    async write(input) {
      const keys = terminalKeys(input, await terminal.screen());
      requireRunning();
      terminal.write(keys);
    },
    live: () => ({type: 'screen', screen: terminal.cells()}),
    onLive: terminal.onDrawn,
    type(bytes) {
      requireRunning();
      terminal.write(bytes);
    },
    resize({columns = size.columns, rows = size.rows}) {
      requireRunning();
      terminal.resize(columns, rows);
      size = {columns, rows};
    },
    end: terminal.end,
    detach: terminal.end,
  };
}

/** Time without a change after which the screen counts as drawn. */
const QUIET_MS = 400;

/**
 * Resolves when something was drawn since the last look and nothing more came for a moment, when the command has
 * ended, or when the signal aborts.
 */
async function untilQuiet(terminal: CommandTerminal, signal: AbortSignal): Promise<void> {
  await terminal.changed(signal);
  while (terminal.ended() === undefined && !signal.aborted) {
    await terminal.screen(); // seen; only later output counts
    const quiet = AbortSignal.timeout(QUIET_MS);
    await terminal.changed(AbortSignal.any([signal, quiet]));
    if (quiet.aborted) return;
  }
}
