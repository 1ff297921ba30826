import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {visibleText} from '../../../../src/base/visible-text.ts';
import {createLiveText} from '../../../../src/hosts/cli/chat/live-text.ts';

describe('text that arrives in pieces', () => {
  const piece = fc.oneof(fc.string({unit: 'binary'}), fc.constantFrom('\r', '\n', '👩', '\u200d', '💻', '\ud83d', '\udcbb', '🏽'));

  it('is shown as the whole would be', () => {
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const live = createLiveText();
        const shown = pieces.map((text) => live.push(text)).join('') + (live.end() ?? '');
        expect(shown).toBe(visibleText(pieces.join('')));
      }),
    );
  });

  it('is undefined in the end where there was none', () => {
    const live = createLiveText();
    live.push('');
    expect(live.end()).toBeUndefined();
  });
});
