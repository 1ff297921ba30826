import {readlinkSync} from 'node:fs';
import {join} from 'node:path';
import type {KeyboardProtocolSettings, ThemePreference} from '../host-adapter.ts';
import type {KeyInput} from '../keys/key.ts';
import {colourDepth} from '../themes/color-depth.ts';
import {terminalTheme, type Background, type ThemeChoice} from '../themes/terminal-themes.ts';
import {isProcessAlive, recordModes, takeLeftModes} from './mode-record.ts';
import {listenToSignals} from './signals.ts';
import {createTerminalInput, type TerminalEvent} from './terminal-input.ts';
import {createTerminalModes, RESTORE_ALL} from './terminal-modes.ts';
import type {TerminalTraits} from './terminal-output.ts';
import {backgroundFromEnv} from './terminal-reply.ts';

export interface TerminalOptions {
  readonly keyboard: KeyboardProtocolSettings;
  readonly stateDir: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly theme: ThemePreference;
  readonly onKey: (key: KeyInput) => void;
  readonly onFocus: (isFocused: boolean) => void;
  readonly onResize: () => void;
  /** The colours are known now, or another program had the screen: the whole screen has to be drawn. */
  readonly onRedraw: () => void;
  /** Called when the terminal is gone, or the process is asked to end. */
  readonly onEnd: (signal: 'SIGTERM' | 'SIGHUP') => void;
}

/** The terminal of this process, in the modes of a session between `enter` and `close`. */
export interface Terminal {
  readonly output: NodeJS.WriteStream;
  readonly traits: TerminalTraits;
  enter(): void;
  /** Gives the terminal to another program for as long as `body` takes. */
  lend<T>(body: () => Promise<T>): Promise<T>;
  suspend(): void;
  useTheme(theme: ThemeChoice): void;
  /** Restores everything. */
  close(): void;
}

export function openTerminal(options: TerminalOptions): Terminal {
  const {keyboard, stateDir, env, theme, onKey, onFocus, onResize, onRedraw, onEnd} = options;
  const {stdin: input, stdout: output} = process;
  let background = backgroundFromEnv(env) ?? 'dark';
  let chosen: ThemeChoice = theme;
  const shown = (): Required<Pick<TerminalTraits, 'looks' | 'colours'>> => shownIn(chosen, background, env);
  const traits: TerminalTraits = {synchronized: false, ...shown()};
  const place = {folder: join(stateDir, 'terminals'), tty: ttyName(), pid: process.pid};
  if (takeLeftModes(place, isProcessAlive)) output.write(RESTORE_ALL);
  const record = recordModes(place);
  const modes = createTerminalModes({input, output}, keyboard);
  const onEvent = (event: TerminalEvent): void => {
    if (event.type === 'focus') return onFocus(event.isFocused);
    if (event.type !== 'reply') return onKey(event);
    const {reply} = event;
    modes.onReply(reply);
    if (reply.type === 'mode' && reply.mode === 2026) traits.synchronized = reply.isKnown;
    if (reply.type === 'background') ({background} = reply);
    Object.assign(traits, shown());
  };
  const keys = createTerminalInput({input, onEvent, onEnd: () => onEnd('SIGHUP'), hasKittyKeys: () => modes.hasKittyKeys});
  const enter = (): void => {
    modes.enter();
    keys.resume();
  };
  const leave = (): void => {
    keys.pause();
    modes.leave();
  };
  const goOn = (): void => {
    enter();
    onRedraw();
  };
  const signals = listenToSignals({onEnd, onResize, onSuspend: leave, onContinue: goOn});
  return {
    output,
    traits,
    enter,
    async lend(body) {
      leave();
      try {
        return await body();
      } finally {
        goOn();
      }
    },
    suspend: signals.suspend,
    useTheme(next) {
      chosen = next;
      Object.assign(traits, shown());
      onRedraw();
    },
    close() {
      leave();
      signals.dispose();
      record?.remove();
    },
  };
}

function shownIn(
  theme: ThemeChoice,
  background: Background,
  env: TerminalOptions['env'],
): Required<Pick<TerminalTraits, 'looks' | 'colours'>> {
  const colours = theme === 'none' ? 'none' : colourDepth(env);
  return {colours, looks: terminalTheme(theme === 'auto' || theme === 'none' ? background : theme, colours)};
}

/** The device behind stdin, if the system reports it. */
function ttyName(): string {
  try {
    return readlinkSync('/proc/self/fd/0');
  } catch {
    return process.env['TTY'] ?? 'unknown';
  }
}
