import type {ScreenState} from '../model/screen-state.ts';
import {MARKDOWN_START} from '../model/printed.ts';
import {loadLanguage} from '../views/code/highlight-code.ts';
import {loadDiff} from '../views/diff/load-diff.ts';
import {missingLibraries, type Library} from '../views/missing-libraries.ts';

/**
 * Starts loading the libraries that improve the view of a state. One that cannot be loaded is not tried again: the simple form stays.
 * @param onLoaded Called whenever something new can be shown.
 */
export function createLibraryLoader(onLoaded: () => void): (state: ScreenState) => void {
  const begun = new Set<Library>();
  let seen: Pick<ScreenState, 'entries' | 'dialogs' | 'overlay' | 'subagents'> | undefined;
  return (state) => {
    if (
      seen?.entries === state.entries &&
      seen.dialogs === state.dialogs &&
      seen.overlay === state.overlay &&
      seen.subagents === state.subagents
    )
      return;
    seen = state;
    for (const library of [...missingLibraries(state), ...missingLibraries(openedAgent(state))]) {
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

/** The newest entries of the subagent that is looked at. */
function openedAgent({overlay, subagents}: ScreenState): Parameters<typeof missingLibraries>[0] {
  const opened = overlay?.type === 'agent' ? subagents.find(({id}) => id === overlay.id) : undefined;
  const entries = opened?.entries.slice(-NEWEST) ?? [];
  return {entries, printed: {entries: 0, offset: 0, markdown: MARKDOWN_START}, dialogs: []};
}

const NEWEST = 50;
