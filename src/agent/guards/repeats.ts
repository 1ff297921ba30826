import {hash} from 'node:crypto';
import type {ObservedCall} from './progress-guard.ts';

/** Tells of what is repeated between other things. It informs, once for each cause, and never stops anything. */
export interface RepeatWatch {
  note(calls: readonly ObservedCall[]): string | undefined;
}

export const SAME_READS = 4;
export const SAME_FAILURES = 4;

/** The same part of a file read again although it did not change; the same command failing in the same way although files changed. */
export function repeatNotes(): RepeatWatch {
  const counts = new Map<string, number>();
  const last = new Map<string, string>();
  return {
    note(calls) {
      const notes = calls.flatMap((call) => {
        const kind = kindOf(call);
        if (kind === undefined) return [];
        const key = `${call.toolName}\n${call.arguments}`;
        const result = hash('sha256', kind === 'failure' ? withoutNumbers(call.text) : call.text);
        const count = last.get(key) === result ? (counts.get(key) ?? 0) + 1 : 1;
        last.set(key, result);
        counts.set(key, count);
        if (kind === 'read') return count === SAME_READS ? [sameRead(call)] : [];
        return count === SAME_FAILURES ? [sameFailure(call)] : [];
      });
      return notes.length === 0 ? undefined : notes.join('\n');
    },
  };
}

function kindOf({isRead, isError, command}: ObservedCall): 'read' | 'failure' | undefined {
  if (isRead && !isError) return 'read';
  return isError && command !== undefined ? 'failure' : undefined;
}

/** Line numbers move with edits, and durations are never the same. */
function withoutNumbers(text: string): string {
  return text.replaceAll(/\d+/g, '');
}

function sameRead({toolName, arguments: given}: ObservedCall): string {
  return `[note: ${toolName} ${brief(given)} has given the same ${SAME_READS} times; it has not changed since it stands above.]`;
}

function sameFailure({command = ''}: ObservedCall): string {
  return `[note: \`${brief(command)}\` has failed in the same way ${SAME_FAILURES} times. Read its first error again, and check what you assume, before you change more.]`;
}

function brief(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > 100 ? `${line.slice(0, 99)}…` : line;
}
