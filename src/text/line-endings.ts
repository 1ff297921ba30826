export type LineEnding = '\n' | '\r\n' | '\r';

/** The text with every line break as `\n`, and the way back to the offsets of the original. */
export interface PlainBreaks {
  readonly text: string;
  originalOffset(offset: number): number;
}

export function plainBreaks(text: string): PlainBreaks {
  if (!text.includes('\r')) return {text, originalOffset: (offset) => offset};
  const plain = toEnding(text, '\n');
  const shortened = crlfOffsets(text);
  return {text: plain, originalOffset: (offset) => offset + countBelow(shortened, offset)};
}

/** Every line break of the text becomes `ending`. */
export function toEnding(text: string, ending: LineEnding): string {
  return text.replace(LINE_BREAK, ending);
}

/** The line breaks of the text, in order. */
export function lineBreaks(text: string): LineEnding[] {
  return Array.from(text.matchAll(LINE_BREAK), ([ending]) => asEnding(ending));
}

/** Lines without their endings; a text that ends with a line break has no empty line after it, the empty text has no line. */
export function splitLines(text: string): string[] {
  const lines = text.split(LINE_BREAK);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/**
 * Finds the line ending at a position: that of its line, or, on the last line, that of the line before;
 * undefined if the text has none. Call it in ascending order, so that the text is scanned only once.
 */
export function endingFinder(text: string): (offset: number) => LineEnding | undefined {
  const next = new RegExp(LINE_BREAK);
  let at = -1;
  let ending: LineEnding | undefined;
  return (offset) => {
    if (offset <= at) return ending;
    next.lastIndex = offset;
    const match = next.exec(text);
    at = match?.index ?? text.length;
    ending = match === null ? lastEnding(text) : asEnding(match[0]);
    return ending;
  };
}

const LINE_BREAK = /\r\n|\n|\r/g;

function lastEnding(text: string): LineEnding | undefined {
  const lf = text.lastIndexOf('\n');
  const cr = text.lastIndexOf('\r');
  if (lf < 0 && cr < 0) return undefined;
  if (cr > lf) return '\r';
  return cr >= 0 && cr === lf - 1 ? '\r\n' : '\n';
}

/** Returns the offsets of the breaks that get shorter in the plain text. */
function crlfOffsets(text: string): number[] {
  const offsets: number[] = [];
  for (let at = text.indexOf('\r\n'); at >= 0; at = text.indexOf('\r\n', at + 2)) offsets.push(at - offsets.length);
  return offsets;
}

function countBelow(sorted: readonly number[], limit: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? Infinity) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

function asEnding(text: string): LineEnding {
  return text === '\r\n' || text === '\r' ? text : '\n';
}
