import {BlockList, isIP} from 'node:net';

/**
 * True for an address of the public internet. The registries of special addresses (RFC 6890, IANA), carrier and cloud networks and the
 * metadata services on them, and every form of IPv6 that carries an IPv4 address in it (mapped, compatible, NAT64, 6to4, Teredo) are not.
 */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !SPECIAL_4.check(address, 'ipv4');
    case 6:
      return GLOBAL_6.check(address, 'ipv6') && !SPECIAL_6.check(address, 'ipv6');
    default:
      return false;
  }
}

const SPECIAL_4 = blockList('ipv4', [
  ['0.0.0.0', 8], // this network
  ['10.0.0.0', 8],
  ['100.64.0.0', 10], // carriers; metadata of Alibaba
  ['127.0.0.0', 8],
  ['168.63.129.16', 32], // the platform of Azure
  ['169.254.0.0', 16], // link local; metadata of most clouds
  ['172.16.0.0', 12],
  ['192.0.0.0', 24], // IETF; metadata of Oracle
  ['192.0.2.0', 24], // documentation
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24], // 6to4 relays
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15], // benchmarks
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4], // multicast
  ['240.0.0.0', 4], // reserved, broadcast
]);

/** All globally assigned addresses; mapped, compatible, NAT64, unique local, link local and multicast addresses are not among them. */
const GLOBAL_6 = blockList('ipv6', [['2000::', 3]]);

const SPECIAL_6 = blockList('ipv6', [
  ['2001::', 23], // IETF: Teredo, benchmarks, ORCHID
  ['2001:db8::', 32], // documentation
  ['2002::', 16], // 6to4
  ['3fff::', 20], // documentation
]);

function blockList(family: 'ipv4' | 'ipv6', nets: readonly (readonly [string, number])[]): BlockList {
  const list = new BlockList();
  for (const [net, prefix] of nets) list.addSubnet(net, prefix, family);
  return list;
}
