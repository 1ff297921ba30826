import type {Message} from '../../protocol/messages.ts';

/**
 * The old part of a conversation as plain text for the request that summarises it, at most `maxChars` long: of long results the beginning
 * and the end, and where that is still too much, the oldest messages are left out, which the text says. Tags of the frame are broken up,
 * so that nothing in it can end the frame.
 */
export function transcriptText(messages: readonly Message[], maxChars: number): string {
  const texts = messages.map(messageText);
  let size = texts.reduce((sum, text) => sum + text.length + 2, 0);
  let first = 0;
  while (size > maxChars && first < texts.length - 1) {
    size -= (texts[first]?.length ?? 0) + 2;
    first += 1;
  }
  const kept = texts.slice(first).join('\n\n').slice(-maxChars);
  const missing = first === 0 ? '' : `[${first} older messages are left out here.]\n\n`;
  return `${missing}${kept}`.replaceAll(/<(\/?transcript)/gi, '<\u200b$1');
}

function messageText(message: Message): string {
  if (message.role === 'user') return `PERSON: ${ends(message.text, LONG_WORDS)}`;
  if (message.role === 'tool') return message.results.map(({name, text}) => `RESULT of ${name}: ${ends(text, LONG_RESULT)}`).join('\n');
  return message.parts
    .flatMap((part) => {
      if (part.type === 'reasoning') return [];
      return part.type === 'text' ? [`MODEL: ${ends(part.text, LONG_WORDS)}`] : [`CALL ${part.name}: ${ends(part.arguments, LONG_CALL)}`];
    })
    .join('\n');
}

/** Characters. */
const LONG_WORDS = 6000;
const LONG_RESULT = 2000;
const LONG_CALL = 800;

function ends(text: string, most: number): string {
  if (text.length <= most) return text;
  const half = Math.floor(most / 2);
  return `${text.slice(0, half)} […${text.length - 2 * half} characters…] ${text.slice(-half)}`;
}
