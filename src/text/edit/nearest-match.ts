import {findAll} from './find-all.ts';
import {substringDistance} from './substring-distance.ts';
import {foldDifferences, withoutLineNumbers} from './text-differences.ts';

export interface NearestMatch {
  /** 1-based. */
  readonly firstLine: number;
  /** The lines of the file there, as many as were looked for. */
  readonly lines: readonly string[];
  /** 0..1: one minus the edits needed for each character looked for. */
  readonly similarity: number;
}

/**
 * The place in the file that is most like the wanted text (both with plain breaks), undefined if nothing is.
 * Work is bounded: the first 8 MB of text are looked at, eight places are compared, 1,500 characters of each.
 */
export function nearestMatch(text: string, wanted: string): NearestMatch | undefined {
  const {matches, exact} = compared(text, wanted);
  const best = matches.reduce<NearestMatch | undefined>(
    (best, match) => (best === undefined || match.similarity > best.similarity ? match : best),
    undefined,
  );
  return exact || (best?.similarity ?? 0) >= MIN_SIMILARITY ? best : undefined;
}

/** All places that were compared, without duplicates. */
export function comparedMatches(text: string, wanted: string): readonly NearestMatch[] {
  const {matches} = compared(text, wanted);
  return matches.filter((match, index) => matches.findIndex(({firstLine}) => firstLine === match.firstLine) === index);
}

/** `exact`: they are the wanted text, if everything that goes wrong in copying is overlooked. */
function compared(text: string, wanted: string): {matches: readonly NearestMatch[]; exact: boolean} {
  const bare = withoutLineNumbers(wanted);
  const folded = foldDifferences(bare).trim();
  if (folded === '') return {matches: [], exact: false};
  const lines = text.slice(0, MAX_SEARCHED).split('\n');
  const foldedLines = foldDifferences(lines.join('\n')).split('\n');
  const wantedLines = folded.split('\n');
  const height = wantedLines.length;
  const exact = placesOfFolded(foldedLines, folded);
  const places = exact ?? likelyPlaces(foldedLines, wantedLines);
  const matches = places.map((place): NearestMatch => {
    const start = Math.max(0, Math.min(place, lines.length - height));
    const found = lines.slice(start, start + height);
    return {firstLine: start + 1, lines: found, similarity: similarity(bare.trim(), found.join('\n'))};
  });
  return {matches, exact: exact !== undefined};
}

const MAX_SEARCHED = 8 * 1024 * 1024;
const MAX_COMPARED = 1500;
const MAX_PLACES = 8;
const MAX_REPEATS = 8;
const MIN_SIMILARITY = 0.6;

function similarity(wanted: string, found: string): number {
  const pattern = wanted.slice(0, MAX_COMPARED);
  return 1 - substringDistance(pattern, found.slice(0, 2 * MAX_COMPARED)) / pattern.length;
}

/** Finds places where the text matches if everything that goes wrong in copying is overlooked. */
function placesOfFolded(foldedLines: readonly string[], folded: string): number[] | undefined {
  const text = foldedLines.join('\n');
  const found = findAll(text, folded).slice(0, MAX_PLACES);
  if (found.length === 0) return undefined;
  return found.map((at) => text.slice(0, at).split('\n').length - 1);
}

/** First lines of the places that share most lines with the wanted text, or have a line like its longest one. */
function likelyPlaces(foldedLines: readonly string[], wantedLines: readonly string[]): number[] {
  const scores = new Map<number, number>();
  const rowsOf = rowsByLine(wantedLines);
  const anchor = wantedLines.reduce((best, line, row) => (line.length > (wantedLines[best] ?? '').length ? row : best), 0);
  const likeness = likenessTo(wantedLines[anchor] ?? '');
  for (const [index, line] of foldedLines.entries()) {
    for (const row of rowsOf.get(line) ?? []) add(scores, index - row, 1);
    const score = likeness(line);
    if (score > MIN_LIKENESS) add(scores, index - anchor, score);
  }
  const ranked = [...scores].sort(([, left], [, right]) => right - left);
  return ranked.slice(0, MAX_PLACES).map(([place]) => place);
}

function add(scores: Map<number, number>, place: number, score: number): void {
  scores.set(place, (scores.get(place) ?? 0) + score);
}

function rowsByLine(wantedLines: readonly string[]): Map<string, number[]> {
  const rows = new Map<string, number[]>();
  for (const [row, line] of wantedLines.entries()) {
    if (line.length < 2) continue;
    const known = rows.get(line) ?? [];
    if (known.length < MAX_REPEATS) rows.set(line, [...known, row]);
  }
  return rows;
}

const MIN_LIKENESS = 0.3;

/** Scores a line by the share of the anchor's letter pairs that it holds; long lines hold many by chance and count less. */
function likenessTo(anchor: string): (line: string) => number {
  const pairs = new Set<number>();
  for (let at = 1; at < anchor.length; at++) pairs.add(pairAt(anchor, at));
  return (line) => {
    const seen = new Set<number>();
    for (let at = 1; at < line.length; at++) {
      const pair = pairAt(line, at);
      if (pairs.has(pair)) seen.add(pair);
    }
    return seen.size / (pairs.size + 0.1 * Math.max(0, line.length - anchor.length) + 1);
  };
}

function pairAt(text: string, at: number): number {
  return text.charCodeAt(at - 1) * 0x1_0000 + text.charCodeAt(at);
}
