import {counted} from '../../base/counted.ts';
import {findAll} from './find-all.ts';

/**
 * A known slip in copying: the old text would be found if it were undone. One sentence with the line, or undefined.
 * Both texts have plain breaks.
 */
export function copyingMistake(text: string, wanted: string): string | undefined {
  for (const mistake of MISTAKES) {
    const repaired = mistake.undo(wanted);
    const at = repaired === wanted ? undefined : findAll(text, repaired)[0];
    if (at !== undefined) return `${mistake.says} Without that it is on line ${text.slice(0, at).split('\n').length}.`;
  }
  return undefined;
}

/** Describes how two texts differ, by the kinds of difference listed below; empty if there is any other difference. */
export function differencesBetween(wanted: readonly string[], found: readonly string[]): string[] {
  const [left, right] = [wanted.join('\n'), found.join('\n')];
  if (left.length + right.length > MAX_COMPARED) return [];
  const equalBut = (folds: readonly Difference[]) => {
    const fold = (text: string) => folds.reduce((folded, difference) => difference.fold(folded), text);
    return fold(right).includes(fold(left));
  };
  const single = DIFFERENCES.find((difference) => equalBut([difference]));
  if (single !== undefined) return [single.says(left, right)];
  if (!equalBut(DIFFERENCES)) return [];
  const needed = DIFFERENCES.filter((one) => !equalBut(DIFFERENCES.filter((other) => other !== one)));
  return needed.map((difference) => difference.says(left, right));
}

/** The text without everything that is known to go wrong in copying; lines stay lines. */
export function foldDifferences(text: string): string {
  return DIFFERENCES.reduce((folded, difference) => difference.fold(folded), text);
}

/** Removes the line numbers of a read output (`12\ttext`, `12→text`, `12: text`, `12 | text`) if every line has one. */
export function withoutLineNumbers(text: string): string {
  const lines = text.split('\n');
  const bare = lines.map((line) => line.replace(LINE_NUMBER, ''));
  const numbered = lines.every((line, index) => line !== bare[index] || (line === '' && lines.length > 1));
  return numbered ? bare.join('\n') : text;
}

function mapLines(text: string, change: (line: string) => string): string {
  return text.split('\n').map(change).join('\n');
}

function withoutOuterBreaks(text: string): string {
  let [start, end] = [0, text.length];
  while (text[start] === '\n') start++;
  while (end > start && text[end - 1] === '\n') end--;
  return text.slice(start, end);
}

interface Mistake {
  readonly says: string;
  undo(wanted: string): string;
}

interface Difference {
  /** Makes texts equal that differ only in this; never touches line breaks. */
  fold(text: string): string;
  says(wanted: string, found: string): string;
}

const MAX_COMPARED = 100_000;

const LINE_NUMBER = /^ *\d+(?:\t|→|: ?| ?\| ?)/;

const MISTAKES: readonly Mistake[] = [
  {
    says: 'The old text carries line-number prefixes of a read output, which are not in the file: leave them out.',
    undo: withoutLineNumbers,
  },
  {
    says: 'The old text begins with a byte order mark, which is not part of the text: leave it out.',
    undo: (wanted) => wanted.replace(/^\uFEFF/, ''),
  },
  {
    says: 'The old text begins or ends with line breaks that are not in the file there: leave them out.',
    undo: withoutOuterBreaks,
  },
  {
    says: 'The old text is escaped once too often (\\n, \\t, \\" as two characters): send the characters themselves.',
    undo: (wanted) => wanted.replace(/\\([ntr"'`\\])/g, (_, letter: string) => ESCAPES[letter] ?? letter),
  },
  {
    says: 'The old text has HTML entities (&lt; &gt; &amp;) where the file has the characters: send the characters.',
    undo: (wanted) => wanted.replace(/&(?:lt|gt|quot|#39|amp);/g, (entity) => ENTITIES[entity] ?? entity),
  },
];

const DIFFERENCES: readonly Difference[] = [
  {
    fold: (text) => mapLines(text, (line) => line.trimEnd()),
    says: (wanted, found) =>
      countTrailing(found) > countTrailing(wanted)
        ? 'blanks at the end of lines, which the file has and the old text has not'
        : 'blanks at the end of lines, which the old text has and the file has not',
  },
  {
    fold: (text) => mapLines(text, (line) => line.trimStart()),
    says: indentation,
  },
  {
    fold: (text) => text.replace(/(\S)[^\S\n]+(?=\S)/g, '$1 '),
    says: () => 'blanks inside lines (number of them, tabs, or no-break spaces)',
  },
  {
    fold: (text) => text.toWellFormed(),
    says: () => 'bytes that are not valid UTF-8, shown as \uFFFD: choose other old text',
  },
  {
    fold: (text) => text.normalize('NFC').replace(/\p{Default_Ignorable_Code_Point}/gu, ''),
    says: () => 'Unicode form (composed or decomposed characters, invisible characters)',
  },
  {
    fold: (text) =>
      text
        .replace(/[‘’‚′]/g, "'")
        .replace(/[“”„″]/g, '"')
        .replace(/[‐‑‒–—−]/g, '-')
        .replaceAll('…', '...'),
    says: () => 'quotation marks, dashes or dots (typographic or plain)',
  },
  {
    fold: (text) => text.toLowerCase(),
    says: () => 'upper and lower case',
  },
];

function countTrailing(text: string): number {
  return text.length - mapLines(text, (line) => line.trimEnd()).length;
}

function indentation(wanted: string, found: string): string {
  const foundLines = found.split('\n');
  const pairs = wanted.split('\n').map((line, index) => ({asked: indentOf(line), there: indentOf(foundLines[index] ?? '')}));
  const first = pairs.find(({asked, there}) => asked !== there);
  if (first === undefined) return 'indentation';
  return `indentation (first: ${blanks(first.there)} in the file, ${blanks(first.asked)} in the old text)`;
}

function indentOf(line: string): string {
  return line.slice(0, line.length - line.trimStart().length);
}

function blanks(indent: string): string {
  const tabs = indent.split('\t').length - 1;
  const others = indent.length - tabs;
  const named = [tabs > 0 ? counted(tabs, 'tab') : '', others > 0 ? counted(others, 'space') : ''].filter(Boolean);
  return named.length === 0 ? 'none' : named.join(' and ');
}

const ESCAPES: Readonly<Record<string, string>> = {n: '\n', t: '\t', r: '\n'};

const ENTITIES: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&amp;': '&',
};
