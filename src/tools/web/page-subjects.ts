import type {Subject} from '../../policy/decision.ts';
import {hostSubjects} from './host-subjects.ts';
import {requirePublicName} from './reachable-addresses.ts';
import {requireNoSecret, secretCaution} from './require-no-secret.ts';
import type {WebAccess} from './web-access.ts';
import {webAddress} from './web-address.ts';

/** Returns the permission subjects of an address to fetch. Throws if no rule could allow it, so that nobody is asked in vain. */
export function pageSubjects(asked: string, web: Pick<WebAccess, 'secrets' | 'privateHosts'> | undefined): readonly Subject[] {
  const url = webAddress(asked);
  requireNoSecret(asked, web?.secrets ?? []);
  requirePublicName(url.hostname, web?.privateHosts ?? []);
  return [...secretCaution(url.hostname, {text: asked, secrets: web?.secrets ?? []}), ...hostSubjects(url)];
}
