import type {Message, ToolResultPart} from '../../protocol/messages.ts';
import {totalTokens} from './estimate-tokens.ts';

/** Shortens tool results, the long ones first, until the messages fit; what was left out can be recalled. Gives up at a few hundred characters each. */
export function fitResults(messages: readonly Message[], maxTokens: number): readonly Message[] {
  let fitted = messages;
  for (const most of [40_000, 20_000, 10_000, 5000, 2000, 500]) {
    if (totalTokens(fitted) <= maxTokens) break;
    fitted = messages.map((message) =>
      message.role === 'tool' ? {...message, results: message.results.map((result) => cut(result, most))} : message,
    );
  }
  return fitted;
}

function cut(result: ToolResultPart, most: number): ToolResultPart {
  if (result.text.length <= most) return result;
  const half = Math.floor(most / 2);
  const recall = result.item === undefined ? '' : `; recall {"item": ${result.item}} shows it`;
  const text = `${result.text.slice(0, half)}\n[… ${result.text.length - 2 * half} characters left out${recall} …]\n${result.text.slice(-half)}`;
  return {...result, text};
}
