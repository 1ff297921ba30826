import type {ProjectTrust} from '../../config/trust/evaluate-project.ts';
import type {SettingsRequest} from '../settings/load-settings.ts';
import type {SessionSettings} from '../settings/session-settings.ts';
import {readWholeProject, storeTrust} from './trust-project.ts';

/** `trust` is stored; `session` holds for this session alone; with `no`, nothing of the project is loaded. */
export type TrustAnswer = 'trust' | 'session' | 'no';

export interface TrustTalk {
  readonly session: SessionSettings;
  /** Shows a person the content of the project that needs trust, and returns their answer. */
  readonly ask: (project: ProjectTrust) => Promise<TrustAnswer>;
  /** Reads the settings again, with the answer. */
  readonly reload: (trust: SettingsRequest['trust']) => Promise<SessionSettings>;
}

/** Returns true if the project has content that is not trusted as it is. */
export function isTrustOpen({trust: {state, items}}: Pick<SessionSettings, 'trust'>): boolean {
  return (state === 'unknown' || state === 'changed') && items.length > 0;
}

/** Asks once, before anything of the project is used, unless it is trusted as it is. The returned settings use the bytes that were shown. */
export async function resolveTrust({session, ask, reload}: TrustTalk): Promise<SessionSettings> {
  if (!isTrustOpen(session)) return session;
  const project = await readWholeProject(session);
  const answer = await ask(project);
  if (answer === 'no') return session;
  if (answer === 'trust') await storeTrust(project, session.paths);
  return await reload(project);
}
