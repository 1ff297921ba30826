import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {htmlToMarkdown} from '../../../../src/tools/web/markdown/html-to-markdown.ts';

const BASE = new URL('https://docs.example/guide/page.html');

async function markdown(html: string, maxChars = 120_000): Promise<string> {
  return (await htmlToMarkdown(html, {base: BASE, maxChars})).markdown;
}

describe('HTML as Markdown', () => {
  it('a page: title, headings, paragraphs, emphasis, links, images as words, code', async () => {
    const html = `<!doctype html><html><head><title> The\n Title </title><style>p{}</style></head><body>
      <h1>Hello <b>World</b></h1><h3></h3>
      <p>Some <a href="../api?x=(1)">link</a>, <code>a \`b\`</code>,<strong> bold </strong>end.<br>Next <b></b>line <img src="x.png" alt="a picture"><img src="y"></p>
      <pre class="hl language-js"><code>let a = 1;\n  b(\`\`\`);\n</code></pre>
      <p>Last &amp; &lt;least&gt; <em>words</em></p></body></html>`;
    expect(await htmlToMarkdown(html, {base: BASE, maxChars: 10_000})).toEqual({
      title: 'The Title',
      markdown: [
        '# Hello **World**',
        'Some [link](https://docs.example/api?x=%281%29), `` a `b` ``, **bold** end.\nNext line [image: a picture]',
        '````js\nlet a = 1;\n  b(```);\n````',
        'Last & <least> words',
      ].join('\n\n'),
      truncated: false,
    });
  });

  it('lists within lists, numbers that go on, quotes, definitions', async () => {
    const html =
      '<ul><li>one<ul><li>deep</li></ul></li><li><p>two</p><p>more</p></li></ul><ol start="3"><li>x<li>y</ol>' +
      '<blockquote><p>said</p><ul><li>in it</li></ul></blockquote><dl><dt>Term</dt><dd>Meaning</dd></dl><hr>end';
    expect(await markdown(html)).toBe(
      '- one\n  - deep\n- two\n\n  more\n\n3. x\n4. y\n\n> said\n> \n> - in it\n\nTerm\n  Meaning\n\n---\n\nend'.replace('> \n', '>\n'),
    );
  });

  it('tables of data as tables; tables that arrange a page as what stands in them', async () => {
    const data = '<table><tr><th>A</th><th>B|C</th></tr><tr><td>1</td><td>2<br>3</td></tr><tr><td></td><td></td></tr></table>';
    const layout = `<table><tr><td><p>menu</p></td></tr><tr><td>${data}</td></tr></table>`;
    const grid = '| A | B\\|C |\n| --- | --- |\n| 1 | 2 3 |';
    expect(await markdown(data)).toBe(grid);
    expect(await markdown(layout)).toBe(`menu\n\n${grid}`);
  });

  it('links that lead nowhere, or run something, are text (CVE-2026-21523 class: links as a way out)', async () => {
    const html =
      '<a href="javascript:alert(1)">a</a> <a href="data:text/html,x">b</a> <a href="#top">c</a> <a>d</a> <a href="http://[">e</a> <a href="/f"></a>';
    expect(await markdown(html)).toBe('a b c d e');
    expect(await markdown('<base href="https://cdn.example/v2/"><a href="x">go</a>')).toBe('[go](https://cdn.example/v2/x)');
  });

  it('what a person would not see is left out: scripts, styles, hidden elements, comments', async () => {
    const html =
      '<script>steal()</script><style>x</style><noscript>n</noscript><svg><text>s</text></svg><!-- order --><p hidden>h</p>' +
      '<p style="color: red; DISPLAY : none">d<b>e</b></p><template>t</template><textarea>a</textarea>seen';
    expect(await markdown(html)).toBe('seen');
  });

  it('a bound ends the reading, and what is open is closed', async () => {
    const long = await htmlToMarkdown(`<ul><li>${'word '.repeat(100_000)}</ul>`, {base: BASE, maxChars: 1000});
    expect(long.truncated).toBe(true);
    expect(long.markdown.length).toBeLessThan(6000);
    expect(long.markdown.startsWith('- word word')).toBe(true);
  });

  it.each([
    ['100,000 elements within each other', '<div>'.repeat(100_000) + 'x' + '</div>'.repeat(100_000), true],
    ['150 tables within each other', `${'<table><tr><td>'.repeat(150)}x`, false],
    ['400 lists within each other', `${'<ul><li>'.repeat(400)}x<br>y`, false],
    ['a million empty marks', `<p>${'<b> </b>'.repeat(200_000)}`, false],
    ['a megabyte of opening brackets', '<'.repeat(1_000_000), true],
    ['links that never end', '<a href=/x>'.repeat(100_000), false],
  ])('%s: read in a bounded way', async (_, html, truncated) => {
    const page = await htmlToMarkdown(html, {base: BASE, maxChars: 120_000});
    expect(page.truncated).toBe(truncated);
    expect(page.markdown.length).toBeLessThan(130_000);
  });

  it('any text of tags is read without an error, and the text in code comes out as it went in', async () => {
    const piece = fc.oneof(
      fc.constantFrom(
        '<ul>',
        '<li>',
        '</ul>',
        '<table>',
        '<tr>',
        '<td>',
        '</table>',
        '<pre>',
        '</pre>',
        '<a href="/x">',
        '</a>',
        '<b>',
        '</p>',
      ),
      fc.constantFrom(
        '<blockquote>',
        '</blockquote>',
        '<code>',
        '</code>',
        '<script>',
        '<!--',
        '-->',
        '<h2>',
        '<title>',
        '<p hidden>',
        '&lt;',
      ),
      fc.string(),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, {maxLength: 40}), async (pieces) => {
        const page = await htmlToMarkdown(pieces.join(''), {base: BASE, maxChars: 10_000});
        expect(page.truncated).toBe(false);
      }),
    );
    const code = fc
      .string({unit: fc.constantFrom('a', '`', '\n', ' ', '<', '&')})
      .filter((text) => text.trim() !== '' && !text.startsWith('\n'));
    await fc.assert(
      fc.asyncProperty(code, async (text) => {
        const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
        const [fence = '', ...lines] = (await markdown(`<pre>${escaped}</pre>`)).split('\n');
        expect(/^`{3,}$/.test(fence) && lines.pop() === fence).toBe(true);
        expect(lines.join('\n')).toBe(text.trimEnd());
      }),
    );
  });
});

describe('a long page', () => {
  it('lets others have their turn, and ends where the call does', async () => {
    const cancel = new AbortController();
    const reading = htmlToMarkdown('<p>'.repeat(500_000), {base: BASE, maxChars: 1000, signal: cancel.signal});
    setImmediate(() => cancel.abort());
    await expect(reading).rejects.toThrow('aborted');
  });
});
