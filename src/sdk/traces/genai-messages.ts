import {parseJson, type Json} from '../../base/json.ts';
import type {Message} from '../../protocol/messages.ts';

/** Longer content is cut to the newest messages: backends do not take more. */
const MAX_CHARS = 256 * 1024;

/** Returns JSON text by the schema of `gen_ai.input.messages`; of a long conversation only its end. */
export function inputMessages(messages: readonly Message[]): string {
  const texts: string[] = [];
  let chars = 2;
  for (const message of messages.toReversed()) {
    const text = JSON.stringify(converted(message));
    chars += text.length + 1;
    if (chars > MAX_CHARS) break;
    texts.unshift(text);
  }
  return `[${texts.join(',')}]`;
}

/** Returns JSON text by the schema of `gen_ai.output.messages`. */
export function outputMessages(reply: Message | undefined, finishReason: string): string {
  return JSON.stringify(reply === undefined ? [] : [{...converted(reply), finish_reason: finishReason}]);
}

function converted(message: Message): {role: string; parts: readonly Json[]} {
  if (message.role === 'user') return {role: 'user', parts: [{type: 'text', content: message.text}]};
  if (message.role === 'tool') {
    return {role: 'tool', parts: message.results.map(({callId, text}) => ({type: 'tool_call_response', id: callId, response: text}))};
  }
  return {
    role: 'assistant',
    parts: message.parts.map((part) =>
      part.type === 'tool_call'
        ? {type: 'tool_call', id: part.id, name: part.name, arguments: parseJson(part.arguments) ?? part.arguments}
        : {type: part.type, content: part.text},
    ),
  };
}
