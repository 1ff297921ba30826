import type {PromptHistory} from './prompt-history.ts';

/** An incremental search backwards (readline › reverse-search-history). */
export interface HistorySearch {
  readonly query: string;
  /** The newest matching prompt, searching from the current match; the last match if no other follows. */
  readonly match: HistoryMatch | undefined;
  readonly failed: boolean;
}

export interface HistoryMatch {
  /** Place in the prompts. */
  readonly at: number;
  readonly prompt: string;
  /** Offset of the query in the prompt. */
  readonly offset: number;
}

export const NEW_SEARCH: HistorySearch = {query: '', match: undefined, failed: false};

/** The search with another query. A longer one continues from the current match, any other begins at the newest prompt. */
export function searchFor({prompts}: PromptHistory, search: HistorySearch, query: string): HistorySearch {
  if (query === '') return NEW_SEARCH;
  const goesOn = search.query !== '' && query.startsWith(search.query);
  if (goesOn && search.failed) return {...search, query};
  const match = newestMatch(prompts, query, goesOn ? search.match?.at : undefined);
  return {query, match: match ?? (goesOn ? search.match : undefined), failed: match === undefined};
}

/** The next older prompt that fits and says something else. */
export function searchEarlier({prompts}: PromptHistory, search: HistorySearch): HistorySearch {
  const {query, match} = search;
  if (match === undefined || search.failed) return search;
  for (let older = newestMatch(prompts, query, match.at - 1); older !== undefined; older = newestMatch(prompts, query, older.at - 1))
    if (older.prompt !== match.prompt) return {...search, match: older};
  return {...search, failed: true};
}

/** The search is case-sensitive only if the query has capital letters. */
function newestMatch(prompts: readonly string[], query: string, from = prompts.length - 1): HistoryMatch | undefined {
  const isExact = query !== query.toLowerCase();
  for (let at = Math.min(from, prompts.length - 1); at >= 0; at--) {
    const prompt = prompts[at] ?? '';
    const offset = (isExact ? prompt : prompt.toLowerCase()).indexOf(query);
    if (offset !== -1) return {at, prompt, offset};
  }
  return undefined;
}
