import fc from 'fast-check';
import {beforeAll, describe, expect, it} from 'vitest';
import {lineWidth} from '../../../../../src/hosts/tui/cells/wrap-line.ts';
import {loadLanguage} from '../../../../../src/hosts/tui/views/code/highlight-code.ts';
import {loadMarkdown} from '../../../../../src/hosts/tui/views/markdown/load-markdown.ts';
import {MARKDOWN_START} from '../../../../../src/hosts/tui/model/printed.ts';
import {renderMarkdown, renderStream} from '../../../../../src/hosts/tui/views/markdown/render-markdown.ts';
import {stableLength} from '../../../../../src/hosts/tui/views/markdown/stable-length.ts';
import type {Line} from '../../../../../src/hosts/tui/cells/line.ts';

beforeAll(async () => {
  await loadMarkdown();
  await loadLanguage('ts');
});

describe('stableLength', () => {
  // `^` stands where the stable part ends.
  const cases: readonly (readonly [string, string])[] = [
    ['a line that goes on', '^a'],
    ['half of a line end behind a list', '^- a\n\n\r'],
    ['a paragraph that goes on', '^a\n'],
    ['a blank line that has only begun', '^a\n '],
    ['a paragraph', 'a\n\n^'],
    ['two paragraphs', 'a\n\n^b'],
    ['CR LF', 'a\r\n\r\n^b'],
    ['a heading', '# a\n^b'],
    ['a heading that goes on', '^# a'],
    ['a list that may go on', '^- a\n\n'],
    ['a list that goes on', '^- a\n\n- b\n\n'],
    ['an item that goes on', '^- a\n\n  b\n\n'],
    ['a list behind which a number may begin an item', '^- a\n\n12'],
    ['a list with a paragraph behind it', '- a\n\n^12 b'],
    ['a list with a heading behind it', '- a\n# b\n^'],
    ['a list with code behind it', '- a\n```\n^'],
    ['a table that may go on', '^|a|\n|-|\n|b|\n'],
    ['a table', '|a|\n|-|\n|b|\n\n^'],
    ['a fence that has only begun', '^```'],
    ['lines of code', '```ts\na\n\nb\n^c'],
    ['code that is closed', '```\na\n```\n^b'],
    ['a shorter fence within', '````\n```\n^```'],
    ['a code span of three marks', '^```a``` b\n'],
  ];
  it.each(cases)('ends where %s is certain', (_, marked) => {
    expect(stableLength(marked.replaceAll('^', ''))).toBe(marked.indexOf('^'));
  });

  it('goes on within a fenced block', () => {
    const {state} = renderStream(MARKDOWN_START, '~~~ts\na\n', {width: 20});
    expect(stableLength('b\n```\n~~~\nc\n\nd', state.fence)).toBe('b\n```\n~~~\nc\n\n'.length);
  });
});

describe('renderStream', () => {
  const block = fc.constantFrom(
    'a *b* `c`\n',
    'd\n',
    '\n',
    '\n',
    '\n',
    '# e\n',
    '- f\n',
    '  - g\n',
    '  h\n',
    '12. i\n',
    '> j\n',
    '```ts\n',
    '```\n',
    '~~~\n',
    '   ```\n',
    '/* k\n',
    'l */ let x = `m\n',
    '|n|o|\n',
    '|-|-|\n',
    '---\n',
    '    p\n',
    '\tq\n',
    '[r]: s\n',
    '<t>\n',
    '```',
    '-',
    '1',
    ' ',
    '\r\n',
    '\r',
    '*',
    '_',
    '[',
    '](',
    '<!--',
    '&#27;',
    '\u001b]',
    '\ud83d\udc69\u200d\ud83d\udcbb',
    '\ud83d',
  );
  const text = fc.array(block, {maxLength: 40}).map((blocks) => blocks.join(''));

  it('shows stable parts one after the other as the whole, however the text arrives', () => {
    fc.assert(
      fc.property(text, fc.integer({min: 1, max: 7}), fc.integer({min: 10, max: 60}), (whole, step, width) => {
        const rows: Line[] = [];
        let state = MARKDOWN_START;
        let rest = '';
        for (let at = 0; at < whole.length; at += step) {
          rest += whole.slice(at, at + step);
          const stable = stableLength(rest, state.fence);
          const part = renderStream(state, rest.slice(0, stable), {width});
          rows.push(...part.lines);
          [state, rest] = [part.state, rest.slice(stable)];
        }
        expect([...rows, ...renderStream(state, rest, {width}).lines]).toEqual(renderMarkdown(whole, {width}));
      }),
      {numRuns: 400},
    );
  });

  it('has no row wider than the screen', () => {
    fc.assert(
      fc.property(text, fc.integer({min: 10, max: 200}), (whole, width) => {
        expect(Math.max(0, ...renderMarkdown(whole, {width}).map(lineWidth))).toBeLessThanOrEqual(width);
      }),
      {numRuns: 400},
    );
  });
});
