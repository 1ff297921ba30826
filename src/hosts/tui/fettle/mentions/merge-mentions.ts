import {fuzzyScore} from '../../../../search/fuzzy-score.ts';
import type {PickerItem} from '../../host-adapter.ts';

/** Something that a message can point at. */
export interface Candidate {
  readonly item: PickerItem;
  readonly kind: 'file' | 'symbol' | 'resource';
  /** Names that the query is compared with: the best match counts. */
  readonly names: readonly string[];
}

/** Merges candidates of all kinds into one list, best first; of equal matches files come first, then symbols. Leaves out what does not match. */
export function mergeMentions(candidates: readonly Candidate[], query: string): readonly PickerItem[] {
  const wanted = query.toLowerCase().replaceAll(/\s+/g, '');
  return candidates
    .flatMap(({item, kind, names}) => {
      const scores = names.flatMap((name) => fuzzyScore(name, wanted) ?? []);
      return scores.length === 0 ? [] : [{item, kind, score: Math.max(...scores)}];
    })
    .toSorted((a, b) => gradeOf(b.score) - gradeOf(a.score) || KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind) || b.score - a.score)
    .slice(0, MOST_FOUND)
    .map(({item}) => item);
}

const KINDS: readonly Candidate['kind'][] = ['file', 'symbol', 'resource'];
const MOST_FOUND = 50;

/** Scores that differ by less are equally good: by the length of a path, or where a word begins. */
function gradeOf(score: number): number {
  return Math.floor(score / 20);
}
