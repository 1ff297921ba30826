import {isIP} from 'node:net';
import {FettleError, isFettleError} from '../../base/errors.ts';
import {orAbort} from '../../base/waiting/or-abort.ts';
import {isPublicAddress} from './public-address.ts';
import type {HostAddress, WebAccess} from './web-access.ts';

type Network = Pick<WebAccess, 'privateHosts' | 'lookup'>;

/**
 * Returns the addresses to which a connection to this host may be made: those of the public internet, or all for
 * a host that a person named. The caller must connect to one of these and not look the name up again (DNS
 * rebinding). Throws DENIED, NOT_FOUND, PROVIDER.
 */
export async function reachableAddresses({hostname}: URL, network: Network, signal: AbortSignal): Promise<readonly HostAddress[]> {
  const host = bare(hostname);
  requirePublicName(host, network.privateHosts);
  const found = isIP(host) === 0 ? await lookedUp(host, network, signal) : [{address: host, family: isIP(host)}];
  const open = isNamed(host, network.privateHosts) ? found : found.filter(({address}) => isPublicAddress(address));
  if (open.length === 0) throw isPrivate(host);
  return open;
}

/** Checks a host name without resolving it: throws DENIED for an address of this machine or its networks that no person named. */
export function requirePublicName(hostname: string, privateHosts: readonly string[]): void {
  const host = bare(hostname);
  if (isNamed(host, privateHosts)) return;
  const isLocal = /(?:^|\.)localhost$/.test(host) || (isIP(host) !== 0 && !isPublicAddress(host));
  if (isLocal) throw isPrivate(host);
}

/** Removes the brackets that URLs put around IPv6 addresses. */
function bare(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}

function isNamed(host: string, privateHosts: readonly string[]): boolean {
  return privateHosts.some((name) => bare(name.toLowerCase()) === host);
}

async function lookedUp(host: string, network: Network, signal: AbortSignal): Promise<readonly HostAddress[]> {
  try {
    return await orAbort(network.lookup(host), signal);
  } catch (error) {
    if (isFettleError(error)) throw error;
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    throw new FettleError({
      code: code === 'ENOTFOUND' ? 'NOT_FOUND' : 'PROVIDER',
      message: `The host ${host} could not be looked up (${code}).`,
      hint: code === 'ENOTFOUND' ? 'Check its spelling.' : 'Is there a network?',
      cause: error,
    });
  }
}

function isPrivate(host: string): FettleError {
  return new FettleError({
    code: 'DENIED',
    message: `${host} is an address of this machine or of a private network.`,
    hint: 'Only the user can open it, by naming it in the setting web_fetch.private_hosts.',
  });
}
