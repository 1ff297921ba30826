/** How patches and test sets of one task did against each other. */
export interface Pairs {
  /** Added and removed lines of each patch. */
  readonly lines: readonly number[];
  /** For each test set: it passes on the tree without any patch. */
  readonly before: readonly boolean[];
  /** For each patch, for each test set: it passes. */
  readonly after: readonly (readonly boolean[])[];
}

export type TestVerdict =
  | 'counts'
  /** It does not show the problem. */
  | 'passes-before'
  /** Nothing shows that any solution passes it. */
  | 'never-passes'
  | TestFault;

/** A reason why a test set proves nothing, which only further runs of it show. */
export type TestFault =
  /** It gave another result when it was run again. */
  | 'unsteady'
  /** A comment in the sources changes its result. */
  | 'reads-sources';

export interface Choice {
  readonly verdicts: readonly TestVerdict[];
  /** For each patch: the test sets that count and that it passes. */
  readonly passed: readonly number[];
  /** Index of the patch to be promoted. */
  readonly patch: number | undefined;
}

/**
 * Decides which patch is promoted. A test set counts if it fails before and passes with a patch. The patch that passes most of those wins, of equal
 * ones the smallest, then the first; it must pass more than half of them.
 */
export function choosePatch({lines, before, after}: Pairs, faults: ReadonlyMap<number, TestFault> = new Map()): Choice {
  const verdicts = before.map((passes, test): TestVerdict => {
    const fault = faults.get(test);
    if (passes || fault !== undefined) return fault ?? 'passes-before';
    return after.some((row) => row[test] === true) ? 'counts' : 'never-passes';
  });
  const passed = after.map((row) => row.filter((passes, test) => passes && verdicts[test] === 'counts').length);
  const counting = verdicts.filter((verdict) => verdict === 'counts').length;
  const able = passed.flatMap((count, patch) => (count * 2 > counting ? [{count, patch, size: lines[patch] ?? 0}] : []));
  const [best] = able.toSorted((a, b) => b.count - a.count || a.size - b.size || a.patch - b.patch);
  return {verdicts, passed, patch: best?.patch};
}
