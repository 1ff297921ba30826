import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {instructionLines} from '../../../src/config/trust/instruction-text.ts';

const texts = (text: string): string[] => instructionLines(text).map((line) => line.text);
const imports = (text: string): string[] => instructionLines(text).flatMap((line) => [...line.imports]);

describe('instructionLines', () => {
  it('takes HTML comments out, also over several lines; not those in code (VT Code › "HTML comments stripped")', () => {
    expect(
      texts('a <!-- x --> b <!----> c\n<!-- gone -->\n<!--\nover\nlines --> d\n`<!-- code -->` e\n```\n<!-- fenced -->\n```\nf'),
    ).toEqual(['a  b  c', ' d', '`<!-- code -->` e', '```', '<!-- fenced -->', '```', 'f']);
  });

  it('a comment that is not closed hides the rest where it begins a line, and is text elsewhere (CommonMark 0.31.2 › HTML blocks)', () => {
    expect([texts('a\n<!-- b\nc'), texts('a <!-- b\nc')]).toEqual([['a'], ['a <!-- b', 'c']]);
  });

  it('finds imports at the start of words, without the end of a sentence; not in code (VT Code › "Imports @path (outside code fences)")', () => {
    expect(
      imports('@a.md and (@b/c.md), see @./d.md. me@x.org `@code.md` ``a ` @b.md`` @word\n~~~\n@fenced.md\n~~~\n  @e/f\n<!-- @g.md -->'),
    ).toEqual(['a.md', 'b/c.md', './d.md', 'e/f']);
  });

  it('a fence is closed by its own mark, at least as long', () => {
    expect(imports('````\n```\n@a.md\n~~~\n````\n@b.md\n``` not `a fence\n@c.md')).toEqual(['b.md', 'c.md']);
  });

  it('leaves every text without "<!--" as it is, whatever it is', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('`', '```', '~~~', '@a.md', ' ', '\n', '-->', 'x', '<', '!')), (parts) => {
        const text = parts.join('');
        fc.pre(!text.includes('<!--'));
        expect(texts(text).join('\n')).toBe(text);
      }),
    );
  });

  it('takes time in proportion to the text: what is hostile ends', () => {
    for (const piece of ['<!--', '`', '@a.', '<!---->', '``` ', '``a`', 'x <!--\n', '@a...', '<!--\n-->']) {
      expect(instructionLines(piece.repeat(100_000)).length).toBeLessThan(200_001);
    }
  });
});
