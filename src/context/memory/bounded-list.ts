/** A list that keeps its newest entries, without repetition, within a number of entries and of characters. */
export interface Kept<T> {
  readonly entries: readonly T[];
  /** The number of older entries that were dropped. */
  readonly forgotten: number;
}

export interface ListBound<T> {
  readonly entries: number;
  readonly characters: number;
  /** Returns the text that identifies an entry and counts towards the size; of two with the same text, the newer one stays. */
  readonly textOf: (entry: T) => string;
}

/** Adds entries at the end. The newest one always stays. */
export function keepNewest<T>(present: readonly T[], added: readonly T[], {entries, characters, textOf}: ListBound<T>): Kept<T> {
  const byText = new Map<string, T>();
  for (const entry of [...present, ...added]) {
    const text = textOf(entry);
    byText.delete(text);
    byText.set(text, entry);
  }
  const distinct = [...byText];
  let first = distinct.length;
  let size = 0;
  while (first > 0 && distinct.length - first < entries) {
    size += distinct[first - 1]?.[0].length ?? 0;
    if (size > characters && first < distinct.length) break;
    first -= 1;
  }
  return {entries: distinct.slice(first).map(([, entry]) => entry), forgotten: first};
}
