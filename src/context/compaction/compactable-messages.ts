import type {Message} from '../../protocol/messages.ts';
import type {History} from '../../sessions/history.ts';
import {totalTokens} from './estimate-tokens.ts';
import type {WindowSize} from './window.ts';

/**
 * Returns the messages that matter for the size and the summary of a conversation. For a very long resumed one,
 * only the newest part was read; if that part alone fills the window twice, older messages would be left out of
 * a summary anyway and need not be read. Otherwise returns all messages.
 */
export function compactableMessages(history: History, window: WindowSize): readonly Message[] {
  const newest = history.newest();
  return history.hasUnread() && totalTokens(newest) < 2 * window.size ? history.messages() : newest;
}
