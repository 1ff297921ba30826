import * as fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {createNormaliser, replacePath} from '../../src/sessions/replay/normalize-replayed-text.ts';

const same = createNormaliser([{name: '<folder>', paths: ['/home/me/work', '/tmp/fettle-replay-aB3xYz/work']}]);

describe('texts of two runs', () => {
  it.each([
    ['the folder', 'at /home/me/work/a.txt:1', 'at /tmp/fettle-replay-aB3xYz/work/a.txt:1'],
    ['a duration', 'ok 3 tests in 1.25s (12 ms)', 'ok 3 tests in 0.9s (3 ms)'],
    ['a time', '2026-11-21T17:18:19.001Z started', '2027-01-02T03:04:05Z started'],
    ['date(1)', 'Sat Nov 21 17:18:05 UTC 2026', 'Sun Jan  3 01:02:03 UTC 2027'],
    ['ls -l', '-rw-r--r-- 1 me me 4 Nov 21 17:18 a', '-rw-r--r-- 1 me me 4 Jan  3 01:02 a'],
    ['a process', 'listening, pid 4711', 'listening, pid 12'],
    ['a port', 'http://127.0.0.1:40123/x', 'http://127.0.0.1:38888/x'],
    ['an address', '<Object at 0x7f3a12bc9d10>', '<Object at 0x7f3a12bc0000>'],
    ['a temporary file', 'wrote /tmp/tmp.Qx12ab34', 'wrote /tmp/tmp.Zz99yy88'],
    ['an id', 'see itm_0a1b2c3d4e', 'see itm_ffffffffff'],
    ['a stored output', 'in /home/me/work/out_0a1b2c3d4e.txt', 'in /home/me/work/out_ffffffffff.txt'],
    ['the size of a text with such a path', '[TRUNCATED: 25215 bytes, 9 lines', '[TRUNCATED: 25166 bytes, 9 lines'],
  ])('%s is the same', (_, one, other) => {
    expect([same(one), one === other]).toEqual([same(other), false]);
  });

  it.each([
    ['a number', '3 passed', '4 passed'],
    ['a neighbour of the folder', '/home/me/work2/a', '/home/me/work/a'],
    ['an exit code', 'exit 1', 'exit 2'],
    ['a version', 'v24.1.0', 'v24.2.0'],
  ])('%s is not', (_, one, other) => {
    expect(same(one)).not.toBe(same(other));
  });

  it('a path is replaced as a path, not as the beginning of a name', () => {
    expect(replacePath('/a/b /a/b/c /a/bc /a/b.', '/a/b', 'X')).toBe('X X/c /a/bc X.');
  });

  it('any text is compared in linear time (ReDoS)', () => {
    for (const long of [
      `${'1'.repeat(100_000)}x`,
      '/tmp/'.repeat(20_000),
      'a.'.repeat(50_000),
      'Sat, 21 '.repeat(10_000),
      '12:12:12,'.repeat(10_000),
    ]) {
      const ratio = cpuMsOf(long) / Math.max(1, cpuMsOf(long.slice(0, long.length / 4)));
      expect(ratio).toBeLessThan(60); // a square would be 16, and a start-up effect a few; an exponent has no bound
    }
  });

  it('what is normalised stays as it is', () => {
    fc.assert(
      fc.property(fc.string({unit: 'grapheme-ascii', maxLength: 200}), (text) => {
        expect(same(same(text))).toBe(same(text));
      }),
    );
  });
});

/** Milliseconds of the processor: on a busy machine time passes without it. */
function cpuMsOf(text: string): number {
  const before = process.cpuUsage();
  same(text);
  const {user, system} = process.cpuUsage(before);
  return (user + system) / 1000;
}
