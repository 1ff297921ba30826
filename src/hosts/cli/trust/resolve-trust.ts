import {visibleText} from '../../../base/visible-text.ts';
import {isTrustOpen, resolveTrust} from '../../../sdk/trust/settle-trust.ts';
import type {SettingsRequest} from '../../../sdk/settings/load-settings.ts';
import type {SessionSettings} from '../../../sdk/settings/session-settings.ts';
import type {Io} from '../io.ts';
import type {LineEditor} from '../chat/line-editor.ts';

export interface TrustInLines {
  readonly io: Io;
  readonly lines: LineEditor;
  readonly session: SessionSettings;
  /** Reads the settings again, with the answer. */
  readonly reload: (trust: SettingsRequest['trust']) => Promise<SessionSettings>;
}

/** Asks in plain lines, unless the project is already trusted as it is. */
export async function settleTrustInLines({io, lines, session, reload}: TrustInLines, signal: AbortSignal): Promise<SessionSettings> {
  if (!isTrustOpen(session)) return session;
  const [{trustQuestion}, {askTrust}] = await Promise.all([import('../../../config/trust/trust-question.ts'), import('./ask-trust.ts')]);
  return await resolveTrust({
    session,
    reload,
    async ask(trust) {
      const why = trust.state === 'changed' ? 'This project has changed since you trusted it.' : 'This project wants to run or load:';
      io.note(`${io.paint('yellow', why)} ${visibleText(trust.root)}\n${await trustQuestion(trust)}`);
      return await askTrust({session: true, lines, signal});
    },
  });
}
