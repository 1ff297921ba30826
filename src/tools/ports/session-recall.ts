import type {ItemQuery, Passage} from '../../sessions/search-items.ts';

/** Shows and finds items that left the conversation, in the log of its session. */
export interface SessionRecall {
  /** Returns a range of items as text, by their numbers from 1, inclusive. */
  show(from: number, to: number): Promise<readonly string[]>;
  /** Returns passages that contain the words, best first. */
  search(wanted: ItemQuery): Promise<readonly Passage[]>;
}
