import {endingCarrier, type EndingCarrier} from './carry-endings.ts';
import {endingFinder, lineBreaks, type LineEnding, type PlainBreaks} from '../line-endings.ts';

/** The new content for a part of a text; both texts have plain line breaks. */
export interface Replacement {
  /** Offsets in the text with plain breaks. */
  readonly start: number;
  readonly end: number;
  readonly newPlain: string;
  /** For a text without any line break: the ending of new lines. Default `\n`. */
  readonly ownEnding?: LineEnding | undefined;
}

/**
 * Replaces parts of a text, ascending and apart from each other; every other character stays. New lines take the endings of the lines
 * they replace, else those around them. Linear in the length of the text.
 */
export function replaceRanges(text: string, plain: PlainBreaks, replacements: readonly Replacement[]): string {
  const endingAround = endingFinder(text);
  const carrierFor = lastCarrier();
  const parts: string[] = [];
  let kept = 0;
  for (const {start, end, newPlain, ownEnding} of replacements) {
    const [from, to] = [plain.originalOffset(start), plain.originalOffset(end)];
    const carrier = carrierFor(plain.text.slice(start, end), newPlain);
    parts.push(text.slice(kept, from), carrier.carry(text.slice(from, to), endingAround(to) ?? ownEnding ?? '\n'));
    kept = to;
  }
  parts.push(text.slice(kept));
  return parts.join('');
}

/** The first line ending in the given text. */
export function ownEnding(content: string): LineEnding {
  return lineBreaks(content)[0] ?? '\n';
}

/** Many places often get the same text. */
function lastCarrier(): (oldPlain: string, newPlain: string) => EndingCarrier {
  let last: {oldPlain: string; newPlain: string; carrier: EndingCarrier} | undefined;
  return (oldPlain, newPlain) => {
    if (last?.oldPlain !== oldPlain || last.newPlain !== newPlain) {
      last = {oldPlain, newPlain, carrier: endingCarrier(oldPlain, newPlain)};
    }
    return last.carrier;
  };
}
