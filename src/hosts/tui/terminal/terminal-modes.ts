import {harmlessText} from './harmless-text.ts';
import type {KeyboardProtocolSettings} from '../host-adapter.ts';
import type {TerminalReply} from './terminal-reply.ts';

/** Dependencies of the modes of a terminal. */
export interface ModeTerminal {
  readonly input: {setRawMode?(mode: boolean): unknown};
  readonly output: {write(text: string): unknown};
}

/** The modes of the terminal while a session is open. */
export interface TerminalModes {
  /** Raw mode, marked pastes, reports of focus and of keys; also queries the features of the terminal. A second call does nothing. */
  enter(): void;
  /** Takes a reply to the questions of `enter`. */
  onReply(reply: TerminalReply): void;
  setTitle(title: string): void;
  /** Undoes everything in the other order. A second time does nothing. */
  leave(): void;
  /** The report of keys by the protocol of kitty is on. */
  readonly hasKittyKeys: boolean;
}

/**
 * Owns the modes: those that are on are exactly those that `leave` takes back, and a process that exits without it is caught by `onExit`.
 * Ctrl-C is a key in raw mode, so nothing here listens to SIGINT: both at once have left terminals half restored.
 */
export function createTerminalModes({input, output}: ModeTerminal, keyboard: KeyboardProtocolSettings): TerminalModes {
  let isEntered = false;
  let keys: 'none' | 'asked' | 'kitty' | 'other' = 'none';
  let hasTitle = false;
  const leave = (): void => {
    if (!isEntered) return;
    isEntered = false;
    process.off('exit', leave);
    if (hasTitle) output.write(TITLE_RESTORE);
    output.write(`${keys === 'other' ? OTHER_KEYS.off : ''}${keys === 'kitty' || keys === 'asked' ? KITTY_POP : ''}${MODES.off}`);
    [keys, hasTitle] = ['none', false];
    input.setRawMode?.(false);
  };
  return {
    get hasKittyKeys() {
      return keys === 'kitty';
    },
    enter() {
      if (isEntered) return;
      isEntered = true;
      process.once('exit', leave);
      input.setRawMode?.(true);
      keys = keyboard.enabled ? 'asked' : 'none';
      output.write(`${MODES.on}${keyboard.enabled ? `\x1b[>${kittyFlags(keyboard)}u\x1b[?u` : ''}${QUESTIONS}`);
    },
    onReply(reply) {
      if (!isEntered || keys !== 'asked') return;
      if (reply.type === 'kittyFlags') keys = reply.flags === 0 ? useOtherKeys(output) : 'kitty';
      // Every terminal answers this one: one that has not answered the question before it does not know the protocol of kitty.
      if (reply.type === 'attributes') keys = useOtherKeys(output);
    },
    setTitle(title) {
      if (!isEntered) return;
      output.write(`${hasTitle ? '' : TITLE_SAVE}\x1b]2;${harmlessText(title).slice(0, LONGEST_TITLE)}\x1b\\`);
      hasTitle = true;
    },
    leave,
  };
}

/** Sequences that restore any terminal left by a killed process: safe if nothing was on. */
export const RESTORE_ALL = `\x1b[?2026l\x1b[?1049l\x1b[>4;0m\x1b[<u\x1b[?2004l\x1b[?1004l\x1b[?7h\x1b[?25h\x1b[m`;

/** Marked pastes, and reports of focus. Lines wrap again and the cursor is shown, wherever a frame was cut off. */
const MODES = {on: '\x1b[?2004h\x1b[?1004h', off: '\x1b[?2026l\x1b[?1004l\x1b[?2004l\x1b[?7h\x1b[m\x1b[?25h'};
/** XTMODKEYS: keys with modifiers, if the terminal does not know the protocol of kitty. */
const OTHER_KEYS = {on: '\x1b[>4;2m', off: '\x1b[>4;0m'};
const KITTY_POP = '\x1b[<u';
/** DECRQM for frames at once, the colour of the background (OSC 11), and the attributes (DA1), which all terminals know: the last answer. */
const QUESTIONS = '\x1b[?2026$p\x1b]11;?\x1b\\\x1b[c';
/** XTWINOPS: the title is pushed and popped. */
const [TITLE_SAVE, TITLE_RESTORE] = ['\x1b[22;2t', '\x1b[23;2t'];
const LONGEST_TITLE = 120;

function kittyFlags({reportEventTypes, reportAlternateKeys}: KeyboardProtocolSettings): number {
  return 1 + (reportEventTypes ? 2 : 0) + (reportAlternateKeys ? 4 : 0);
}

/** The flags that were asked for are on the stack of a terminal that answers 0, and one that does not know them ignores the pop. */
function useOtherKeys(output: ModeTerminal['output']): 'other' {
  output.write(KITTY_POP + OTHER_KEYS.on);
  return 'other';
}
