import {plainEntryLines} from './plain-entry.ts';
import {plainLines} from './plain-lines.ts';
import {toolCallLines} from '../calls/tool-call.ts';
import {span, type Line} from '../cells/line.ts';
import {cutLine} from '../cells/wrap-line.ts';
import type {Entry, NoticeEntry, ReasoningEntry, UserEntry} from '../model/entry.ts';
import {bannerLines} from './banner.ts';
import {elapsed} from './duration-text.ts';
import type {EntryView} from './entry-view.ts';
import {renderMarkdown} from './markdown/render-markdown.ts';

/** The rows of one entry, without the empty row that may precede it. */
export function entryLines(entry: Entry, view: EntryView): readonly Line[] {
  switch (entry.kind) {
    case 'user':
      return userLines(entry, view);
    case 'answer':
      return renderMarkdown(entry.text, {width: view.width});
    case 'reasoning':
      return reasoningLines(entry, view);
    case 'tool':
      return toolCallLines(entry, view);
    case 'notice':
      return noticeLines(entry, view);
    case 'banner':
      return bannerLines(entry, view.width);
    case 'plain':
      return plainEntryLines(entry, view);
  }
}

/** Returns true if an empty row separates two entries: calls in a row, and notices after them, form a block. */
export function needsGap(before: Entry | undefined, entry: Entry): boolean {
  if (before === undefined) return false;
  return !(isStep(before) && isStep(entry));
}

function isStep({kind}: Entry): boolean {
  return kind === 'tool' || kind === 'notice' || kind === 'reasoning';
}

/** Renders a message of the user; the conversation shows only the beginning of a long text, such as a paste. */
function userLines({text, origin}: UserEntry, {width, isWhole}: EntryView): readonly Line[] {
  const mark = origin === 'shell' ? '! ' : '› ';
  const lines = plainLines(text, {width, first: span(mark, 'user', 'bold'), rest: span('  '), style: ['user']});
  if (isWhole || lines.length <= MOST_USER_ROWS) return lines;
  const shown = lines.slice(0, KEPT_USER_ROWS);
  return [...shown, cutLine([span(`  … ${lines.length - KEPT_USER_ROWS} more rows · Ctrl-O shows all`, 'dim')], width)];
}

const MOST_USER_ROWS = 20;
const KEPT_USER_ROWS = 12;

/** Collapsed to a row, but in the pager: how long was thought, or the newest words while it lasts. */
function reasoningLines(entry: ReasoningEntry, {width, now, isWhole}: EntryView): readonly Line[] {
  const seconds = Math.max(0, Math.round((entry.durationMs ?? now - entry.startedAt) / 1000));
  const time = seconds === 0 || (entry.isFinal && entry.durationMs === undefined) ? '' : elapsed(seconds);
  const title = `${entry.isFinal ? 'Thought' : 'Thinking'}${time === '' ? '' : `${entry.isFinal ? ' for' : ' ·'} ${time}`}`;
  const head: Line = [span('∴ ', 'dim'), span(title, 'dim', 'italic')];
  if (!isWhole) return [head];
  return [head, ...plainLines(entry.text.trim(), {width, first: span('  '), rest: span('  '), style: ['dim']})];
}

function noticeLines({level, text}: NoticeEntry, {width}: EntryView): readonly Line[] {
  const style = level === 'info' ? 'dim' : level;
  return plainLines(text, {width, first: span(level === 'error' ? '✗ ' : '· ', style), rest: span('  '), style: [style]});
}
