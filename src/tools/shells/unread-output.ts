import {orAbort} from '../../base/waiting/or-abort.ts';
import type {ToolOutput} from '../stream-event.ts';

/** The newest unread output of a command: at most 64 KB of it. */
export interface UnreadOutput {
  push(stream: 'stdout' | 'stderr', text: string): void;
  take(): readonly ToolOutput[];
  /** Number of characters dropped because nothing read them in time; reset by each call. */
  dropped(): number;
  /** Resolves when there is output to take, at `wake`, or when the signal aborts. */
  next(signal: AbortSignal): Promise<void>;
  wake(): void;
}

const MAX_UNREAD_CHARS = 65_536;

export function createUnreadOutput(): UnreadOutput {
  let pieces: ToolOutput[] = [];
  let chars = 0;
  let lost = 0;
  let news = Promise.withResolvers<void>();
  const wake = (): void => {
    news.resolve();
    news = Promise.withResolvers();
  };
  return {
    wake,
    push(stream, text) {
      pieces.push({type: 'output', stream, text});
      chars += text.length;
      while (chars > MAX_UNREAD_CHARS && pieces.length > 1) {
        const {length} = pieces.shift()?.text ?? '';
        chars -= length;
        lost += length;
      }
      wake();
    },
    take() {
      const taken = pieces;
      pieces = [];
      chars = 0;
      return taken;
    },
    dropped() {
      const count = lost;
      lost = 0;
      return count;
    },
    async next(signal) {
      if (pieces.length > 0 || signal.aborted) return;
      await orAbort(news.promise, signal).catch(() => undefined);
    },
  };
}
