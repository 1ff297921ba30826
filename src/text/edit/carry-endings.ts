import {alignLines} from '../diff/align-lines.ts';
import {lineBreaks, type LineEnding} from '../line-endings.ts';

/** Gives the new text the endings of the lines it replaces. */
export interface EndingCarrier {
  /** @param replaced the text in the file, with its own endings; @param around the ending around the end of it. */
  carry(replaced: string, around: LineEnding): string;
}

/**
 * A line in both texts keeps its ending; a new line takes that of the line in its place, further new lines that of
 * the last one before them. Both texts have plain breaks (`\n`); what is replaced reads like `oldPlain`.
 */
export function endingCarrier(oldPlain: string, newPlain: string): EndingCarrier {
  const newLines = newPlain.split('\n');
  let origins: readonly number[] | undefined;
  const carry = (replaced: string, around: LineEnding) => {
    if (newLines.length === 1) return newPlain;
    const endings = [...lineBreaks(replaced), around];
    if (new Set(endings).size === 1) return newLines.join(endings[0]);
    origins ??= originOfLines(oldPlain.split('\n'), newLines);
    const last = newLines.length - 1;
    return newLines.map((line, index) => (index === last ? line : line + endings[origins?.[index] ?? 0])).join('');
  };
  return {carry};
}

/** For each new line the index of the old line whose ending it takes. */
function originOfLines(oldLines: readonly string[], newLines: readonly string[]): number[] {
  const origins: number[] = [];
  const anchors = [...alignLines(oldLines, newLines), [oldLines.length, newLines.length] as const];
  let previous = -1;
  for (const [oldIndex, newIndex] of anchors) {
    const first = origins.length;
    while (origins.length < newIndex) {
      const sameRow = previous + 1 + origins.length - first;
      origins.push(Math.max(0, Math.min(sameRow, oldIndex - 1)));
    }
    if (newIndex < newLines.length) origins.push(oldIndex);
    previous = oldIndex;
  }
  return origins;
}
