import {newId} from '../../base/ids.ts';
import type {ModelReply, ModelRequest} from '../../models/provider.ts';
import type {AssistantPart} from '../../protocol/messages.ts';
import {recogniseCalls} from './recognize-calls.ts';

/** A reply in the form that the loop uses. */
export interface ReadReply {
  readonly parts: readonly AssistantPart[];
  /** The original text, if the calls among the parts were written as text. */
  readonly received?: string;
  /** True: the text is, or ends in, a call that cannot be run. */
  readonly hasUnclearCall: boolean;
}

/** Looks for calls that were written as text if the reply has no others. They replace the text; the reasoning stays. */
export function readReply({message, stopReason}: ModelReply, request: ModelRequest, model: string): ReadReply {
  const {parts} = message;
  const text = textOf(parts);
  const asItIs = {parts: parts.filter(isSaid), hasUnclearCall: false};
  if (parts.some(({type}) => type === 'tool_call')) return {...asItIs, parts};
  if (text.trim() === '' || stopReason === 'max_tokens' || stopReason === 'refusal') return asItIs;
  const {tools, messages, outputSchema} = request;
  const found = recogniseCalls(text, {model, tools, messages, expectsJson: outputSchema !== undefined});
  if (found?.kind !== 'calls') return {...asItIs, hasUnclearCall: found !== undefined};
  const calls = found.calls.map(({name, fields}) => ({
    type: 'tool_call' as const,
    id: newId('call'),
    name,
    arguments: JSON.stringify(fields),
  }));
  return {parts: [...parts.filter(({type}) => type === 'reasoning'), ...calls], received: text, hasUnclearCall: false};
}

/** White space alone is not an answer, and some servers refuse to get it back. */
function isSaid(part: AssistantPart): boolean {
  return part.type !== 'text' || part.text.trim() !== '' || part.native !== undefined;
}

export function textOf(parts: readonly AssistantPart[]): string {
  return parts.flatMap((part) => (part.type === 'text' && part.text !== '' ? [part.text] : [])).join('\n');
}
