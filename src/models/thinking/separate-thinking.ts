import type {AssistantMessage, AssistantPart} from '../../protocol/messages.ts';
import type {ModelEvent, ModelReply, Provider} from '../provider.ts';
import {splitThinking} from './split-thinking.ts';
import {createThinkingStream} from './thinking-stream.ts';

/** The same provider, whose replies have reasoning that was written into their text as reasoning. */
export function separateThinking(provider: Provider): Provider {
  return {
    ...provider,
    async *stream(request, signal) {
      let splitter = createThinkingStream();
      for await (const event of provider.stream(request, signal)) {
        if (event.type === 'text') yield* splitter.push(event.delta);
        else {
          if (event.type === 'done' || event.type === 'tool_call') yield* splitter.end();
          if (event.type === 'retry') splitter = createThinkingStream();
          yield event.type === 'done' ? separated(event) : event;
        }
      }
    },
  };
}

function separated(event: Extract<ModelEvent, {type: 'done'}>): ModelEvent {
  const message = separateMessage(event.reply.message);
  const reply: ModelReply = {...event.reply, message};
  return message === event.reply.message ? event : {...event, reply};
}

/** Only the first text of a message can begin with reasoning. What a provider wants back unchanged is gone from a text that was split. */
function separateMessage(message: AssistantMessage): AssistantMessage {
  const place = message.parts.findIndex((part) => part.type !== 'reasoning');
  const part = message.parts[place];
  if (part?.type !== 'text') return message;
  const split = splitThinking(part.text, place === 0);
  if (split === undefined) return message;
  const parts: AssistantPart[] = [];
  if (split.thoughts !== '') parts.push({type: 'reasoning', text: split.thoughts});
  if (split.answer !== '') parts.push({type: 'text', text: split.answer});
  return {...message, parts: [...message.parts.slice(0, place), ...parts, ...message.parts.slice(place + 1)]};
}
