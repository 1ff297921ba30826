import {visibleText} from '../../base/visible-text.ts';

/** Makes text visible that arrives in pieces, as {@link visibleText} does with the whole. */
export interface LiveText {
  /** The next piece, as a terminal may show it. */
  push(piece: string): string;
  /** What was held back; undefined where nothing was ever pushed. */
  end(): string | undefined;
}

export function createLiveText(): LiveText {
  /** The end of what was shown: what follows is judged by it. */
  let before = '';
  /** Half a character, or half a line end. */
  let held = '';
  let isEmpty = true;

  const show = (text: string): string => {
    const shown = visibleText(before + text).slice(visibleText(before).length);
    before = (before + text).slice(-8);
    return shown;
  };
  return {
    push(piece) {
      if (piece === '') return '';
      isEmpty = false;
      const text = held + piece;
      held = /[\r\ud800-\udbff]$/.exec(text)?.[0] ?? '';
      return show(text.slice(0, text.length - held.length));
    },
    end: () => (isEmpty ? undefined : show(held)),
  };
}
