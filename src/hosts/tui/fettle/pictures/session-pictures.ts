import type {SessionSettings} from '../../../../sdk/settings/session-settings.ts';
import {spoolFolder} from '../../../../sessions/session-files.ts';
import type {AgentSession} from '../../host-adapter.ts';
import {join} from 'node:path';
import {clipboardPicture} from './clipboard-picture.ts';
import {keepPicture} from './keep-picture.ts';
import {pastedPictures} from './pasted-pictures.ts';

/** Saves pictures that a person pastes as files of the session, whose paths the model can be given. */
export function sessionPictures(
  {cwd, home, paths: {stateDir}, env}: Pick<SessionSettings, 'cwd' | 'home' | 'paths' | 'env'>,
  threadId: () => string,
): Required<Pick<AgentSession, 'pictures' | 'clipboardPicture'>> {
  // Beside the stored outputs: the tools of the session may read there, and it is deleted with the session.
  const folder = (): string => join(spoolFolder(stateDir, threadId()), 'pictures');
  return {
    pictures: async (paths, signal) => await pastedPictures(paths, {root: cwd, home, folder: folder()}, signal),
    async clipboardPicture(signal) {
      const {bytes, type} = await clipboardPicture({root: cwd, env}, signal);
      return await keepPicture(bytes, type, folder());
    },
  };
}
