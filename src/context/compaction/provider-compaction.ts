import {paidFor, type Compacted} from '../../models/provider.ts';
import type {Message} from '../../protocol/messages.ts';
import {checkedSummary} from './check-summary.ts';
import type {Compaction} from './compaction.ts';
import {estimateTokens, totalTokens} from './estimate-tokens.ts';
import {noteOf, parseSummary} from './parse-summary.ts';
import {SUMMARY_PROMPT, SUMMARY_TOKENS} from './summary-request.ts';
import {transcriptPieces} from './transcript-text.ts';

export interface ProviderCompaction {
  readonly mode: 'provider';
  /** Messages that precede the memory; empty if the memory already contains the summary. */
  readonly front: readonly Message[];
}

/**
 * Has the provider shorten the old part of a conversation, if a person wants that and the provider offers it ("vtcode architecture › compaction
 * triggers": by provider, else local). The memory of the session, with the words of the person, is added in any case. Undefined:
 * it is not offered, failed, or saved too little; Fettle then compacts itself. It is not tried if the conversation no longer fits.
 * @param old as it was sent, so that it is found in the cache
 */
export async function askProvider(work: Compaction, old: readonly Message[], signal: AbortSignal): Promise<ProviderCompaction | undefined> {
  const {provider, order, byProvider = false, target, threadId, memory, emit} = work;
  const least = provider.compactsFrom;
  if (!byProvider || least === undefined || order.trigger === 'overflow' || sizeOf(work, old) < least) return undefined;
  const got = await compactedBy(work, old, signal);
  if (signal.aborted) return undefined;
  if (typeof got === 'string') {
    emit({type: 'error', code: 'PROVIDER', message: `The provider did not shorten the conversation: ${got}.`, hint: OWN_WAY});
    return undefined;
  }
  if ('summary' in got) {
    const parsed = parseSummary(got.summary);
    const known = [memory.envelope().summary, ...transcriptPieces(old, {maxChars: Infinity, most: 1})].join('\n');
    const summary = parsed === undefined ? undefined : checkedSummary(parsed, known);
    if (summary === undefined) return undefined;
    emit(noteOf(threadId, summary));
    return {mode: 'provider', front: []};
  }
  const front = [got.window];
  return totalTokens(front) <= target * MOST_OF_ROOM ? {mode: 'provider', front} : undefined;
}

/** The memory and the newest replies need room, too. */
const MOST_OF_ROOM = 0.5;
const OWN_WAY = `It is summarised by a request of Fettle instead; context.compaction = "local" does that from the start.`;

function sizeOf({frame}: Compaction, messages: readonly Message[]): number {
  return estimateTokens(frame.system) + estimateTokens(JSON.stringify(frame.tools)) + totalTokens(messages);
}

/** Asks the provider for a compaction; a text says why there is none. */
async function compactedBy(
  {provider, frame, order, onPaid}: Compaction,
  old: readonly Message[],
  signal: AbortSignal,
): Promise<Compacted | string> {
  const compaction = {instructions: SUMMARY_PROMPT, wish: order.instructions?.trim().slice(0, MAX_WISH) || undefined};
  const request = {...frame, messages: old, outputSchema: undefined, maxOutputTokens: SUMMARY_TOKENS, compaction};
  for await (const event of provider.stream(request, signal)) {
    const paid = event.type === 'done' ? event.reply : paidFor(event);
    if (paid !== undefined) onPaid(paid);
    if (event.type === 'error') return event.failure.message;
    if (event.type !== 'done') continue;
    return event.reply.compacted ?? 'it answered instead';
  }
  return 'no answer';
}

/** Characters. */
const MAX_WISH = 2000;
