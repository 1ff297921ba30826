import type {ScreenState} from '../model/screen-state.ts';
import {loadLanguage} from '../views/code/highlight-code.ts';
import {loadDiff} from '../views/diff/load-diff.ts';
import {missingLibraries, type Library, type Seen} from '../views/missing-libraries.ts';

/**
 * Begins to read what the picture of a state is better with. What cannot be read is not tried again: the simple form stays.
 * @param onLoaded Called whenever something new can be shown.
 */
export function createLibraryLoader(onLoaded: () => void): (state: ScreenState) => void {
  const begun = new Set<Library>();
  let seen: Seen | undefined;
  return (state) => {
    if (seen?.entries === state.entries && seen.dialogs === state.dialogs && seen.overlay === state.overlay) return;
    seen = state;
    for (const library of missingLibraries(state)) {
      if (begun.has(library)) continue;
      begun.add(library);
      load(library).then(onLoaded, () => undefined);
    }
  };
}

/** Reads all that the picture of a state is better with. Never rejects. */
export async function loadLibraries(state: ScreenState): Promise<void> {
  await Promise.allSettled(missingLibraries(state).map(load));
}

function load(library: Library): Promise<void> {
  return library === 'diff' ? loadDiff() : loadLanguage(library.slice('language:'.length));
}
