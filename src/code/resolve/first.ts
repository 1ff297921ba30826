/** The first answer that there is. */
export function first<T, R>(items: readonly T[], ask: (item: T) => R | undefined): R | undefined {
  for (const item of items) {
    const found = ask(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
