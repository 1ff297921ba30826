import type * as Parts from './file-parts.ts';
import type * as Rendering from './render-diff.ts';

/** Loads the renderer of diffs, once; until then a change is shown in its simple form. */
export async function loadDiff(): Promise<void> {
  if (library !== undefined) return;
  const [rendering, parts] = await Promise.all([import('./render-diff.ts'), import('./file-parts.ts')]);
  library = {...rendering, ...parts};
}

export function loadedDiff(): (typeof Rendering & typeof Parts) | undefined {
  return library;
}

let library: (typeof Rendering & typeof Parts) | undefined;
