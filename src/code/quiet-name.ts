/** Begins the name of a symbol that has none in the text: no identifier goes on with a digit here. */
export const QUIET = '#';

export function isQuietName(name: string): boolean {
  return /^#\d/u.test(name);
}

/** By index, whether a symbol has no name or is in one that has none: it can be referred to, but is not shown by itself. A parent comes first. */
export function quietSymbols(symbols: {readonly names: readonly string[]; readonly parents: ArrayLike<number>}): Uint8Array {
  const quiet = new Uint8Array(symbols.names.length);
  for (const [at, name] of symbols.names.entries()) {
    const parent = symbols.parents[at] ?? -1;
    if ((parent >= 0 && parent < at && quiet[parent] === 1) || isQuietName(name)) quiet[at] = 1;
  }
  return quiet;
}
