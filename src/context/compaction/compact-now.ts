import type {Message} from '../../protocol/messages.ts';
import {compactHistory, type CompactedHistory} from './compact-history.ts';
import {totalTokens} from './estimate-tokens.ts';
import {askProvider} from './provider-compaction.ts';
import type {Compaction, CompactionReport} from './compaction.ts';
import {compactableMessages} from './compactable-messages.ts';
import {splitTail} from './split-tail.ts';
import {summarize} from './summarize.ts';
import {trimResults} from './trim-results.ts';

/** Compacts the conversation, unless a hook objects. */
export async function compactNow(work: Compaction, signal: AbortSignal): Promise<CompactionReport> {
  const {gate, order, before} = work;
  if (gate !== undefined && !(await gate.before(order, signal))) return {mode: 'none', before, after: before};
  const report = await shorten(work, signal);
  if (report.mode !== 'none') await gate?.after(order, report, signal);
  return report;
}

/** First applies steps that cost nothing and lose only what can be recalled; makes a summary if those are not enough. */
async function shorten(work: Compaction, signal: AbortSignal): Promise<CompactionReport> {
  const {history, order, target, before} = work;
  const messages = compactableMessages(history, work.window);
  const trimmed = trimResults(messages, {keepGroups: KEEP_GROUPS, minChars: MIN_CHARS});
  const {old, tail} = splitTail(trimmed, Math.floor(target * TAIL_SHARE));
  if (order.trigger === 'auto' && totalTokens(trimmed) <= target) return tell(work, {mode: 'trim', messages: trimmed, before});
  const hasReplies = old.some(({role}) => role === 'assistant');
  if (!hasReplies && totalTokens(trimmed) <= target) return {mode: 'none', before, after: before};
  const byProvider = hasReplies ? await askProvider(work, messages.slice(0, old.length), signal) : undefined;
  const mode = byProvider?.mode ?? (hasReplies ? await summarize(work, old, signal) : 'mechanical');
  // Whoever cancelled wants no shorter conversation either.
  if (signal.aborted) return {mode: 'none', before, after: before};
  const front = byProvider?.front ?? [];
  const {messages: kept, memory} = await withRecord(work, tail, target - totalTokens(front));
  return tell(work, {mode, messages: [...front, ...kept], memory, before});
}

/** Builds the conversation after a compaction: the memory of the session, including what can be recalled, and the newest replies. */
async function withRecord(work: Compaction, tail: readonly Message[], maxTokens: number): Promise<CompactedHistory> {
  const index = (await work.readIndex?.()) ?? [];
  const memory = {...work.memory.envelope(), recall_index: [...index]};
  const corrections = Math.floor(work.window.size * CORRECTIONS_SHARE);
  return compactHistory({tail, memory, items: work.history.items(), maxTokens, corrections});
}

const KEEP_GROUPS = 8;
const MIN_CHARS = 600;
const TAIL_SHARE = 0.4;
/** Share of the window for the rules and corrections of the person. */
const CORRECTIONS_SHARE = 0.4;

interface Result {
  readonly mode: CompactionReport['mode'];
  readonly messages: readonly Message[];
  readonly memory?: unknown;
  readonly before: number;
}

/** The event is the change: the history takes its messages from it, now and when the session is resumed. */
function tell({history, memory, threadId, order, emit}: Compaction, {mode, messages, memory: carried, before}: Result): CompactionReport {
  const count = history.count();
  emit({
    type: 'thread.compact_boundary',
    thread_id: threadId,
    trigger: order.trigger,
    mode,
    original_message_count: count,
    compacted_message_count: messages.length,
    messages: [...messages] as unknown as {role: 'user'}[],
    memory: carried ?? memory.envelope(),
  });
  return {mode, before, after: totalTokens(history.messages())};
}
