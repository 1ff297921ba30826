import type * as z from 'zod/mini';
import {toFettleError} from '../../base/errors.ts';
import {newId} from '../../base/ids.ts';
import type {ModelReply, ModelRequest, Paid, Provider} from '../../models/provider.ts';
import type {ThreadEvent} from '../../protocol/events.ts';
import type {AssistantPart, Message} from '../../protocol/messages.ts';
import {readLenientJson} from '../../tools/arguments/lenient-json.ts';
import {createFrameRecord} from '../frame-record.ts';
import {receiveReply} from '../receive-reply.ts';
import {textOf} from '../replies/read-reply.ts';
import type {ReceivedReply} from '../replies/received-reply.ts';
import type {RoleTools} from './role-tools.ts';

export interface JsonQuestion<T> {
  readonly provider: Provider;
  readonly system: string;
  readonly text: string;
  readonly schema: z.ZodMiniType<T>;
  readonly maxOutputTokens: number;
  /** Tools that may be used before answering; absent: none. */
  readonly tools?: RoleTools | undefined;
  /** Receives the events of the question, which has a turn of its own. */
  readonly emit: (event: ThreadEvent) => void;
  readonly turnId: string;
  /** Called for each reply, since it costs something. */
  readonly onReply: (reply: ModelReply, durationMs: number) => void;
  /** Called for each failed attempt that costs something. */
  readonly onPaid: (paid: Paid) => void;
  /** False: the budget is used up. */
  readonly mayAsk: () => boolean;
}

export type JsonAnswer<T> = {readonly ok: true; readonly value: T} | {readonly ok: false; readonly problem: string};

/**
 * Asks a question whose answer is one JSON object; if there are tools, calls may come before it. An invalid
 * answer is sent back once, with the mistake (VT Code ended the run). After that, or if the provider fails, the
 * problem is returned. Never throws for mistakes of a model.
 */
export async function askJson<T>(question: JsonQuestion<T>, signal: AbortSignal): Promise<JsonAnswer<T>> {
  const {text, schema, mayAsk} = question;
  let {tools} = question;
  let messages: readonly Message[] = [{role: 'user', text}];
  let problem = '';
  for (let wrong = 0; wrong < MAX_ATTEMPTS;) {
    if (!mayAsk()) return {ok: false, problem: problem === '' ? 'the budget of the run is used up' : problem};
    const received = await receive({...question, tools}, messages, signal);
    if (!received.ok) {
      if (received.failure.code !== 'TOO_LARGE' || tools === undefined) return {ok: false, problem: received.failure.message};
      // A small window only has room for the task.
      tools = undefined;
      messages = [{role: 'user', text}];
      continue;
    }
    if (tools !== undefined && received.calls.length > 0) {
      const results = await tools.run(received.calls, signal);
      if (!tools.goesOn()) return {ok: false, problem: 'it read on and on, and did not answer'};
      messages = [...messages, {role: 'assistant', parts: partsOf(received)}, {role: 'tool', results}];
      continue;
    }
    const answer = textOf(received.reply.message.parts);
    const read = readAnswer(answer, schema);
    if (read.ok) return read;
    problem = read.problem;
    messages = repaired(messages, answer, problem);
    wrong += 1;
  }
  return {ok: false, problem};
}

const MAX_ATTEMPTS = 2;

type Received = Extract<ReceivedReply, {ok: true}>;

async function receive<T>(question: JsonQuestion<T>, messages: readonly Message[], signal: AbortSignal): Promise<ReceivedReply> {
  const {provider, system, maxOutputTokens, emit, turnId, onReply, onPaid, tools} = question;
  const said = messages.at(-1);
  const origin = messages.length === 1 && said?.role === 'user' && said.text === question.text ? {} : {origin: 'harness' as const};
  if (said?.role === 'user')
    emit({type: 'item.completed', turn_id: turnId, item: {id: newId('itm'), type: 'user_message', text: said.text, ...origin}});
  const request: ModelRequest = {system, messages, tools: tools?.schemas ?? [], maxOutputTokens};
  if (messages.length === 1) createFrameRecord(emit)(request);
  const now = (): number => performance.now();
  const began = now();
  const received = await receiveReply({provider, request, turnId, emit, now, onPaid}, signal);
  if (received.ok) onReply(received.reply, now() - began);
  return received;
}

/** Splits the model's message, with calls written as text in the place of that text. */
function partsOf({reply, calls}: Received): readonly AssistantPart[] {
  const {parts} = reply.message;
  const isWhole = parts.filter(({type}) => type === 'tool_call').length === calls.length;
  return isWhole ? parts : [...parts.filter(({type}) => type === 'reasoning'), ...calls.map(({call}) => call)];
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

/** Models often write words around the object; the text between the outermost braces counts. */
function objectIn(text: string): string {
  const [from, to] = [text.indexOf('{'), text.lastIndexOf('}')];
  return from >= 0 && to > from ? text.slice(from, to + 1) : text;
}

/** A message without content is refused by some providers, and so are two of a user in a row. */
function repaired(messages: readonly Message[], answer: string, problem: string): readonly Message[] {
  const again = `This does not fit: ${problem}. Answer again, with the one JSON object and nothing else.`;
  if (answer.trim() !== '') return [...messages, {role: 'assistant', parts: [{type: 'text', text: answer}]}, {role: 'user', text: again}];
  const last = messages.at(-1);
  if (last?.role !== 'user') return [...messages, {role: 'user', text: again}];
  return [...messages.slice(0, -1), {role: 'user', text: `${last.text}\n\n${again}`}];
}
