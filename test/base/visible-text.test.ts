import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {visibleText} from '../../src/base/visible-text.ts';

describe('visibleText', () => {
  it.each([
    ['plain\ttext\n', 'plain\ttext\n'],
    ['windows\r\n', 'windows\n'],
    ['over\rwritten', String.raw`over\u{d}written`],
    ['\u001b[31mred\u001b[0m', String.raw`\u{1b}[31mred\u{1b}[0m`],
    ['\u001b]52;c;aGk=\u0007', String.raw`\u{1b}]52;c;aGk=\u{7}`],
    ['a\u202eb', String.raw`a\u{202e}b`],
    ['tag\u{e0041}', String.raw`tag\u{e0041}`],
    ['zero\u200bwidth', String.raw`zero\u{200b}width`],
    ['a\u200db', String.raw`a\u{200d}b`],
    ['👩\u200d💻 👍🏽\u200d', '👩\u200d💻 👍🏽\u200d'],
    ['می\u200cخواهم', 'می\u200cخواهم'],
    ['👩\u200d\u200d', '👩\u200d\\u{200d}'],
    ['é 資料 🚀', 'é 資料 🚀'],
  ])('%j', (text, shown) => {
    expect(visibleText(text)).toBe(shown);
  });

  it('never lets a control character but tab and line feed through', () => {
    fc.assert(
      fc.property(fc.string({unit: 'binary'}), (text) => {
        // oxlint-disable-next-line no-control-regex -- that is what must not be there
        expect(visibleText(text)).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
      }),
    );
  });
});
