import {CORRECTION_WORDS, UNSPACED_CORRECTION_WORDS} from './correction-words.table.ts';

/**
 * Returns the part of a person's message that must be preserved word for word: a correction, a prohibition, a rule for the rest of the work.
 * It is known by {@link CORRECTION_WORDS}, or by the person's own mark: a line that begins with `!!`. Of a long message only the matching
 * paragraphs are kept. Undefined if the message has no such part.
 */
export function correctionIn(text: string): string | undefined {
  const trimmed = text.trim();
  if (trimmed.length <= WHOLE) return isCorrection(trimmed) ? trimmed : undefined;
  const kept: string[] = [];
  let room = MOST;
  for (const piece of piecesOf(trimmed)) {
    if (!isCorrection(piece) || piece.length > room) continue;
    kept.push(piece);
    room -= piece.length;
  }
  return kept.length === 0 ? undefined : kept.join('\n…\n');
}

/** Characters: a message of this length is kept whole. */
const WHOLE = 1000;
/** Characters that are kept of a longer one. */
const MOST = 2000;

function isCorrection(text: string): boolean {
  return MARK.test(text) || wordsFor(text).some((pattern) => pattern.test(text));
}

/** Paragraphs; of one that is long itself, sentences. */
function piecesOf(text: string): readonly string[] {
  return text.split(/\n\s*\n|\n(?=\s*(?:[-*•]|\d+[.)]|!!)\s*)/).flatMap((paragraph) => {
    const piece = paragraph.trim();
    return piece.length <= WHOLE ? [piece] : piece.split(/(?<=[.!?。！？])\s+|\n/).map((sentence) => sentence.trim());
  });
}

const MARK = /^\s*!!\s*\S/m;

/** For texts of ASCII alone, as most are: without the letters of all scripts, the pattern is made in a quarter of the time. */
let asciiWords: readonly RegExp[] | undefined;
let anyWords: readonly RegExp[] | undefined;

/** Patterns are made when they are first needed: that takes milliseconds. */
function wordsFor(text: string): readonly RegExp[] {
  return ASCII.test(text) ? (asciiWords ??= asciiPatterns()) : (anyWords ??= patterns());
}

function asciiPatterns(): readonly RegExp[] {
  const words = alternatives(CORRECTION_WORDS).replaceAll('\\p{L}', '[a-z]');
  return [new RegExp(`(?<![a-z0-9_])(?:${words})(?![a-z0-9_])`, 'i')];
}

function patterns(): readonly RegExp[] {
  const words = alternatives(CORRECTION_WORDS);
  return [
    new RegExp(`(?<![\\p{L}\\p{N}_])(?:${words})(?![\\p{L}\\p{N}_])`, 'iu'),
    new RegExp(alternatives(UNSPACED_CORRECTION_WORDS), 'u'),
  ];
}

const ASCII = /^[\t-~]*$/;

function alternatives(table: typeof CORRECTION_WORDS): string {
  return Object.values(table).flat().join('|');
}
