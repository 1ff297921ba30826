import {describe, expect, it} from 'vitest';
import {silenced} from '../../../src/mcp/connection/silence-sdk-warnings.ts';

describe('warnings of the SDK, which hold names that servers chose', () => {
  it('have no power over a terminal and are on one line; those of others are left alone', () => {
    const lines: unknown[][] = [];
    const warn = silenced((...said) => void lines.push(said));
    warn("[mcp-sdk] excluding tool '\u001b]0;owned\u0007\u202e\nfettle: all is well'");
    warn('another\nwarning', 1);
    expect(lines).toEqual([
      [expect.stringMatching(/^\[mcp-sdk\] excluding tool '[ -~]*\\nfettle: all is well'$/)],
      ['another\nwarning', 1],
    ]);
  });

  it('are bounded in length and number', () => {
    const lines: unknown[][] = [];
    const warn = silenced((...said) => void lines.push(said));
    for (let index = 0; index < 5000; index += 1) warn(`[mcp-sdk] ${'x'.repeat(10_000)}`);
    expect([lines.length, String(lines[0]?.[0]).length]).toEqual([20, 300]);
  });
});
