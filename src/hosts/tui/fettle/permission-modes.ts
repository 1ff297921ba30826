import type {Mode} from '../../../policy/decision.ts';
import type {SessionSettings} from '../../../sdk/settings/session-settings.ts';

/** Returns the modes that a person can switch between, in their order; full-auto only if the session was started with it. */
export function modesOf({settings}: Pick<SessionSettings, 'settings'>): readonly Mode[] {
  return settings.mode === 'full-auto' ? ['plan', 'ask', 'accept-edits', 'full-auto'] : ['plan', 'ask', 'accept-edits'];
}
