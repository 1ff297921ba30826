import {lookup} from 'node:dns/promises';
import {once} from 'node:events';
import {connect, isIP, type Socket} from 'node:net';
import {FettleError} from '../../../base/errors.ts';
import {ALL_PUBLIC, isAllowedDomain, plainHost} from './allowed-domain.ts';
import type {NetworkRules} from '../sandbox.ts';

export type Dial = (host: string, port: number) => Promise<Socket>;
export type Lookup = (host: string) => Promise<readonly {readonly address: string}[]>;

const CONNECT_MS = 15_000;

/**
 * Connects to hosts of the list. A name is looked up once, here, and connected to by its address (DNS rebinding): one of the public
 * internet, or one that is on the list itself. Throws DENIED, and errors of the network.
 */
export function createDial({domains, isPublic}: NetworkRules, resolve: Lookup = (host) => lookup(host, {all: true})): Dial {
  return async (host, port) => {
    const name = plainHost(host);
    if (name === undefined || !isAllowedDomain(host, domains)) {
      throw denied(`${JSON.stringify(host.slice(0, 100))} is not one of the allowed domains`);
    }
    if (!Number.isInteger(port) || port < 1 || port > 65_535) throw denied('this is not a port');
    const found = isIP(name) === 0 ? await resolve(name) : [{address: name}];
    const named = domains.filter((domain) => domain !== ALL_PUBLIC);
    const open = found.filter(({address}) => isPublic(address) || isAllowedDomain(address, named));
    if (open.length === 0) throw denied(`${name} leads to a private network`);
    return await firstOf(open, port);
  };
}

async function firstOf([next, ...others]: readonly {readonly address: string}[], port: number): Promise<Socket> {
  if (next === undefined) throw denied('there is no address');
  const socket = connect({host: next.address, port});
  try {
    await once(socket, 'connect', {signal: AbortSignal.timeout(CONNECT_MS)});
    return socket;
  } catch (error) {
    socket.destroy();
    if (others.length === 0) throw error;
    return await firstOf(others, port);
  }
}

function denied(why: string): FettleError {
  return new FettleError({code: 'DENIED', message: `${why}.`});
}
