import type {ToolEntry} from '../model/entry.ts';
import type {ToolWords} from '../model/tool-words.ts';
import {changeCount} from './change-lines.ts';

/** What came of a call, in few words that do not say again what it was about; '' where there is nothing to say. */
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
  if (by === 'user') return 'denied by you';
  return rule === undefined ? 'denied' : `denied by rule ${rule}`;
}

/** How a command ended; what else went wrong stands below the row. */
function failedText(entry: ToolEntry, words: ToolWords): string {
  const text = shortened(entry.summary, words);
  if (words.shape === 'command') return text || 'failed';
  return entry.output.trim() === '' ? text || 'failed' : '';
}

/** A file that is new is told as such; its size tells the change. */
function changeResult(entry: ToolEntry): string {
  const summary = entry.summary ?? '';
  const fate = /^created?\b/i.test(summary) ? 'new' : /^(?:replaced|overwrote)\b/i.test(summary) ? 'replaced' : '';
  const many = /(\d+) replacements/.exec(summary)?.[1];
  const size = many !== undefined && many !== '1' ? `${many} places` : (changeCount(entry) ?? '');
  return [fate, size].filter((part) => part !== '').join(', ');
}

/** The summary without the subject, which stands before it, and without words that the verb has said. */
function shortened(summary: string | undefined, {subject}: ToolWords): string {
  const text = (summary ?? '').replaceAll(/\s+/g, ' ').trim();
  if (text === subject) return '';
  const [, code] = /^exit code (.+)$/.exec(text) ?? [];
  if (code !== undefined) return `exit ${code.replace(/^none \((.*?)(?:; .*)?\)$/, '$1')}`.replace(/^exit (?=\D)/, '');
  // `src/a.ts: 20 lines`, where the subject may be `src/a.ts:1-20`.
  const colon = text.indexOf(': ');
  const about = colon < 0 ? '' : text.slice(0, colon);
  const isAbout = about !== '' && (subject === about || subject.startsWith(`${about}:`) || (subject === '.' && about === '.'));
  const rest = isAbout ? text.slice(colon + 2) : text;
  const told =
    /^(?:Deleted|Moved|Copied|Created|Edited|Merged|Opened)\b.*$/i.test(rest) &&
    subject !== '' &&
    rest.includes(subject.split(' → ')[0] ?? subject);
  return told ? '' : rest.replace(/\.$/, '');
}
