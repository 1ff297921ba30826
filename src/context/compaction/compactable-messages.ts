import type {Message} from '../../protocol/messages.ts';
import type {History} from '../../sessions/history.ts';
import {totalTokens} from './estimate-tokens.ts';
import type {WindowSize} from './window.ts';

/**
 * The conversation as far as it matters for its size and its summary. Of a very long one that was resumed only the newest part was read; where
 * that alone fills the window twice, what is older would be left out of a summary anyway, and need not be read. Else it is all of it.
 */
export function compactableMessages(history: History, window: WindowSize): readonly Message[] {
  const newest = history.newest();
  return history.hasUnread() && totalTokens(newest) < 2 * window.size ? history.messages() : newest;
}
