import type {SessionSettings} from '../../../../sdk/settings/session-settings.ts';
import {spoolFolder} from '../../../../sessions/session-files.ts';
import type {AgentSession} from '../../host-adapter.ts';
import {join} from 'node:path';
import {clipboardPicture} from './clipboard-picture.ts';
import {keepPicture} from './keep-picture.ts';
import {pastedPictures} from './pasted-pictures.ts';

/** Makes pictures that a person pastes into files of a session, which the model can be told of by their paths. */
export function sessionPictures(
  {cwd, home, paths: {stateDir}, env}: Pick<SessionSettings, 'cwd' | 'home' | 'paths' | 'env'>,
  threadId: () => string,
): Required<Pick<AgentSession, 'pictures' | 'clipboardPicture'>> {
  // Beside the outputs that are kept whole: the tools of the session may read there, and it goes with the session.
  const folder = (): string => join(spoolFolder(stateDir, threadId()), 'pictures');
  return {
    pictures: async (paths, signal) => await pastedPictures(paths, {root: cwd, home, folder: folder()}, signal),
    async clipboardPicture(signal) {
      const {bytes, type} = await clipboardPicture({root: cwd, env}, signal);
      return await keepPicture(bytes, type, folder());
    },
  };
}
