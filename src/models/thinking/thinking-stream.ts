import type {ModelEvent} from '../provider.ts';
import {closingIn, openingOf, strayClosing, type ThinkingTag} from './thinking-tags.ts';

type Delta = Extract<ModelEvent, {type: 'text' | 'reasoning'}>;

/** Tells reasoning and answer apart while a text arrives; a tag may be split over any number of pieces. */
export interface ThinkingStream {
  push(piece: string): readonly Delta[];
  /** Returns the held-back text at the end of the stream. */
  end(): readonly Delta[];
}

export function createThinkingStream(): ThinkingStream {
  let held = '';
  let tag: ThinkingTag | undefined;
  let isAnswer = false;
  let wasSplit = false;
  /** The last character of the reasoning that was passed on. */
  let before = ' ';

  const beginning = (): Delta[] => {
    const text = held.trimStart();
    const opened = openingOf(text);
    const stray = strayClosing(text);
    if (typeof opened === 'object') [tag, held, wasSplit] = [opened, text.slice(opened.open.length), true];
    else if (typeof stray === 'number') [held, wasSplit] = [text.slice(stray), true];
    else if (opened !== 'perhaps' && stray !== 'perhaps') {
      isAnswer = true;
      return answer(wasSplit ? text : held);
    }
    return [];
  };

  const thinking = (open: ThinkingTag): Delta[] => {
    const end = closingIn(held, open, before);
    if (end >= 0 && end + open.close.length < held.length) {
      const thought = held.slice(0, end);
      [held, tag, before] = [held.slice(end + open.close.length), undefined, ' '];
      return reasoning(thought);
    }
    // The tag may be on its way, and the character after it shows whether it is only mentioned.
    const safe = Math.max(0, held.length - open.close.length - 1);
    const thought = held.slice(0, safe);
    held = held.slice(safe);
    before = thought.at(-1) ?? before;
    return reasoning(thought);
  };

  const answer = (text: string): Delta[] => {
    held = '';
    return text === '' ? [] : [{type: 'text', delta: text}];
  };

  return {
    push(piece) {
      held += piece;
      if (isAnswer) return answer(held);
      const deltas: Delta[] = [];
      for (;;) {
        const [length, open] = [held.length, tag];
        deltas.push(...(open === undefined ? beginning() : thinking(open)));
        if (isAnswer || held === '' || (held.length === length && tag === open)) return deltas;
      }
    },
    end() {
      if (tag === undefined) return answer(wasSplit ? held.trimStart() : held);
      const end = closingIn(held, tag, before);
      const [thought, rest] = end < 0 ? [held, ''] : [held.slice(0, end), held.slice(end + tag.close.length)];
      tag = undefined;
      return [...reasoning(thought), ...answer(rest.trimStart())];
    },
  };
}

function reasoning(text: string): Delta[] {
  return text === '' ? [] : [{type: 'reasoning', delta: text}];
}
