import type {ModelEvent} from '../../models/provider.ts';
import {withoutMiddle} from '../../tools/output/truncate-bytes.ts';

/**
 * The part of a reply that has arrived: for the log, in case the connection fails. It never goes back to a
 * model, since it may be incomplete.
 */
export interface ArrivedReply {
  take(event: ModelEvent): void;
  /**
   * Returns the text in order, with reasoning and calls after a line that names them; a long text is reduced to
   * both ends. undefined: nothing arrived.
   */
  interrupted(): string | undefined;
}

export function createArrivedReply(): ArrivedReply {
  const parts: {readonly name: string; text: string}[] = [];
  const grow = (name: string, delta: string): void => {
    const last = parts.at(-1);
    if (last?.name === name) last.text += delta;
    else parts.push({name, text: delta});
  };
  return {
    take(event) {
      if (event.type === 'text') grow('', event.delta);
      else if (event.type === 'reasoning') grow('[reasoning]\n', event.delta);
      else if (event.type === 'tool_call') parts.push({name: `[call of ${event.name}]\n`, text: ''});
      else if (event.type === 'tool_arguments') grow(parts.at(-1)?.name ?? '', event.delta);
    },
    interrupted() {
      const text = parts.map(({name, text: said}) => `${name}${said}`).join('\n\n');
      return text.trim() === '' ? undefined : withoutMiddle(text, LONGEST);
    },
  };
}

/** Bytes. */
const LONGEST = 16 * 1024;
