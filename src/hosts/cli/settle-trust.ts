import {visibleText} from '../../base/visible-text.ts';
import type {SessionSettings, SettingsRequest} from '../../sdk/load-settings.ts';
import type {Io} from './io.ts';
import type {LineEditor} from './line-editor.ts';

export interface TrustTalk {
  readonly io: Io;
  /** Called where a question is asked: until then nobody reads the keys. */
  readonly lines: () => Promise<LineEditor>;
  readonly session: SessionSettings;
  /** Reads the settings again, with the answer. */
  readonly reload: (trust: SettingsRequest['trust']) => Promise<SessionSettings>;
}

/**
 * Asks once, before anything of the project is used, where it brings something along that nobody has trusted as it is. The settings that are
 * given back use the bytes that were shown.
 */
export async function settleTrust({io, lines, session, reload}: TrustTalk, signal: AbortSignal): Promise<SessionSettings> {
  const {state, items} = session.trust;
  if ((state !== 'unknown' && state !== 'changed') || items.length === 0) return session;
  const [{trustQuestion}, {askTrust}, {readWholeProject, storeTrust}] = await Promise.all([
    import('../../config/trust/trust-question.ts'),
    import('./ask-trust.ts'),
    import('../../sdk/trust-project.ts'),
  ]);
  const trust = await readWholeProject(session);
  const why = trust.state === 'changed' ? 'This project has changed since you trusted it.' : 'This project wants to run or have obeyed:';
  io.note(`${io.paint('yellow', why)} ${visibleText(trust.root)}\n${await trustQuestion(trust)}`);
  const answer = await askTrust({session: true, lines: await lines(), signal});
  if (answer === 'no') return session;
  if (answer === 'trust') await storeTrust(trust, session.paths);
  return await reload(trust);
}
