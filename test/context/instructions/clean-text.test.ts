import {describe, expect, it} from 'vitest';
import {cleanText} from '../../../src/context/instructions/clean-text.ts';

describe('cleanText ("Rules File Backdoor", Pillar Security 2025)', () => {
  it.each([
    ['plain text, ümläute, 漢字, 👩‍💻', 'plain text, ümläute, 漢字, 👩‍💻', 0],
    ['\uFEFFa\r\nb', 'a\nb', 0],
    ['a\u202eb\u200bc\u{e0041}', 'a\\u202eb\\u200bc\\u{e0041}', 3],
    ['a\u001b[2Jb\u0007', 'ab', 2],
    ['written as \\u202e', 'written as \\u202e', 0],
  ])('%j', (text, clean, hidden) => {
    expect(cleanText(text)).toEqual({text: clean, hidden});
  });
});
