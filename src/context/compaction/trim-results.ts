import type {AssistantMessage, Message, ToolMessage, ToolResultPart} from '../../protocol/messages.ts';
import {shortenArguments} from './shorten-arguments.ts';
import {covers, visibleRange, type VisibleRange} from './visible-range.ts';

export interface TrimOptions {
  /** The number of newest tool messages that stay as they are. */
  readonly keepGroups: number;
  /** Shorter results stay: a marker would save nothing. Characters. */
  readonly minChars: number;
}

/**
 * Replaces tool results that the model can do without by one line with the number under which they are recalled: of reads that a later
 * read of the same lines covers, all but the newest; and results older than the newest groups. Results of failed calls stay: they are
 * short and keep the model from failing again. The conversation keeps its form, so that every call has its result.
 */
export function trimResults(messages: readonly Message[], options: TrimOptions): readonly Message[] {
  const groups = toolGroups(messages);
  const recent = new Set(groups.slice(Math.max(0, groups.length - options.keepGroups)).map(({index}) => index));
  const covered = coveredReads(groups);
  return messages.map((message, index) => {
    if (message.role === 'assistant') return recent.has(index + 1) ? message : withShortCalls(message, options.minChars);
    if (message.role !== 'tool') return message;
    const results = message.results.map((result) => {
      if (result.isError || result.text.length < options.minChars) return result;
      if (covered.has(result)) return replaced(result, 'Left out: the same lines were read again later.');
      return recent.has(index) ? result : replaced(result, 'Left out: it is old.');
    });
    return results.every((result, at) => result === message.results[at]) ? message : {...message, results};
  });
}

interface ToolGroup {
  readonly index: number;
  readonly calls: AssistantMessage;
  readonly results: ToolMessage;
}

/** Each message of results with the reply that asked for them. */
function toolGroups(messages: readonly Message[]): readonly ToolGroup[] {
  return messages.flatMap((results, index) => {
    const calls = messages[index - 1];
    return results.role === 'tool' && calls?.role === 'assistant' ? [{index, calls, results}] : [];
  });
}

/** From the newest to the oldest: a read is covered if a newer successful one shows all of its lines. */
function coveredReads(groups: readonly ToolGroup[]): ReadonlySet<ToolResultPart> {
  const covered = new Set<ToolResultPart>();
  const newer = new Map<string, VisibleRange[]>();
  for (const {calls, results} of groups.toReversed()) {
    const parts = calls.parts.filter((part) => part.type === 'tool_call');
    for (const [at, result] of [...results.results.entries()].toReversed()) {
      const call = parts[at];
      const range = call === undefined || result.isError ? undefined : visibleRange(call);
      if (range === undefined) continue;
      const seen = newer.get(range.path) ?? [];
      if (seen.some((later) => covers(later, range))) covered.add(result);
      else newer.set(range.path, [...seen, range]);
    }
  }
  return covered;
}

/** Arguments are shortened like results; the newest replies, and replies without calls, stay as they are. */
function withShortCalls(message: AssistantMessage, minChars: number): AssistantMessage {
  if (message.parts.every((part) => part.type !== 'tool_call' || part.arguments.length <= minChars)) return message;
  return {...message, parts: message.parts.map((part) => (part.type === 'tool_call' ? shortenArguments(part, minChars) : part))};
}

function replaced(result: ToolResultPart, why: string): ToolResultPart {
  if (result.text.startsWith('[Left out: ')) return result;
  const recall = result.item === undefined ? '' : ` recall {"item": ${result.item}} shows it.`;
  return {...result, text: `[${why} ${result.text.length} characters.${recall}]`, shortened: true};
}
