import {readFileSync} from 'node:fs';
import {spawn} from '@lydell/node-pty';
import {expect, onTestFinished} from 'vitest';
import {emulator} from '../screen/emulator.ts';
import {LAUNCHER, type Place} from './support.ts';

/** The built command in a real terminal, whose screen is emulated and which answers what it is asked. */
export interface RealScreen {
  type(keys: string): void;
  /** Resolves when the screen, or what has scrolled away, shows it. */
  shows(text: string | RegExp): Promise<void>;
  screen(): string;
  resize(columns: number, rows: number): void;
  /** Every byte up to now. */
  bytes(): string;
  readonly pid: number;
  readonly ended: Promise<number>;
}

export interface RealScreenOptions {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** In place of the command: a line for bash, with `$FETTLE` for the command. */
  readonly line?: string;
}

const [COLUMNS, ROWS] = [80, 24];

export function realScreen(at: Place, {args = [], env = {}, line}: RealScreenOptions = {}): RealScreen {
  const terminal = emulator({columns: COLUMNS, rows: ROWS});
  const fettle = [process.execPath, LAUNCHER];
  const [program = '', ...given] = line === undefined ? [...fettle, ...args] : ['bash', '--norc', '--noprofile', '-c', line];
  const child = spawn(program, given, {
    cwd: at.work,
    cols: COLUMNS,
    rows: ROWS,
    env: {...at.env, TERM: 'xterm-256color', FETTLE: fettle.join(' '), ...env},
  });
  onTestFinished(() => {
    try {
      child.kill('SIGKILL');
    } catch {
      // It has ended.
    }
  });
  const ended = new Promise<number>((resolve) => void child.onExit(({exitCode}) => resolve(exitCode)));
  let bytes = '';
  child.onData((text) => {
    bytes += text;
    terminal.write(text);
    for (const answer of terminal.answers.splice(0)) child.write(answer);
  });
  const screen = (): string => [...terminal.scrollback(), ...terminal.screen()].join('\n').trimEnd();
  return {
    type: (keys) => child.write(keys),
    shows: async (text) => await expect.poll(screen, {timeout: 20_000}).toMatch(text),
    screen,
    resize(columns, rows) {
      terminal.resize(columns, rows);
      child.resize(columns, rows);
    },
    bytes: () => bytes,
    pid: child.pid,
    ended,
  };
}

/** The process of the command itself: the launcher may have started another one. */
export function newestChild(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);
  const [first] = children;
  return first === undefined ? pid : newestChild(first);
}
