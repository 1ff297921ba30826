import {createVisibleStream} from '../../../base/visible-text.ts';

/** Text of a model on its way to the screen. */
export interface LiveText {
  /** The next piece, as a terminal may show it. */
  push(piece: string): string;
  /** Returns the held-back text; undefined if nothing was pushed. */
  end(): string | undefined;
}

export function createLiveText(): LiveText {
  const stream = createVisibleStream();
  let isEmpty = true;
  return {
    push(piece) {
      if (piece !== '') isEmpty = false;
      return stream.push(piece);
    },
    end: () => (isEmpty ? undefined : stream.end()),
  };
}
