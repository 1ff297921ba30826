import {FettleError} from '../../base/errors.ts';
import {boundedFetch} from '../connection/bounded-fetch.ts';
import {isLoopback} from './is-loopback.ts';

const SECONDS = 30;

/**
 * `fetch` for addresses that a server names for logins: its metadata, the issuer, the token endpoint. Since the server chose them: https only,
 * or this machine if the server is on it too; a redirect is an error; requests time out. Nothing configured for the server (headers, keys) is
 * sent along.
 */
export function issuerFetch(server: URL, cancel?: AbortSignal): typeof boundedFetch {
  return (input, init) => {
    const address = new URL(input);
    if (!isSafeAddress(address, server)) {
      const message = `The address ${address.origin} is not used for a login: it is neither https nor on the machine of the server.`;
      throw new FettleError({code: 'AUTH', message, hint: 'Ask the operator of the server.'});
    }
    const signals = [AbortSignal.timeout(SECONDS * 1000), cancel, init?.signal].filter((signal) => signal instanceof AbortSignal);
    // 'manual' is the SDK, which follows within the origin by itself.
    return boundedFetch(address, {...init, redirect: init?.redirect === 'manual' ? 'manual' : 'error', signal: AbortSignal.any(signals)});
  };
}

/** Returns true if a login may lead to this address: https to anywhere but this machine, which is for servers on it. */
export function isSafeAddress(address: URL, server: URL): boolean {
  if (isLoopback(address.hostname)) return isLoopback(server.hostname) && /^https?:$/.test(address.protocol);
  return address.protocol === 'https:';
}
