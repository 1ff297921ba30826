import {isIP} from 'node:net';

/**
 * Returns true if a host is on the list: exactly, or below a `*.` entry, whole labels (CVE-2026-24052), or as one of all for the entry `*`. The list is taken as it is: empty,
 * it allows nothing (CVE-2025-66479). Control characters, NUL and everything that is not part of a host name are refused before anything is
 * compared (a SOCKS host with a NUL passed another agent's filter); an address is allowed only if it is listed itself.
 */
export function isAllowedDomain(host: string, domains: readonly string[]): boolean {
  const name = plainHost(host);
  if (name === undefined) return false;
  return domains.some((entry) => {
    if (entry === ALL_PUBLIC) return true;
    const domain = entry.toLowerCase().replace(/\.$/, '');
    if (!domain.startsWith('*.')) return plainHost(domain) === name;
    return isIP(name) === 0 && name.endsWith(domain.slice(1)) && name.length > domain.length - 1;
  });
}

/** All hosts of the public internet. An address of a private network is never meant by it. */
export const ALL_PUBLIC = '*';

/** In lower case, without the final dot and the brackets of IPv6; returns undefined for anything that is not a host. */
export function plainHost(host: string): string | undefined {
  const name = host.toLowerCase().replace(/^\[(.*)\]$/, '$1');
  if (isIP(name) !== 0) return name.includes('%') ? undefined : name;
  const bare = name.replace(/\.$/, '');
  if (bare.length > 253 || !HOST.test(bare)) return undefined;
  // Other notations of an address: 0x7f.1, 2130706433, 127.1.
  return /^(?:0x[\da-f]*|\d+)$/.test(bare.slice(bare.lastIndexOf('.') + 1)) ? undefined : bare;
}

const HOST = /^(?:[a-z\d_](?:[a-z\d_-]{0,61}[a-z\d_])?\.)*[a-z\d_](?:[a-z\d_-]{0,61}[a-z\d_])?$/;
