import {escapeInvisible} from '../../../base/escape-invisible.ts';
import {isTrustOpen, resolveTrust, type TrustTalk} from '../../../sdk/trust/settle-trust.ts';
import type {SessionSettings} from '../../../sdk/settings/session-settings.ts';
import type {AgentSession, ScreenPort} from '../host-adapter.ts';
import type {FettleSessionOptions} from './open-fettle-session.ts';

export interface TrustedSession extends Omit<TrustTalk, 'ask'>, Omit<FettleSessionOptions, 'settings'> {}

/** Opens the session once a person has said whether the project is trusted. Rejects if they leave instead of answering. */
export async function openTrusted({session, reload, ...options}: TrustedSession, signal: AbortSignal): Promise<AgentSession> {
  const {openFettleSession} = await import('./open-fettle-session.ts');
  const settings = await settleTrustOnScreen({session, reload, port: options.port}, signal);
  return await openFettleSession({...options, settings}, signal);
}

export interface TrustOnScreen extends Omit<TrustTalk, 'ask'> {
  readonly port: Pick<ScreenPort, 'trust'>;
}

/** Asks on the screen, unless the project is already trusted as it is. Rejects if the person leaves instead of answering. */
export async function settleTrustOnScreen({session, reload, port}: TrustOnScreen, signal: AbortSignal): Promise<SessionSettings> {
  if (!isTrustOpen(session)) return session;
  const {trustEntries} = await import('../../../config/trust/trust-entries.ts');
  return await resolveTrust({
    session,
    reload,
    async ask(project) {
      const {root, state, problems} = project;
      const folder = oneLine(root);
      const entries = await trustEntries(project);
      const reply = await port.trust({folder, isChange: state === 'changed', entries, problems: problems.map(oneLine)}, signal);
      return reply === 'ignore' ? 'no' : reply;
    },
  });
}

function oneLine(text: string): string {
  return escapeInvisible(text).text.replaceAll('\n', String.raw`\n`);
}
