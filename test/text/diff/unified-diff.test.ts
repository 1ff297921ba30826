import {describe, expect, it} from 'vitest';
import {unifiedDiff} from '../../../src/text/diff/unified-diff.ts';

describe('unifiedDiff', () => {
  it('is empty where nothing changed', async () => {
    expect(await unifiedDiff('a\n', 'a\n', 'x.ts')).toBe('');
  });

  it('shows changes with three lines of context, and a missing final newline', async () => {
    const before = '1\n2\n3\n4\n5\n6\n7\n8\n9';
    expect(await unifiedDiff(before, before.replace('8', 'eight'), 'src/x.ts')).toBe(
      '--- a/src/x.ts\n+++ b/src/x.ts\n@@ -5,5 +5,5 @@\n 5\n 6\n 7\n-8\n+eight\n 9\n\\ No newline at end of file\n',
    );
  });

  it('shows lines of a CR-only file, and stray bytes as U+FFFD', async () => {
    expect(await unifiedDiff('a\rb\uDCE9\r', 'a\rc\r', 'x')).toBe('--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n a\n-b\uFFFD\n+c\n');
  });

  it('is cut at 64 KB and says so', async () => {
    const lines = Array.from({length: 4000}, (_, index) => `line ${index} with some text\n`);
    const diff = await unifiedDiff('', lines.join(''), 'x');
    expect(diff.length).toBeLessThan(64 * 1024 + 100);
    expect(diff).toMatch(/\n\(diff cut here: \d+ more lines\)\n$/);
  });

  it('gives up on texts that have nothing in common', async () => {
    const before = Array.from({length: 60_000}, (_, index) => `a${index}`).join('\n');
    const after = Array.from({length: 60_000}, (_, index) => `b${index}`).join('\n');
    expect(await unifiedDiff(before, after, 'x')).toBe('--- a/x\n+++ b/x\n(too many differences to show)\n');
  });
});
