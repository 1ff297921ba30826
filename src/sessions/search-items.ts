import type {ThreadItem} from '../protocol/items.ts';
import {readLog} from './log-reader.ts';

export interface ItemQuery {
  readonly query: string;
  /** Only results of this tool; `person`: messages of the person. */
  readonly tool?: string | undefined;
  /** Only results of calls that name this file, or a part of its path. */
  readonly file?: string | undefined;
}

export interface Passage {
  /** The item's place among the finished items of the log, from 1. */
  readonly item: number;
  /** The call whose result it is, or who said it. */
  readonly about: string;
  readonly text: string;
}

/**
 * Searches the items of one session for words, in any order and form, and returns the best passages of at most a few lines, the best first.
 * Rare words count more (BM25). Without words: the newest passages that fit the other conditions.
 */
export async function searchItems(file: string, wanted: ItemQuery): Promise<readonly Passage[]> {
  const terms = [...new Set(wordsOf(wanted.query).map(stemOf))];
  const seen = {passages: 0, words: 0, with: new Map<string, number>()};
  const found: Scored[] = [];
  const calls = new Map<string, string>();
  let item = 0;
  await readLog(file, ({event}) => {
    if (event.type !== 'item.completed') return;
    item += 1;
    if (event.item.type === 'tool_invocation')
      calls.set(event.item.id, `${event.item.tool_name} ${event.item.arguments}`.slice(0, LONGEST_CALL));
    const source = sourceOf(event.item, calls);
    if (source === undefined || !fits(source, wanted)) return;
    const aboutTerms = countTerms(wordsOf(source.about), terms);
    for (const text of passagesOf(source.text)) {
      const words = wordsOf(text);
      const counts = countTerms(words, terms);
      seen.passages += 1;
      seen.words += words.length;
      for (const term of counts.keys()) seen.with.set(term, (seen.with.get(term) ?? 0) + 1);
      if (counts.size + aboutTerms.size > 0 || terms.length === 0)
        found.push({item, about: source.about, text, counts, aboutTerms, length: words.length});
    }
    if (found.length > MOST_KEPT) found.splice(0, found.length, ...best(found, seen, MOST_KEPT / 2));
  });
  return best(found, seen, MOST_PASSAGES).map(({item: number, about, text}) => ({item: number, about: firstLine(about), text}));
}

const MOST_PASSAGES = 6;
const MOST_KEPT = 4000;
/** Characters. */
const LONGEST_CALL = 400;
const PASSAGE = 600;

interface Source {
  readonly kind: string;
  readonly about: string;
  readonly text: string;
}

/** Returns the searchable text of an item. Results of `recall` are excluded: they would be found in place of the original. */
function sourceOf(item: ThreadItem, calls: ReadonlyMap<string, string>): Source | undefined {
  if (item.type === 'user_message') return item.origin === 'harness' ? undefined : {kind: 'person', about: 'person', text: item.text};
  if (item.type === 'agent_message') return {kind: 'model', about: 'model', text: item.text};
  if (item.type !== 'tool_output' || /(?:^|__)recall$/.test(item.tool_name)) return undefined;
  return {kind: item.tool_name, about: calls.get(item.call_id) ?? item.tool_name, text: item.output};
}

function fits({kind, about}: Source, {tool, file}: ItemQuery): boolean {
  if (tool !== undefined && tool !== kind && !kind.endsWith(`__${tool}`)) return false;
  return file === undefined || about.includes(file);
}

/** Whole lines, about six hundred characters at once; half of each is repeated in the next one, so that nothing is split. */
function passagesOf(text: string): readonly string[] {
  const lines = text
    .split('\n')
    .flatMap((line) => (line.length <= PASSAGE ? [line] : (line.match(new RegExp(`.{1,${PASSAGE}}`, 'gsu')) ?? [])));
  const passages: string[] = [];
  let start = 0;
  while (start < lines.length) {
    let [end, size] = [start, 0];
    while (end < lines.length && (end === start || size + (lines[end]?.length ?? 0) <= PASSAGE)) {
      size += (lines[end]?.length ?? 0) + 1;
      end += 1;
    }
    const passage = lines.slice(start, end).join('\n').trim();
    if (passage !== '') passages.push(passage);
    if (end >= lines.length) break;
    start = Math.max(start + 1, Math.ceil((start + end) / 2));
  }
  return passages;
}

