import {FettleError} from '../base/errors.ts';
import type {ExecEnvironment} from './environment.ts';
import type {Terminal, TerminalRequest} from './terminal.ts';

/** The terminals of a thread; its owner calls `endAll` when the thread ends. One that has ended by itself is cleaned up. */
export interface Terminals {
  /** Throws LIMIT where too many are open, and what the environment throws for what cannot be started. */
  open(request: TerminalRequest): Promise<Terminal>;
  endAll(): Promise<void>;
}

const MAX_TERMINALS = 10;

export function createTerminals(exec: Pick<ExecEnvironment, 'openTerminal'>): Terminals {
  /** Until nothing of them is left. */
  const known = new Set<Promise<Terminal>>();
  let running = 0;
  return {
    async open(request) {
      if (running >= MAX_TERMINALS) {
        const hint = 'Close one that is not needed any more.';
        throw new FettleError({code: 'LIMIT', message: `${MAX_TERMINALS} terminals are open already.`, hint});
      }
      running += 1;
      const opening = exec.openTerminal(request);
      known.add(opening);
      const release = (): void => void (running -= 1);
      const gone = opening.then(async (terminal) => {
        await terminal.done.then(release);
        await terminal.end();
      }, release);
      const forget = (): void => void known.delete(opening);
      gone.then(forget, forget);
      return opening;
    },
    async endAll() {
      const ends = [...known].map((opening) =>
        opening.then(
          (terminal) => terminal.end(),
          () => undefined, // never started
        ),
      );
      await Promise.all(ends);
    },
  };
}
