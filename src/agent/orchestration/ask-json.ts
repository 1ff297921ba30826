import type * as z from 'zod/mini';
import {toFettleError} from '../../base/errors.ts';
import {newId} from '../../base/ids.ts';
import type {ModelReply, ModelRequest, Paid, Provider} from '../../models/provider.ts';
import type {ThreadEvent} from '../../protocol/events.ts';
import type {Message} from '../../protocol/messages.ts';
import {readLenientJson} from '../../tools/lenient-json.ts';
import {receiveReply} from '../model-reply.ts';

export interface JsonQuestion<T> {
  readonly provider: Provider;
  readonly system: string;
  readonly text: string;
  readonly schema: z.ZodMiniType<T>;
  readonly maxOutputTokens: number;
  /** Takes what is asked and answered: events of a turn of its own. */
  readonly emit: (event: ThreadEvent) => void;
  readonly turnId: string;
  /** Told of each reply: it was paid for. */
  readonly onReply: (reply: ModelReply, durationMs: number) => void;
  /** Told of each attempt that failed and is paid for. */
  readonly onPaid: (paid: Paid) => void;
  /** False: the budget is used up. */
  readonly mayAsk: () => boolean;
}

export type JsonAnswer<T> = {readonly ok: true; readonly value: T} | {readonly ok: false; readonly problem: string};

/**
 * One request without tools whose answer is one JSON object. An answer that cannot be read or does not fit is sent back once, with what is
 * wrong (VT Code ended the run); after that, and where the provider fails, the problem is the answer. Never throws for what a model does.
 */
export async function askJson<T>(question: JsonQuestion<T>, signal: AbortSignal): Promise<JsonAnswer<T>> {
  const {text, schema, mayAsk} = question;
  let messages: readonly Message[] = [{role: 'user', text}];
  let problem = '';
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    if (!mayAsk()) return {ok: false, problem: problem === '' ? 'the budget of the run is used up' : problem};
    const reply = await replyTo(question, messages, {isFirst: attempt === 0, signal});
    if (!reply.ok) return reply;
    const read = readAnswer(reply.value, schema);
    if (read.ok) return read;
    problem = read.problem;
    messages = repaired(text, reply.value, problem);
  }
  return {ok: false, problem};
}

const MAX_ATTEMPTS = 2;

interface Attempt {
  readonly isFirst: boolean;
  readonly signal: AbortSignal;
}

async function replyTo<T>(
  question: JsonQuestion<T>,
  messages: readonly Message[],
  {isFirst, signal}: Attempt,
): Promise<JsonAnswer<string>> {
  const {provider, system, maxOutputTokens, emit, turnId, onReply, onPaid} = question;
  const said = messages.at(-1);
  const origin = isFirst ? {} : {origin: 'harness' as const};
  if (said?.role === 'user')
    emit({type: 'item.completed', turn_id: turnId, item: {id: newId('itm'), type: 'user_message', text: said.text, ...origin}});
  const request: ModelRequest = {system, messages, tools: [], maxOutputTokens};
  const now = (): number => performance.now();
  const began = now();
  const received = await receiveReply({provider, request, turnId, emit, now, onPaid}, signal);
  if (!received.ok) return {ok: false, problem: received.failure.message};
  onReply(received.reply, now() - began);
  return {ok: true, value: received.reply.message.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')};
}

function readAnswer<T>(text: string, schema: z.ZodMiniType<T>): JsonAnswer<T> {
  if (text.trim() === '') return {ok: false, problem: 'the answer is empty'};
  try {
    const parsed = schema.safeParse(readLenientJson(objectIn(text)).value);
    if (parsed.success) return {ok: true, value: parsed.data};
    const issues = parsed.error.issues.slice(0, 8).map(({path, message}) => `${path.join('.') || '(root)'}: ${message}`);
    return {ok: false, problem: issues.join('; ')};
  } catch (thrown) {
    return {ok: false, problem: toFettleError(thrown).message};
  }
}

/** Words around the object are common; what is between the outermost braces counts. */
function objectIn(text: string): string {
  const [from, to] = [text.indexOf('{'), text.lastIndexOf('}')];
  return from >= 0 && to > from ? text.slice(from, to + 1) : text;
}

/** A message without content is refused by some providers. */
function repaired(text: string, answer: string, problem: string): readonly Message[] {
  const again = `This does not fit: ${problem}. Answer again, with the one JSON object and nothing else.`;
  if (answer.trim() === '') return [{role: 'user', text: `${text}\n\n${again}`}];
  return [
    {role: 'user', text},
    {role: 'assistant', parts: [{type: 'text', text: answer}]},
    {role: 'user', text: again},
  ];
}
