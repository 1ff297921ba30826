import type {ItemQuery, Passage} from '../../sessions/search-items.ts';

/** Shows and finds what left the conversation, in the log of its session. */
export interface SessionRecall {
  /** Items by their numbers, from 1, both included, as text. */
  show(from: number, to: number): Promise<readonly string[]>;
  /** Passages that contain the words, the best first. */
  search(wanted: ItemQuery): Promise<readonly Passage[]>;
}
