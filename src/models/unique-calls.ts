import {newId} from '../base/ids.ts';
import type {AssistantMessage, AssistantPart} from '../protocol/messages.ts';

/** Makes the ids of the calls in a reply unique: otherwise results would be ambiguous, and servers refuse such a history. */
export function withUniqueCalls(message: AssistantMessage): AssistantMessage {
  const taken = new Set<string>();
  return {...message, parts: message.parts.map((part) => withOwnId(part, taken))};
}

function withOwnId(part: AssistantPart, taken: Set<string>): AssistantPart {
  if (part.type !== 'tool_call') return part;
  const isTaken = part.id === '' || taken.has(part.id);
  taken.add(part.id);
  if (!isTaken) return part;
  const {native, ...rest} = part;
  const own = {...rest, id: newId('call')};
  // There the native form holds the id.
  return native === undefined || native.format === 'openai-responses' ? own : {...own, native};
}
