import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {askedDelayMs, backoffMs} from '../../../src/models/http/retry-delay.ts';
import {NOW} from '../provider-fixture.ts';

describe('backoffMs', () => {
  it('doubles from half a second to eight', () => {
    expect([0, 1, 2, 3, 4, 5, 60].map((retries) => backoffMs(retries, () => 1))).toEqual([500, 1000, 2000, 4000, 8000, 8000, 8000]);
  });

  it('leaves half to chance', () => {
    const chance = fc.double({min: 0, max: 1, noNaN: true});
    fc.assert(
      fc.property(fc.nat(50), chance, (retries, random) => {
        const full = Math.min(8000, 500 * 2 ** retries);
        const delay = backoffMs(retries, () => random);
        return delay >= full / 2 && delay <= full;
      }),
    );
  });
});

describe('askedDelayMs (RFC 9110, 10.2.3)', () => {
  it.each([
    ['nothing', {}, undefined],
    ['seconds', {'retry-after': '7'}, 7000],
    ['a part of a second', {'retry-after': ' 0.25 '}, 250],
    ['milliseconds, which win', {'retry-after-ms': '120', 'retry-after': '7'}, 120],
    ['an HTTP date', {'retry-after': 'Thu, 01 Jan 2026 00:00:30 GMT'}, 30_000],
    ['a date that has passed', {'retry-after': 'Wed, 31 Dec 2025 23:00:00 GMT'}, 0],
    ['nonsense', {'retry-after': 'soon'}, undefined],
    ['a negative number', {'retry-after': '-'}, undefined],
  ])('%s', (_name, headers, expected) => {
    expect(askedDelayMs(headers, NOW)).toBe(expected);
  });
});
