import type * as Rendering from './render-diff.ts';

/** Reads what makes rows of diffs, once; until then a change is shown in its simple form. */
export async function loadDiff(): Promise<void> {
  rendering ??= await import('./render-diff.ts');
}

export function loadedDiff(): typeof Rendering | undefined {
  return rendering;
}

let rendering: typeof Rendering | undefined;
