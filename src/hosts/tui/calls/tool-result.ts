import type {ToolEntry} from '../model/entry.ts';
import type {ToolWords} from './tool-labels.ts';
import {changeCount} from './change-lines.ts';

/** Summarizes the result of a call in few words that do not repeat its subject; '' if there is nothing to say. */
export function toolResult(entry: ToolEntry, words: ToolWords): string {
  switch (entry.state) {
    case 'running':
      return '';
    case 'denied':
      return entry.decision === undefined ? 'denied' : deniedText(entry.decision);
    case 'cancelled':
      return 'cancelled';
    case 'loop':
      return 'repeated, not run';
    case 'success':
      return words.isChange ? changeResult(entry) : shortened(entry.summary, words);
    case 'error':
    case 'invalid':
      return failedText(entry, words);
  }
}

function deniedText(decision: string): string {
  const [, by = '', rule] = /^\w+ by (\w+)(?:, rule (.*))?$/.exec(decision) ?? [];
  if (by === 'person') return 'denied by you';
  return rule === undefined ? 'denied' : `denied by rule ${rule}`;
}

/** Describes the end of a command; other errors are shown below the row. */
function failedText(entry: ToolEntry, words: ToolWords): string {
  const text = shortened(entry.summary, words);
  if (words.shape === 'command') return text || 'failed';
  return entry.output.trim() === '' ? text || 'failed' : '';
}

/** A new file is reported as such; its size is the change. */
function changeResult(entry: ToolEntry): string {
  const summary = entry.summary ?? '';
  const fate = /^created?\b/i.test(summary) ? 'new' : /^(?:replaced|overwrote)\b/i.test(summary) ? 'replaced' : '';
  const many = /(\d+) replacements/.exec(summary)?.[1];
  const count = changeCount(entry) ?? '';
  // Without the previous content, all lines look new.
  const isWhole = fate === 'replaced' && entry.approved === undefined;
  const size = many !== undefined && many !== '1' ? `${many} places` : isWhole ? count.replace(/^\+/, 'lines: ') : count;
  return [fate, size].filter((part) => part !== '').join(', ');
}

/** The summary without the subject, which precedes it, and without words that repeat the verb. */
function shortened(summary: string | undefined, {subject}: ToolWords): string {
  const text = (summary ?? '').replaceAll(/\s+/g, ' ').trim();
  const [, code] = /^exit code (.+)$/.exec(text) ?? [];
  if (code !== undefined) return exitResult(code);
  const rest = withoutSubject(text, subject);
  return text === subject || isShownBy(rest, subject) ? '' : rest.replace(/\.$/, '');
}

/** Returns `exit 1`, or the cause that ended the command. */
function exitResult(code: string): string {
  const [, ended] = /^none \((.*?)(?:; .*)?\)$/.exec(code) ?? [];
  return ended ?? `exit ${code}`;
}

/** Removes the subject from `src/a.ts: 20 lines`; it may be `src/a.ts:1-20`. */
function withoutSubject(text: string, subject: string): string {
  const colon = text.indexOf(': ');
  const about = text.slice(0, Math.max(0, colon));
  return about !== '' && (subject === about || subject.startsWith(`${about}:`)) ? text.slice(colon + 2) : text;
}

/** `Deleted file src/a.ts.`, after `Delete src/a.ts`. */
function isShownBy(text: string, subject: string): boolean {
  const [first = ''] = subject.split(' → ');
  return first !== '' && DONE.test(text) && text.includes(first);
}

const DONE = /^(?:Deleted|Moved|Copied|Created|Edited|Merged|Opened)\b/i;
