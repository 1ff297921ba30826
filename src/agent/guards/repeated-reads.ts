import {keyOf, type ObservedCall} from './observed-call.ts';

/** Notes repeated reads with other calls in between. It informs, once for each cause, and never stops anything. */
export interface RepeatWatch {
  note(call: ObservedCall, gave: Novelty): string | undefined;
}

/** Novelty of a result: the same as before, more of a known file, or something else. */
export type Novelty = 'same' | 'more' | 'new';

export const SAME_READS = 4;

/** The same lines of a file, in whatever ranges, or the same answer of another reading tool, again and again although nothing changed. */
export function repeatNotes(): RepeatWatch {
  const counts = new Map<string, number>();
  return {
    note(call, gave) {
      if (call.isError || !(call.isRead || call.shown !== undefined)) return undefined;
      const key = call.shown === undefined ? keyOf(call) : `lines of ${call.shown.path}`;
      const before = counts.get(key) ?? 0;
      if (gave === 'more') return undefined;
      const count = gave === 'new' ? 1 : before + 1;
      counts.set(key, count);
      return count === SAME_READS ? sameRead(call) : undefined;
    },
  };
}

function sameRead({toolName, arguments: args}: ObservedCall): string {
  return `[note: ${toolName} ${brief(args)} returned the same result ${SAME_READS} times; it has not changed since it was shown above.]`;
}

function brief(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > 100 ? `${line.slice(0, 99)}…` : line;
}
