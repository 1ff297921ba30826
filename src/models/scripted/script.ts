import {setTimeout as delay} from 'node:timers/promises';
import type {AssistantMessage, Message} from '../../protocol/messages.ts';
import {NO_USAGE} from '../../protocol/usage.ts';
import type {ModelEvent, ModelReply, ModelRequest, Provider} from '../provider.ts';
import {replyEvents} from './script-events.ts';
import type {ScriptReply} from './script-file.ts';

/**
 * The provider `script:FILE`: answers one request after the other with the replies of a scenario file, at no cost.
 * Throws CONFIG if the file cannot be read or is not a scenario, naming the place. A request that the scenario does not expect,
 * or one past its last reply, is a PROVIDER failure.
 */
export async function createScriptProvider(file: string): Promise<Provider> {
  const {readScript} = await import('./script-file.ts');
  const replies = await readScript(file);
  let answered = 0;

  async function* stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    const reply = replies[answered];
    const problem = reply === undefined ? pastTheEnd(replies.length) : unmetExpectation(reply, request.messages);
    if (reply === undefined || problem !== undefined) {
      yield failure(`${file}: reply ${answered + 1}: ${problem}`);
      return;
    }
    answered += 1;
    if (reply.delayMs !== undefined) await pause(reply.delayMs, signal);
    yield* replyEvents(toModelReply(reply, `script_${request.messages.length}_${answered}`), signal);
  }

  return {model: `script:${file}`, stream};
}

function pastTheEnd(count: number): string {
  return `the script has only ${count}; the conversation went on longer than it.`;
}

/** `expect` is searched for since the last reply: in tool results and messages of the person. */
function unmetExpectation({expect}: ScriptReply, messages: readonly Message[]): string | undefined {
  if (expect === undefined) return undefined;
  const lastReply = messages.findLastIndex((message) => message.role === 'assistant');
  const heard = messages.slice(lastReply + 1).flatMap(textsOf);
  if (heard.some((text) => text.includes(expect))) return undefined;
  return `expected ${JSON.stringify(expect)} in the last tool result or user text, got ${JSON.stringify(heard.join('\n').slice(0, 200))}.`;
}

function textsOf(message: Message): readonly string[] {
  if (message.role === 'user') return [message.text];
  return message.role === 'tool' ? message.results.map(({text}) => text) : [];
}

function toModelReply(reply: ScriptReply, idPrefix: string): ModelReply {
  const calls = reply.toolCalls ?? [];
  const message: AssistantMessage = {
    role: 'assistant',
    parts: [
      ...(reply.reasoning === undefined ? [] : [{type: 'reasoning' as const, text: reply.reasoning}]),
      ...(reply.text === undefined ? [] : [{type: 'text' as const, text: reply.text}]),
      ...calls.map((call, index) => ({
        type: 'tool_call' as const,
        id: `${idPrefix}_${index + 1}`,
        name: call.name,
        arguments: typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments ?? {}),
      })),
    ],
  };
  return {
    message,
    stopReason: calls.length > 0 ? 'tool_calls' : 'end',
    usage: {...NO_USAGE, ...reply.usage},
    costUsd: 0,
    retries: 0,
  };
}

/** An abort ends the pause; the stream then says so itself. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, {signal}).catch(() => undefined);
}

function failure(message: string): ModelEvent {
  return {type: 'error', failure: {code: 'PROVIDER', message, hint: 'Fix the script, or record it again.', retries: 0}};
}
