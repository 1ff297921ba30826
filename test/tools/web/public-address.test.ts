import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {isPublicAddress} from '../../../src/tools/web/public-address.ts';

describe('isPublicAddress (RFC 6890 and the IANA registries of special addresses)', () => {
  it.each([
    ['this network', '0.0.0.0'],
    ['private', '10.255.255.255'],
    ['carrier, metadata of Alibaba', '100.100.100.200'],
    ['loopback', '127.0.0.53'],
    ['metadata of AWS, Azure, Google', '169.254.169.254'],
    ['platform of Azure', '168.63.129.16'],
    ['private', '172.31.0.1'],
    ['IETF, metadata of Oracle', '192.0.0.192'],
    ['6to4 relay', '192.88.99.1'],
    ['private', '192.168.0.1'],
    ['benchmarks', '198.19.0.1'],
    ['documentation', '203.0.113.1'],
    ['multicast', '224.0.0.251'],
    ['reserved', '240.0.0.1'],
    ['broadcast', '255.255.255.255'],
    ['unspecified', '::'],
    ['loopback', '::1'],
    ['mapped loopback', '::ffff:127.0.0.1'],
    ['mapped, in hex', '::ffff:7f00:1'],
    ['mapped public', '::ffff:8.8.8.8'],
    ['compatible', '::127.0.0.1'],
    ['NAT64', '64:ff9b::7f00:1'],
    ['NAT64, local', '64:ff9b:1::a00:1'],
    ['6to4', '2002:7f00:1::'],
    ['Teredo', '2001:0:4136:e378:8000:63bf:3fff:fdd2'],
    ['ORCHID', '2001:20::1'],
    ['documentation', '2001:db8::1'],
    ['documentation', '3fff::1'],
    ['unique local, metadata of AWS', 'fd00:ec2::254'],
    ['link local', 'fe80::1'],
    ['site local', 'fec0::1'],
    ['multicast', 'ff02::1'],
    ['discard', '100::1'],
    ['no address', 'docs.example'],
    ['nothing', ''],
  ])('%s %s is not', (_, address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  it.each(['1.1.1.1', '8.8.8.8', '100.63.255.255', '172.15.0.1', '172.32.0.1', '192.0.1.1', '2606:4700::1111', '2a00:1450:4001::200e'])(
    '%s is',
    (address) => {
      expect(isPublicAddress(address)).toBe(true);
    },
  );

  it('no IPv4 address becomes public by being written into an IPv6 one', () => {
    fc.assert(
      fc.property(fc.ipV4(), fc.constantFrom('::ffff:', '::', '64:ff9b::', '::ffff:0:'), (address, prefix) => {
        expect(isPublicAddress(`${prefix}${address}`)).toBe(false);
      }),
    );
  });
});
