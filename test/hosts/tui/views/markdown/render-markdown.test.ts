import {beforeAll, describe, expect, it, vi} from 'vitest';
import {loadLanguage} from '../../../../../src/hosts/tui/views/code/highlight-code.ts';
import {loadMarkdown} from '../../../../../src/hosts/tui/views/markdown/load-markdown.ts';
import {renderMarkdown} from '../../../../../src/hosts/tui/views/markdown/render-markdown.ts';
import {notation} from '../notation.ts';

describe('renderMarkdown before the parser is loaded', () => {
  it('shows the text as it is written, wrapped', async () => {
    vi.resetModules();
    const unloaded = await import('../../../../../src/hosts/tui/views/markdown/render-markdown.ts');
    expect(notation(unloaded.renderMarkdown('# A **b** c d e\n', {width: 10}))).toBe('# A **b**\nc d e');
  });
});

describe('renderMarkdown', () => {
  beforeAll(async () => {
    await loadMarkdown();
    await loadLanguage('ts');
  });

  const cases: readonly (readonly [string, string, string])[] = [
    ['headings', '# A\n## B\ntext', '{heading+bold+underline:A}\n\n{heading+bold:B}\n\ntext'],
    ['a heading of two lines', 'A\n===\ntext', '{heading+bold+underline:A}\n\ntext'],
    ['a soft break as a blank', 'one\n  two', 'one two'],
    ['hard breaks', 'one  \ntwo\\\nthree', 'one\ntwo\nthree'],
    ['emphasis', '*a* **b *c*** ~~d~~ `e`', '{italic:a} {bold:b }{bold+italic:c} {strike:d} {code:e}'],
    ['a link with its address', '[a *b*](http://c)', '{link:a }{link+italic:b}{dim: (http://c)}'],
    ['an address as a link', '<http://a> www.b.de c@d.e', '{link:http://a} {link:www.b.de}\n{link:c@d.e}'],
    ['a link that says another address', '[http://good](http://evil)', '{link:http://good}\n{dim:(http://evil)}'],
    ['pictures', '![alt](u) ![](v)', '{link:alt}{dim: (u)} {link:v}'],
    ['definitions of links', '[a]: http://b\n', '{dim:[a]: http://b}'],
    ['an unordered list', '- a\n- b\n  - c\n', '• a\n• b\n  • c'],
    ['an ordered list', '9. a\n9. b\n', ' 9. a\n10. b'],
    ['a loose list', '- a\n\n- b\n', '• a\n\n• b'],
    ['a task list', '- [x] a\n- [ ] b\n- c\n', '[x] a\n[ ] b\n•   c'],
    ['a hanging indent', '- one two three four five', '• one two three four\n  five'],
    ['code in an item', '1. a\n   ```ts\n   b()\n   ```\n', '1. a\n\n   {function:b}()'],
    ['a quotation', '> a\n> b\n>\n> c', '{quote:│ }a b\n{quote:│ }\n{quote:│ }c'],
    ['indented code', 'a\n\n    b\n\tc\n', 'a\n\n{code:b}\n{code:c}'],
    [
      'fenced code',
      'a\n```ts\n/* b\n\n*/ let c = "d";\n```\ne',
      'a\n\n{comment:/* b}\n\n{comment:*/} {keyword:let} c = {string:"d"};\n\ne',
    ],
    ['code of an unknown language', '~~~who\na *b*\n~~~', '{code:a *b*}'],
    ['an empty fenced block', 'a\n```\n```\nb', 'a\n\nb'],
    ['tabs in code', '```\na\tb\n```', '{code:a   b}'],
    ['a rule', 'a\n\n---\nb', `a\n\n{border:${'─'.repeat(20)}}\n\nb`],
    ['HTML as text', '<div>\n<b>x</b>\n</div>\n\na <i>b</i>', '<div>\n<b>x</b>\n</div>\n\na <i>b</i>'],
    ['references to characters', '&lt;a&gt; &#65; &bogus; `&lt;`', '<a> A &bogus; {code:&lt;}'],
    ['a table', '|a|b|\n|-|-:|\n|1|*2*|\n', '{bold:a}{border: │ }{bold:b}\n{border:──┼──}\n1{border: │ }{italic:2}'],
    [
      'a table that is too wide',
      '|name|what|\n|-|-|\n|first|a long cell here|\n',
      '{bold:name} {border: │ }{bold:what}        \n{border:──────┼─────────────}\nfirst{border: │ }a long cell \n     {border: │ }here        ',
    ],
    [
      'a table of too many columns',
      '|aaaaaaaa|bbbbbbbb|cccccccc|\n|-|-|-|\n|1|2|3|\n|4|5||\n',
      '{bold:aaaaaaaa}{bold:: }1\n{bold:bbbbbbbb}{bold:: }2\n{bold:cccccccc}{bold:: }3\n\n' +
        '{bold:aaaaaaaa}{bold:: }4\n{bold:bbbbbbbb}{bold:: }5\n{bold:cccccccc}{bold:: }',
    ],
    ['control sequences', 'a\u001b]0;x\u0007b &#27;[2Jc \u202e', 'ab c \\u202e'],
  ];
  it.each(cases)('shows %s', (_, text, shown) => {
    expect(notation(renderMarkdown(text, {width: 20}))).toBe(shown);
  });
});
