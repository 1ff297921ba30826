import {describe, expect, it} from 'vitest';
import {markdownHtml} from '../../../src/sessions/export/markdown-html.ts';

const link = (address: string, label: string) => `<a href="${address}" rel="noopener noreferrer nofollow">${label}</a>`;

describe('Markdown of an answer as HTML (issue 14 › traces: lists, tables and links are rendered)', () => {
  it.each<[what: string, markdown: string, html: string]>([
    ['a list', '- one\n- two', '<ul><li>one</li><li>two</li></ul>'],
    ['a list behind a line of text', 'Done:\n- one\n* two', '<p>Done:</p><ul><li>one</li></ul><ul><li>two</li></ul>'],
    [
      'nested lists',
      '1. a\n   - b\n     - c\n\n   more\n2. d',
      '<ol><li>a<ul><li>b<ul><li>c</li></ul></li></ul><p>more</p></li><li>d</li></ol>',
    ],
    ['a numbered list from another number, with empty lines', '3) a\n\n4) b', '<ol start="3"><li>a</li><li>b</li></ol>'],
    ['tasks', '- [ ] open\n- [x] done', '<ul><li>☐ open</li><li>☑ done</li></ul>'],
    ['an item that goes on, and ends', '- one\ntwo\n\nthree', '<ul><li>one\ntwo</li></ul><p>three</p>'],
    ['code in a list', '- a\n  ```\n  x < 1\n  ```', '<ul><li>a<pre class="code">x &#60; 1</pre></li></ul>'],
    [
      'a table behind text, with too few and too many cells',
      'T:\n| a | b |\n|:--|--:|\n| `1` |\n| 2 | x \\| y | z |\n\nend',
      '<p>T:</p><div class="wide"><table><thead><tr><th>a</th><th>b</th></tr></thead><tbody>' +
        '<tr><td><code>1</code></td><td></td></tr><tr><td>2</td><td>x | y</td></tr></tbody></table></div><p>end</p>',
    ],
    ['what only looks like a table', 'a | b\nc | d', '<p>a | b\nc | d</p>'],
    ['a quote and a rule', '> a\n> - b\n\n---', '<blockquote><p>a</p><ul><li>b</li></ul></blockquote><hr>'],
    [
      'words',
      '*i* _j_ **b *c* d** ~~d~~ snake_case_name 2 * 3 * 4',
      '<p><em>i</em> <em>j</em> <strong>b <em>c</em> d</strong> <s>d</s> snake_case_name 2 * 3 * 4</p>',
    ],
    ['what is escaped', '\\*a\\* `\\*`', '<p>*a* <code>\\*</code></p>'],
    [
      'a link',
      '[docs](https://e.org/a_(b)) and [mail](mailto:a@e.org)',
      `<p>${link('https://e.org/a_(b)', 'docs')} and ${link('mailto:a@e.org', 'mail')}</p>`,
    ],
    [
      'bare addresses',
      'See https://e.org/x?a=1&b=2. <https://f.org>',
      `<p>See ${link('https://e.org/x?a=1&#38;b=2', 'https://e.org/x?a=1&#38;b=2')}. ${link('https://f.org', 'https://f.org')}</p>`,
    ],
    [
      'a link whose text names another place',
      '[bank.example](https://evil.example)',
      `<p>${link('https://evil.example', 'bank.example')} (https://evil.example)</p>`,
    ],
    [
      'a link that leads elsewhere than to the web',
      '[a](javascript:alert(1)) [b](file:///x) [c](/etc/passwd)',
      '<p>[a](javascript:alert(1)) [b](file:///x) [c](/etc/passwd)</p>',
    ],
    ['an image is its text', '![p](https://e.org/p.png)', '<p>![p](https://e.org/p.png)</p>'],
    ['tags are text', '<b onclick="x">', '<p>&#60;b onclick=&#34;x&#34;&#62;</p>'],
    ['text of a tool keeps its lines', 'a\n  b\nc', '<p>a\n  b\nc</p>'],
  ])('%s', (_, markdown, html) => {
    expect(markdownHtml(markdown)).toBe(html);
  });

  it.each([['> '], ['- '], ['  - a\n'], ['**a '], ['[x]('], ['`'], ['1. a\n\n'], ['| a |\n|---|\n']])('%j, repeated, ends', (sign) => {
    expect(markdownHtml(sign.repeat(5_000)).length).toBeGreaterThan(0);
  });
});
