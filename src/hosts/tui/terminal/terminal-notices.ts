import {visibleText} from '../../../base/visible-text.ts';
import type {HostAdapter} from '../host-adapter.ts';

export interface NoticeOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly write: (text: string) => void;
}

/**
 * Notices for a person who looks elsewhere: a desktop notification if the terminal is known to support them (OSC 9), else the bell. Silent while
 * the terminal has the focus, and if it does not report that.
 */
export function createTerminalNotices({env, write}: NoticeOptions): HostAdapter['notifications'] {
  const hasDesktopNotices = env['TMUX'] === undefined && (DESKTOP.has(env['TERM_PROGRAM'] ?? '') || env['TERM'] === 'xterm-kitty');
  let isFocused = true;
  return {
    setFocused(next) {
      isFocused = next;
    },
    notify({text}) {
      if (isFocused) return;
      const line = visibleText(text).replaceAll(/\s+/g, ' ').slice(0, LONGEST);
      write(hasDesktopNotices ? `\x1b]9;${line}\x1b\\` : '\x07');
    },
  };
}

const DESKTOP: ReadonlySet<string> = new Set(['iTerm.app', 'WezTerm', 'ghostty']);
const LONGEST = 120;
