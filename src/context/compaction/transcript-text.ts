import type {Message} from '../../protocol/messages.ts';
import {RECORD_START} from '../memory/render-memory.ts';

/**
 * Writes the old part of a conversation as plain text for the requests that summarise it, in pieces of at most `maxChars`, oldest first. Long
 * results keep their beginning and end. Where there are more than `most` pieces, the oldest are left out, which the first one says. The record of
 * an earlier compaction is not part of it. Tags of the frame are broken up, so that nothing in it can end the frame.
 */
export function transcriptPieces(
  messages: readonly Message[],
  {maxChars, most}: {readonly maxChars: number; readonly most: number},
): readonly string[] {
  const texts = messages.filter((message) => message.role !== 'user' || !message.text.startsWith(RECORD_START)).map(messageText);
  const pieces = packed(
    texts.filter((text) => text !== '').flatMap((text) => cutAt(harmless(text), maxChars)),
    maxChars,
  );
  const left = Math.max(0, pieces.length - most);
  const [first = '', ...rest] = pieces.slice(left);
  if (first === '') return [];
  return [left === 0 ? first : `[What came before is left out here: it was too long.]\n\n${first}`, ...rest];
}

function messageText(message: Message): string {
  if (message.role === 'user') return `PERSON: ${ends(message.text, LONG_WORDS)}`;
  if (message.role === 'tool') {
    return message.results
      .map(({name, text, isError}) => `RESULT of ${name}${isError ? ' (failed)' : ''}: ${ends(text, LONG_RESULT)}`)
      .join('\n');
  }
  return message.parts
    .flatMap((part) => {
      if (part.type === 'reasoning') return [];
      return part.type === 'text' ? [`MODEL: ${ends(part.text, LONG_WORDS)}`] : [`CALL ${part.name}: ${ends(part.arguments, LONG_CALL)}`];
    })
    .join('\n');
}

/** Characters. */
const LONG_WORDS = 12_000;
const LONG_RESULT = 16_000;
const LONG_CALL = 2000;

function ends(text: string, most: number): string {
  if (text.length <= most) return text;
  const half = Math.floor(most / 2);
  return `${text.slice(0, half).toWellFormed()} […${text.length - 2 * half} characters…] ${text.slice(-half).toWellFormed()}`;
}

function harmless(text: string): string {
  return text.replaceAll(/<(\/?(?:transcript|summary_so_far))/gi, '<\u200b$1');
}

/** A text in pieces, cut between lines if there are any. */
function cutAt(text: string, maxChars: number): readonly string[] {
  const pieces: string[] = [];
  let rest = text;
  while (rest.length > maxChars) {
    const line = rest.lastIndexOf('\n', maxChars);
    const at = line > maxChars / 2 ? line : maxChars;
    pieces.push(rest.slice(0, at).toWellFormed());
    rest = rest.slice(at);
  }
  return [...pieces, rest];
}

function packed(texts: readonly string[], maxChars: number): readonly string[] {
  const pieces: string[] = [];
  for (const text of texts) {
    const last = pieces.at(-1);
    if (last !== undefined && last.length + text.length + 2 <= maxChars) pieces[pieces.length - 1] = `${last}\n\n${text}`;
    else pieces.push(text);
  }
  return pieces;
}
