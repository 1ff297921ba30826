/** Earlier prompts, and the place among them that the editor shows. All functions are pure. */
export interface PromptHistory {
  /** Oldest first. */
  readonly prompts: readonly string[];
  /** The prompt that is shown; the number of prompts for the draft. */
  readonly at: number;
  /** Texts as they were left at other places: the draft, and prompts that were changed without being sent. */
  readonly left: ReadonlyMap<number, string>;
}

export function openPromptHistory(prompts: readonly string[]): PromptHistory {
  return {prompts, at: prompts.length, left: new Map()};
}

export interface Recalled {
  readonly history: PromptHistory;
  /** For the editor. */
  readonly text: string;
}

/** The prompt before or after the one shown, or the draft; undefined at either end. `shown`: the editor's text, which is remembered. */
export function recall(history: PromptHistory, by: -1 | 1, shown: string): Recalled | undefined {
  return recallAt(history, history.at + by, shown);
}

/** The prompt at a place, such as one that a search has found. */
export function recallAt(history: PromptHistory, at: number, shown: string): Recalled | undefined {
  if (at < 0 || at > history.prompts.length) return undefined;
  const left = new Map([...history.left, [history.at, shown]]);
  return {history: {...history, at, left}, text: left.get(at) ?? history.prompts[at] ?? ''};
}

/** Call it after a prompt was sent: it becomes the newest, and the draft is empty. A repeated or private one is not stored. */
export function remember(history: PromptHistory, prompt: string): PromptHistory {
  const isKept = isKeptPrompt(prompt) && history.prompts.at(-1) !== prompt;
  return openPromptHistory(isKept ? [...history.prompts, prompt].slice(-MOST_PROMPTS) : history.prompts);
}

/** A prompt that begins with a blank is private (bash › HISTCONTROL=ignorespace). */
export function isKeptPrompt(prompt: string): boolean {
  return prompt.trim() !== '' && !prompt.startsWith(' ');
}

export const MOST_PROMPTS = 1000;
