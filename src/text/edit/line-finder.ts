import {findFirst} from './find-all.ts';

/** Finds runs of lines in the lines of a file, the more strictly the better. */
export interface LineFinder {
  /** Index of the first run at or after `from`; `last`: only at the end. undefined: nowhere. */
  find(wanted: readonly string[], from: number, last?: 'last'): number | undefined;
}

/** As they are, without blanks at the end, without blanks around, and with typographic signs as plain ones (Begin/End Patch format). */
export function createLineFinder(lines: readonly string[]): LineFinder {
  const levels = FOLDS.map((fold) => ({fold, folded: undefined as Folded | undefined}));
  return {
    find(wanted, from, last) {
      const start = last === undefined ? from : Math.max(from, lines.length - wanted.length);
      for (const level of levels) {
        level.folded ??= foldLines(lines, level.fold);
        const at = indexIn(level.folded, wanted.map(level.fold), start);
        if (at !== undefined) return at;
      }
      return undefined;
    },
  };
}

type Fold = (line: string) => string;

interface Folded {
  /** Each line between line breaks. */
  readonly text: string;
  /** Offset of the break before each line, and of the last break. */
  readonly starts: readonly number[];
}

const FOLDS: readonly Fold[] = [(line) => line, (line) => line.trimEnd(), (line) => line.trim(), plainSigns];

function plainSigns(line: string): string {
  return line
    .trim()
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/[\u2018-\u201B]/g, "'")
    .replace(/[\u201C-\u201F]/g, '"')
    .replace(/[\u00A0\u2000-\u200A\u202F\u205F\u3000]/g, ' ');
}

function foldLines(lines: readonly string[], fold: Fold): Folded {
  const folded = lines.map(fold);
  const starts = [0];
  for (const line of folded) starts.push((starts.at(-1) ?? 0) + line.length + 1);
  return {text: `\n${folded.join('\n')}\n`, starts};
}

function indexIn({text, starts}: Folded, wanted: readonly string[], from: number): number | undefined {
  const at = findFirst(text, `\n${wanted.join('\n')}\n`, starts[from] ?? text.length);
  return at === undefined ? undefined : lineAt(starts, at);
}

function lineAt(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((starts[middle] ?? Infinity) < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}
