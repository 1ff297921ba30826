import type {ModelRequest} from '../../models/provider.ts';
import type {ThreadEvent} from '../../protocol/events.ts';
import type {Message, ToolSchema} from '../../protocol/messages.ts';
import {RECORD_START} from '../memory/render-memory.ts';
import {estimateTokens, totalTokens} from './estimate-tokens.ts';
import {compactableMessages} from './compactable-messages.ts';
import {assertFits} from './assert-fits.ts';
import type {CompactionOrder, CompactionReport, ContextWindowOptions} from './compaction.ts';
import {createCutNotice} from './truncation-notice.ts';
import {compactionLimit, roomFor} from './window.ts';

/** Keeps the conversation of a thread within the window of its model. */
export interface ContextWindow {
  /** The next request; the conversation is compacted first if it comes near the window. */
  request(signal: AbortSignal): Promise<ModelRequest>;
  /** After a provider refused a request as too long, and perhaps named its window: true if it is worth trying again. */
  makeRoom(signal: AbortSignal, windowTokens?: number): Promise<boolean>;
  compact(order: CompactionOrder, signal: AbortSignal): Promise<CompactionReport>;
  /** Takes every event of the thread: the usage that providers report is better than any estimate. */
  observe(event: ThreadEvent): void;
}

export function createContextWindow(options: ContextWindowOptions): ContextWindow {
  const {history, frame} = options;
  let {window, isCertain = false} = options;
  const fixed = estimateTokens(frame.system) + estimateTokens(JSON.stringify(frame.tools));
  let limit = compactionLimit(window, options.compactAt ?? 1);
  const reportCut = createCutNotice(options.emit);
  let sent = 0;
  let reported: number | undefined;
  /** Below this number of messages another attempt would not help. */
  let retryAt = 0;

  const size = (messages: readonly Message[]): number => {
    const estimate = fixed + totalTokens(messages);
    if (reported === undefined || sent > messages.length) return estimate;
    const counted = reported + totalTokens(messages.slice(sent));
    // Some servers report only tokens that were not in their cache: a number far below the size of the text does not count.
    return counted < estimate / 2 ? estimate : counted;
  };

  const compact = async (order: CompactionOrder, signal: AbortSignal): Promise<CompactionReport> => {
    const messages = compactableMessages(history, window);
    const before = size(messages);
    // If the provider counts more than the estimate, the room is smaller in estimated tokens.
    const scale = Math.max(1, before / (fixed + totalTokens(messages)));
    const target = roomFor({limit, fixed, wanted: order.target, scale});
    const {compactNow} = await import('./compact-now.ts');
    const report = await compactNow({...options, window, order, target, before}, signal);
    if (report.mode !== 'none') [sent, reported] = [0, undefined];
    return report;
  };

  return {
    compact,
    async request(signal) {
      // A first request that does not fit contains nothing to shorten but the words of the person.
      if (isCertain && isFirst(history.messages())) assertFits({window: window.size, frame, messages: history.messages()});
      const messages = compactableMessages(history, window);
      if (options.compactAt !== undefined && size(messages) > limit && messages.length >= retryAt) {
        await compact({trigger: 'auto'}, signal);
        retryAt = size(history.messages()) > limit ? history.messages().length + RETRY_AFTER : 0;
      }
      const now = history.messages();
      if (isCertain) assertFits({window: window.size, frame, messages: now});
      sent = now.length;
      return {...frame, tools: await toolsFor(options, now), messages: now};
    },
    async makeRoom(signal, windowTokens = window.size) {
      if (windowTokens < window.size) {
        [window, isCertain] = [{...window, size: windowTokens}, true];
        limit = compactionLimit(window, options.compactAt ?? 1);
        options.onWindow?.(windowTokens);
      }
      const before = size(compactableMessages(history, window));
      // The window is smaller than it is said to be, or the estimate was wrong: aim well below the refused size.
      await compact({trigger: 'overflow', target: Math.floor(Math.min(before, limit) / 2)}, signal);
      return size(history.messages()) < before * WORTH_IT;
    },
    observe(event) {
      if (event.type !== 'request.completed' || event.agent !== undefined || event.usage.input_tokens === 0) return;
      reported = event.usage.input_tokens;
      reportCut({reported, expected: fixed + totalTokens(history.messages().slice(0, sent))});
    },
  };
}

/** The tools of a request; the one that shows messages that left the conversation is added last, once there are any. */
async function toolsFor({frame, recallTool}: ContextWindowOptions, messages: readonly Message[]): Promise<readonly ToolSchema[]> {
  if (recallTool === undefined || !isCompacted(messages)) return frame.tools;
  const recall = await recallTool();
  return recall === undefined || frame.tools.some(({name}) => name === recall.name) ? frame.tools : [...frame.tools, recall];
}

function isFirst(messages: readonly Message[]): boolean {
  return !isCompacted(messages) && messages.every(({role}) => role === 'user');
}

function isCompacted(messages: readonly Message[]): boolean {
  const [first] = messages;
  if (first?.role === 'user' && first.text.startsWith(RECORD_START)) return true;
  return messages.some((message) => message.role === 'tool' && message.results.some(({shortened}) => shortened === true));
}

const RETRY_AFTER = 10;
const WORTH_IT = 0.9;
