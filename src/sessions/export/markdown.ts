import type {LoggedEvent} from '../log-line.ts';
import {overviewOf, titleOf} from './overview.ts';
import {callViews, textOf, transcriptOf, type CallView, type Entry, type ReplyEntry} from './transcript.ts';
import {harmlessMarkdown as harmless} from './harmless-markdown.ts';
import {visibleText} from '../../base/visible-text.ts';

/** The session to read: Markdown, with tool output in fences that it cannot close. */
export function exportMarkdown(events: Iterable<LoggedEvent>): string {
  const transcript = transcriptOf(events);
  const overview = overviewOf(transcript).map(([label, value]) => `- ${label}: ${inlineCode(value)}`);
  const blocks = [`# ${harmless(titleOf(transcript))}`, overview.join('\n'), ...transcript.entries.flatMap(blocksOf)];
  return `${visibleText(blocks.join('\n\n'))}\n`;
}

/** What was rewound stands behind a line that says so, at its first entry. */
function blocksOf(entry: Entry, index: number, entries: readonly Entry[]): readonly string[] {
  const blocks = ownBlocks(entry);
  const begins = entry.rewound === true && entries[index - 1]?.rewound !== true;
  const ends = entry.rewound !== true && entry.kind !== 'rewind' && entries[index - 1]?.rewound === true;
  if (begins) return ['*From here on rewound: the model no longer sees it.*', ...blocks];
  return ends ? ['*End of what was rewound.*', ...blocks] : blocks;
}

function ownBlocks(entry: Entry): readonly string[] {
  switch (entry.kind) {
    case 'user':
      return [entry.byHarness ? '## Harness' : '## User', harmless(entry.text)];
    case 'reply':
      return replyBlocks(entry);
    case 'compaction':
    case 'rewind':
      return ['---', `*${harmless(entry.text)}*`];
    case 'note':
      return [`*${entry.name}${entry.text === '' ? '' : `: ${harmless(entry.text)}`}*`];
    case 'turn_end':
      return entry.text === undefined ? [] : [`**${harmless(entry.text)}**`];
    default:
      return [];
  }
}

function replyBlocks({reply, request}: ReplyEntry): readonly string[] {
  const reasoning = textOf(reply, 'reasoning');
  const message = textOf(reply, 'agent_message');
  const blocks = [
    ...(reasoning === '' ? [] : [`<details><summary>Reasoning</summary>`, fenced(reasoning, 'text'), '</details>']),
    ...(message === '' ? [] : [harmless(message)]),
    ...callViews(reply).flatMap(callBlocks),
    ...(request === undefined ? ['*This reply was cut off.*'] : []),
  ];
  return ['## Assistant', ...(blocks.length === 0 ? ['*Nothing was said.*'] : blocks)];
}

function callBlocks({call, text, isError}: CallView): readonly string[] {
  return [`**Tool** ${inlineCode(call.tool_name)}${isError ? ' (failed)' : ''}`, fenced(call.arguments, 'json'), fenced(text, 'text')];
}

function fenced(text: string, language: string): string {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1));
  return `${fence}${language}\n${text}${text.endsWith('\n') ? '' : '\n'}${fence}`;
}

function inlineCode(text: string): string {
  const ticks = '`'.repeat(longestRun(text) + 1);
  const space = text.startsWith('`') || text.endsWith('`') ? ' ' : '';
  return `${ticks}${space}${text.replaceAll(/\s+/g, ' ')}${space}${ticks}`;
}

function longestRun(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
}
