import {onAbort} from '../../../../base/waiting/on-abort.ts';
import type {AgentSession} from '../../host-adapter.ts';
import type {Action} from '../../model/action.ts';

/** Time without typing before files are searched; searching their contents starts a process. Milliseconds. */
const DEBOUNCE = 40;
const DEBOUNCE_CONTENTS = 120;

/** Searches items to mention while a person types; a newer query ends the older one (VT Code architecture › debounce and cancellation pipeline). */
export interface FileSearch {
  look(query: string): void;
  close(): void;
}

export function createFileSearch(session: () => AgentSession | undefined, dispatch: (action: Action) => void): FileSearch {
  let looking: AbortController | undefined;
  const find = async (query: string, signal: AbortSignal): Promise<void> => {
    const items = await session()?.files(query, signal);
    if (items !== undefined && !signal.aborted) dispatch({type: 'suggested', query, items});
  };
  const begin = (query: string, signal: AbortSignal): void => {
    const timer = setTimeout(
      () => {
        // Before the conversation is open nobody can be asked: what was typed by then is looked for as soon as it is.
        if (session() === undefined) begin(query, signal);
        // A search that fails has nothing to suggest.
        else void find(query, signal).catch(() => undefined);
      },
      query.startsWith('/') ? DEBOUNCE_CONTENTS : DEBOUNCE,
    );
    onAbort(signal, () => clearTimeout(timer));
  };
  return {
    look(query) {
      looking?.abort();
      looking = new AbortController();
      begin(query, looking.signal);
    },
    close: () => looking?.abort(),
  };
}
