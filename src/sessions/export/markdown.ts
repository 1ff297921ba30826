import type {LoggedEvent} from '../log-line.ts';
import {overviewOf, titleOf} from './overview.ts';
import {callViews, entryText, transcriptOf, type CallView, type TranscriptEntry, type ReplyEntry, type Transcript} from './transcript.ts';
import {harmlessMarkdown as harmless} from './harmless-markdown.ts';
import {createShownAgents, describeAgent, type ShownAgents} from './shown-agents.ts';
import type {SubagentLog} from './subagent-logs.ts';
import {visibleText} from '../../base/visible-text.ts';

/**
 * The session to read: Markdown, with tool output in fences that it cannot close. A subagent's steps follow the call that started it; without
 * such a call they come last.
 */
export function exportMarkdown(events: Iterable<LoggedEvent>, subagents: readonly SubagentLog[] = []): string {
  const transcript = transcriptOf(events);
  const overview = overviewOf(transcript).map(([label, value]) => `- ${label}: ${inlineCode(value)}`);
  const blocks = [`# ${harmless(titleOf(transcript))}`, overview.join('\n'), ...entryBlocks(transcript, subagents)];
  return `${visibleText(blocks.join('\n\n'))}\n`;
}

function entryBlocks({entries, started}: Transcript, subagents: readonly SubagentLog[]): readonly string[] {
  const isChild = started?.parent_thread_id !== undefined;
  const page: Page = {agents: createShownAgents(subagents), asker: isChild ? 'Task' : 'User', level: isChild ? '###' : '##'};
  const blocks = entries.flatMap((entry, index) => blocksOf(ownBlocks(entry, page), entry, entries[index - 1]));
  return [...blocks, ...page.agents.others().flatMap(agentBlocks)];
}

interface Page {
  readonly agents: ShownAgents;
  /** The author of the prompts. */
  readonly asker: string;
  /** Level of the headings. */
  readonly level: string;
}

/** Adds a line before the first and after the last of several rewound entries. */
function blocksOf(blocks: readonly string[], entry: TranscriptEntry, before: TranscriptEntry | undefined): readonly string[] {
  const begins = entry.rewound === true && before?.rewound !== true;
  const ends = entry.rewound !== true && entry.kind !== 'rewind' && before?.rewound === true;
  if (begins) return ['*From here on rewound: the model no longer sees it.*', ...blocks];
  return ends ? ['*End of what was rewound.*', ...blocks] : blocks;
}

function agentBlocks(log: SubagentLog): readonly string[] {
  const transcript = transcriptOf(log.events);
  return [...opened(describeAgent(log, transcript)), ...entryBlocks(transcript, log.subagents), '</details>'];
}

function opened(summary: string): readonly string[] {
  return [
    `<details><summary>${summary.replaceAll(/[&<>`*_[\]\\!~]/g, (char) => `&#${char.charCodeAt(0)};`).replaceAll(/\s+/g, ' ')}</summary>`,
  ];
}

function ownBlocks(entry: TranscriptEntry, page: Page): readonly string[] {
  switch (entry.kind) {
    case 'user':
      return [`${page.level} ${entry.byHarness ? 'Harness' : page.asker}`, harmless(entry.text)];
    case 'reply':
      return replyBlocks(entry, page);
    case 'compaction':
      return ['---', `*${harmless(entry.text)}*`, ...entry.written.flatMap(writtenBlocks)];
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

function replyBlocks({reply, request, interrupted}: ReplyEntry, {agents, level}: Page): readonly string[] {
  const reasoning = entryText(reply, 'reasoning');
  const message = entryText(reply, 'agent_message');
  const blocks = [
    ...interrupted.flatMap(({message: why, text}) => [`*Interrupted reply: ${harmless(why)}*`, fenced(text, 'text')]),
    ...(reasoning === '' ? [] : [...opened('Reasoning'), fenced(reasoning, 'text'), '</details>']),
    ...(message === '' ? [] : [harmless(message)]),
    ...callViews(reply).flatMap((view) => [...callBlocks(view), ...agents.of(view.call.id).flatMap(agentBlocks)]),
    ...(request === undefined ? ['*This reply was cut off.*'] : []),
  ];
  return [`${level} Assistant`, ...(blocks.length === 0 ? ['*Nothing was said.*'] : blocks)];
}

function writtenBlocks(text: string): readonly string[] {
  return [...opened('Summary of earlier messages'), fenced(text, 'text'), '</details>'];
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
