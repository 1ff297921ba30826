import {FettleError} from '../../../../base/errors.ts';
import type {AgentSession} from '../../host-adapter.ts';
import type {Action} from '../../model/action.ts';

export interface PictureRequestOptions {
  readonly session: () => AgentSession | undefined;
  readonly dispatch: (action: Action) => void;
  /** Shows an error to the person. */
  readonly tell: (thrown: unknown) => void;
}

/** Asks the session to keep pictures, while the person goes on typing. */
export interface PictureRequests {
  /** Adds the pictures at pasted paths. */
  paste(pasted: string, paths: readonly string[]): void;
  /** Adds the picture in the clipboard; does nothing while another such request is pending. */
  clipboard(): void;
  close(): void;
}

export function createPictureRequests({session, dispatch, tell}: PictureRequestOptions): PictureRequests {
  const stopped = new AbortController();
  const {signal} = stopped;
  let isAsking = false;
  const pasted = async (text: string, paths: readonly string[]): Promise<void> => {
    const references = await session()?.pictures?.(paths, signal);
    if (references !== undefined && !signal.aborted) dispatch({type: 'pictured', pasted: text, references});
  };
  const fromClipboard = async (): Promise<void> => {
    const reference = await session()?.clipboardPicture?.(signal);
    if (signal.aborted) return;
    if (reference === undefined) throw new FettleError({code: 'UNAVAILABLE', message: 'This session does not accept pictures.'});
    dispatch({type: 'pictured', references: [reference]});
  };
  const failed = (thrown: unknown): void => {
    if (!signal.aborted) tell(thrown);
  };
  return {
    paste: (text, paths) => void pasted(text, paths).catch(failed),
    clipboard() {
      if (isAsking) return;
      isAsking = true;
      void fromClipboard()
        .catch(failed)
        .finally(() => (isAsking = false));
    },
    close: () => stopped.abort(),
  };
}
