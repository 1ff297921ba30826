import {spawn} from '@lydell/node-pty';
import {onTestFinished} from 'vitest';

export interface PtyOptions {
  readonly cwd?: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** A program on a terminal of its own. */
export interface Pty {
  type(keys: string): void;
  /** Resolves with what is shown up to a mark; what follows it stays for the next time. */
  until(mark: RegExp): Promise<string>;
  /** `rest`: what was shown behind the last mark. */
  readonly ended: Promise<{readonly code: number; readonly rest: string}>;
}

/** Starts a program on a terminal of 80×24; it is killed when the test ends. */
export function onPty(program: string, args: readonly string[], {cwd, env}: PtyOptions): Pty {
  const child = spawn(program, [...args], {cols: 80, rows: 24, env: {...env, TERM: 'xterm'}, ...(cwd === undefined ? {} : {cwd})});
  onTestFinished(() => child.kill('SIGKILL'));
  let shown = '';
  let look: () => void = () => undefined;
  child.onData((text) => {
    shown += text;
    look();
  });
  const ended = new Promise<{code: number; rest: string}>((resolve) => {
    child.onExit(({exitCode}) => resolve({code: exitCode, rest: shown}));
  });
  const until = (mark: RegExp): Promise<string> =>
    new Promise((resolve) => {
      look = () => {
        const found = mark.exec(shown);
        if (found === null) return;
        const taken = shown.slice(0, found.index + found[0].length);
        shown = shown.slice(taken.length);
        look = () => undefined;
        resolve(taken);
      };
      look();
    });
  return {type: (keys) => child.write(keys), until, ended};
}