interface Scored {
  readonly item: number;
  readonly about: string;
  readonly text: string;
  readonly counts: ReadonlyMap<string, number>;
  readonly aboutTerms: ReadonlyMap<string, number>;
  /** Words. */
  readonly length: number;
}

interface Seen {
  readonly passages: number;
  readonly words: number;
  readonly with: ReadonlyMap<string, number>;
}

/** The best passages; of those that overlap, and of equal texts, the best one alone. */
function best(found: readonly Scored[], seen: Seen, most: number): readonly Scored[] {
  const average = seen.words / Math.max(1, seen.passages);
  const ranked = found
    .map((passage) => ({passage, score: scoreOf(passage, seen, average)}))
    .toSorted((a, b) => b.score - a.score || b.passage.item - a.passage.item);
  const kept: Scored[] = [];
  const texts = new Set<string>();
  for (const {passage} of ranked) {
    if (kept.length >= most) break;
    const key = `${passage.item} ${[...passage.counts.keys()].join(' ')}`;
    if (texts.has(passage.text) || (passage.counts.size > 0 && texts.has(key))) continue;
    texts.add(passage.text).add(key);
    kept.push(passage);
  }
  return kept;
}

/** BM25 with its usual constants; a word of the call counts half. */
function scoreOf({counts, aboutTerms, length}: Scored, {passages, with: containing}: Seen, average: number): number {
  let score = 0;
  for (const term of new Set([...counts.keys(), ...aboutTerms.keys()])) {
    const having = containing.get(term) ?? 0;
    const rarity = Math.log(1 + (passages - having + 0.5) / (having + 0.5));
    const count = (counts.get(term) ?? 0) + (aboutTerms.has(term) ? 0.5 : 0);
    score += (rarity * count * 2.2) / (count + 1.2 * (0.25 + (0.75 * length) / Math.max(1, average)));
  }
  return score;
}

function countTerms(words: readonly string[], terms: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const wanted = new Set(terms);
  for (const word of words) {
    const stem = stemOf(word);
    if (wanted.has(stem)) counts.set(stem, (counts.get(stem) ?? 0) + 1);
  }
  return counts;
}

/** Words and the parts of names (`retryLimit`, `retry_limit`); of scripts without spaces, pairs of signs. */
function wordsOf(text: string): readonly string[] {
  const words: string[] = [];
  for (const [run] of text.matchAll(/[\p{L}\p{N}]+/gu)) {
    if (UNSPACED.test(run)) for (let at = 0; at < Math.max(1, run.length - 1); at += 1) words.push(run.slice(at, at + 2));
    else if (/\p{Ll}\p{Lu}/u.test(run))
      words.push(run.toLowerCase(), ...run.split(/(?<=\p{Ll})(?=\p{Lu})/u).map((part) => part.toLowerCase()));
    else words.push(run.toLowerCase());
  }
  return words;
}

const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/** Enough for `listens`, `listening`, `ports`, `retries`; errors are the same on both sides. */
function stemOf(word: string): string {
  const known = stems.get(word);
  if (known !== undefined) return known;
  const stem = newStem(word);
  if (stems.size < MOST_STEMS) stems.set(word, stem);
  return stem;
}

const stems = new Map<string, string>();
const MOST_STEMS = 50_000;

function newStem(word: string): string {
  if (word.length < 4 || /\d/.test(word)) return word;
  const stem = word.replace(/(?:ies|ied)$/, 'y').replace(/(?:ing|ed|es|s)$/, '');
  return (stem.length >= 3 ? stem : word).replace(/(.)\1$/, '$1').replace(/e$/, '');
}

function firstLine(about: string): string {
  return about.replaceAll(/\s+/g, ' ').slice(0, 160);
}
