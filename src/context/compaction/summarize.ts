import {paidFor, type Provider} from '../../models/provider.ts';
import type {Message} from '../../protocol/messages.ts';
import {checkedSummary} from './check-summary.ts';
import type {Compaction} from './compaction.ts';
import {noteOf, parseSummary, type ParsedSummary} from './parse-summary.ts';
import {pieceChars, summaryRequest} from './summary-request.ts';
import {transcriptPieces} from './transcript-text.ts';
import {withStoredResults} from './stored-results.ts';

/**
 * Has a model summarise the old part of a conversation, in several bounded requests if it is long; each result goes into the memory. A failure
 * does little harm: the memory works without a summary.
 */
export async function summarize(work: Compaction, old: readonly Message[], signal: AbortSignal): Promise<'local' | 'mechanical'> {
  const {order, memory, threadId, emit} = work;
  const {provider, windowTokens} = (await work.summarizer?.()) ?? {provider: work.provider, windowTokens: work.window.size};
  const roomTokens = work.order.trigger === 'overflow' ? Math.min(windowTokens, Math.floor(work.before / 2)) : windowTokens;
  const whole = await withStoredResults(old, work.readOutputs);
  const pieces = transcriptPieces(whole, {maxChars: pieceChars(roomTokens), most: MOST_REQUESTS});
  let soFar = memory.envelope().summary;
  let [problem, isSummarised] = ['nothing to summarise', pieces.length > 0];
  for (const piece of pieces) {
    const request = summaryRequest({piece, soFar, instructions: order.instructions, roomTokens});
    const summary = await ask({work, provider, known: `${soFar}\n${piece}`}, request, signal);
    if (signal.aborted) return 'mechanical';
    if (typeof summary === 'string') {
      [problem, isSummarised] = [summary, false];
      if (summary !== UNBELIEVED) break;
      continue;
    }
    emit(noteOf(threadId, summary));
    soFar = summary.text;
  }
  if (isSummarised) return 'local';
  emit({type: 'error', code: 'PROVIDER', message: `The conversation was shortened without a summary: ${problem}.`, hint: RECALL_HINT});
  return 'mechanical';
}

/** Most pieces to summarize; older ones can be recalled. */
const MOST_REQUESTS = 16;
const RECALL_HINT = 'The full conversation stays in the log; the model can recall it by words or number.';
const UNBELIEVED = 'the summary said what the transcript does not';

interface Asked {
  readonly work: Compaction;
  readonly provider: Provider;
  /** Text that the summary is checked against: it may say nothing else. */
  readonly known: string;
}

/** The summary, or why there is none. */
async function ask(
  {work, provider, known}: Asked,
  request: ReturnType<typeof summaryRequest>,
  signal: AbortSignal,
): Promise<ParsedSummary | string> {
  for await (const event of provider.stream(request, signal)) {
    const paid = event.type === 'done' ? event.reply : paidFor(event);
    if (paid !== undefined) work.onPaid(paid);
    if (event.type === 'error') return event.failure.message;
    if (event.type !== 'done') continue;
    const text = event.reply.message.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
    const summary = parseSummary(text);
    if (summary === undefined) return 'the summary was empty';
    return checkedSummary(summary, known) ?? UNBELIEVED;
  }
  return 'no answer';
}
