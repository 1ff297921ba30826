import {describe, expect, it} from 'vitest';
import {htmlToMarkdown} from '../../../src/tools/web/markdown/html-to-markdown.ts';

async function markdown(html: string): Promise<string> {
  return (await htmlToMarkdown(html, {base: new URL('https://a.example/'), maxChars: 10_000})).markdown;
}

const inline = (style: string, name = 'div'): string => `<${name} style="${style}">ORDER</${name}>`;
const sheet = (css: string, html: string): string => `<style>${css}</style>${html}`;
const X = '<div class="x">ORDER</div>';

/** Ways to put text into a page that a person does not see. */
const HIDDEN: readonly (readonly [string, string])[] = [
  ['hidden attribute', '<p hidden>ORDER</p>'],
  ['hidden until found', '<p hidden="until-found">ORDER</p>'],
  ['display', inline('display:none')],
  ['display, escaped', inline(String.raw`d\69splay:n\6f ne`)],
  ['display, with comments', inline('dis/**/play:block;/* a */display/* b */:/* c */none')],
  ['display, important', inline('display:none!important;display:block')],
  ['visibility', inline('visibility:hidden')],
  ['visibility collapse', inline('visibility: collapse')],
  ['content-visibility', inline('content-visibility:hidden')],
  ['opacity', inline('opacity:0')],
  ['opacity nearly 0', inline('opacity:.01')],
  ['opacity of several', `<div style="opacity:.2"><div style="opacity:20%">ORDER</div></div>`],
  ['filter', inline('filter:opacity(0)')],
  ['font-size', inline('font-size:0')],
  ['font-size of a point', inline('font-size:1px')],
  ['font shorthand', inline('font:0/0 a')],
  ['font-size relative', inline('font-size:0.01em')],
  ['height 0', inline('height:0;overflow:hidden')],
  ['width 0', inline('width:0;overflow:hidden')],
  ['max-height 0', inline('max-height:0;overflow:hidden')],
  ['1 point square', inline('position:absolute;width:1px;height:1px;overflow:hidden')],
  ['max-width, inline-block', inline('display:inline-block;max-width:0;overflow-x:clip', 'span')],
  ['left', inline('position:absolute;left:-9999px')],
  ['top', inline('position:fixed;top:-200vh')],
  ['right', inline('position:absolute;right:-999em')],
  ['inset', inline('position:absolute;inset:0 0 0 -5000px')],
  ['far to the right', inline('position:absolute;left:99999px')],
  ['margin', inline('margin-left:-9999px')],
  ['text-indent', inline('text-indent:-9999px')],
  ['clip', inline('position:absolute;clip:rect(0,0,0,0)')],
  ['clip of a point', inline('position:absolute;clip:rect(1px 1px 1px 1px)')],
  ['clip-path inset', inline('clip-path:inset(50%)')],
  ['clip-path circle', inline('-webkit-clip-path:circle(0)')],
  ['clip-path polygon', inline('clip-path:polygon(0 0,0 0,0 0,0 0)')],
  ['scale', inline('transform:scale(0)')],
  ['scale of one side', inline('transform:scaleY(0)')],
  ['scale property', inline('scale:0')],
  ['translate', inline('transform:translateX(-9999px)')],
  ['translate property', inline('translate:-9999px 0')],
  ['turned away', inline('transform:rotateY(90deg)')],
  ['zoom', inline('zoom:0')],
  ['transparent', inline('color:transparent')],
  ['transparent rgba', inline('color:rgba(0,0,0,0)')],
  ['transparent hex', inline('color:#0000')],
  ['text fill', inline('-webkit-text-fill-color:transparent')],
  ['white on white', inline('color:#fff')],
  ['white on white, spelled differently', inline('color:hsl(0,0%,100%);background:rgb(255 255 255)')],
  ['nearly white on white', inline('color:#fefefe')],
  ['black on black', inline('color:#000;background-color:black')],
  [
    'the colour of the ground around',
    '<div style="background:#123456"><p>seen<span style="color:#123456">ORDER</span></p></div>'.replace('<p>seen', '<p>'),
  ],
  ['font element', '<font color="white">ORDER</font>'],
  ['bgcolor', '<table bgcolor="#000000"><tr><td><font color="#000">ORDER</font></td></tr></table>'],
  ['noscript', '<noscript>ORDER</noscript>'],
  ['template', '<template>ORDER</template>'],
  ['comment', '<!-- ORDER -->'],
  ['script', '<script type="text/plain">ORDER</script>'],
  ['closed dialog', '<dialog>ORDER</dialog>'],
  ['popover', '<div popover>ORDER</div>'],
  ['options', '<select><option>ORDER</option></select><datalist><option>ORDER</option></datalist>'],
  ['textarea', '<textarea>ORDER</textarea>'],
  ['hidden input', '<input type="hidden" value="ORDER">'],
  ['title attribute', '<p title="ORDER"></p>'],
  ['meta', '<meta name="description" content="ORDER">'],
  ['srcdoc', '<iframe srcdoc="ORDER">ORDER</iframe>'],
  ['svg', '<svg><text opacity="0">ORDER</text><title>ORDER</title></svg>'],
  ['fallback of an element', '<audio>ORDER</audio><video>ORDER</video><object>ORDER</object><canvas>ORDER</canvas>'],
  ['noframes', '<noframes>ORDER</noframes><noembed>ORDER</noembed>'],
  ['within what is hidden', '<div style="display:none"><p style="display:block;visibility:visible">ORDER</p></div>'],
  ['image within what is hidden', '<div style="visibility:hidden"><img src="x" alt="ORDER"></div>'],
  ['sheet: class', sheet('.x{display:none}', X)],
  ['sheet: id', sheet('#x{display:none}', '<p id="x">ORDER</p>')],
  ['sheet: element', sheet('aside{display:none}', '<aside>ORDER</aside>')],
  ['sheet: attribute', sheet('[data-a="b"]{display:none}', '<p data-a="b">ORDER</p>')],
  ['sheet: list', sheet('h1, .x , h2{opacity:0}', X)],
  ['sheet: descendant', sheet('.a .x{display:none}', `<div class="a"><p>${X}</p></div>`)],
  ['sheet: child', sheet('.a>.x{display:none}', `<div class="a">${X}</div>`)],
  ['sheet: several classes', sheet('div.x.y{font-size:0}', '<div class="y x">ORDER</div>')],
  ['sheet: not', sheet('div:not(.y){position:absolute;left:-9999px}', X)],
  ['sheet: is', sheet(':is(.x,.y){display:none}', X)],
  ['sheet: behind the text', `${X}<style>.x{display:none}</style>`],
  ['sheet: on screens', sheet('@media screen and (min-width: 600px){.x{display:none}}', X)],
  ['sheet: layer and supports', sheet('@layer a{@supports (display:grid){.x{display:none}}}', X)],
  ['sheet: nested', sheet('.a{color:red;.x{display:none}}', `<div class="a">${X}</div>`)],
  ['sheet: behind one that cannot be read', sheet('p::before{content:"}"} .y:hover{display:block} .x{display:none}', X)],
  ['sheet: escaped', sheet(String.raw`.\78{display:none}`, X)],
  ['sheet: important', sheet('.x{display:none!important}', '<div class="x" style="display:block">ORDER</div>')],
  ['sheet: the stronger one', sheet('div.x{display:none} .x{display:block}', X)],
  ['sheet: grounds', sheet('.g{background:#fafafa}.x{color:#fafafa}', `<div class="g">${X}</div>`)],
  ['sheet: root', sheet(':root .x{display:none}', `<html><body>${X}</body></html>`)],
  ['screen readers only', sheet('.x{position:absolute;width:1px;height:1px;padding:0;margin:-1px;overflow:hidden;clip:rect(0,0,0,0)}', X)],
];

describe('text that a person does not see on a page is left out', () => {
  it.each(HIDDEN)('%s', async (_, html) => {
    expect(await markdown(`<p>before</p>${html}<p>after</p>`)).toBe('before\n\nafter');
  });

  it.each([
    [
      'tag characters as references',
      `a${Array.from('ORDER', (char) => `&#x${(0xe0000 + char.charCodeAt(0)).toString(16)};`).join('')}b`,
      'ab',
    ],
    ['zero width, soft hyphens, fillers', 'a&#8203;&shy;&#x2060;&#xfeff;&#x115f;&#x3164;&#x34f;b', 'ab'],
    ['directions', 'a&#x202e;b&#x2066;c&#x200f;', 'abc'],
    ['runs of selectors', `a${'&#xfe01;&#xfe02;&#xe0101;'.repeat(3)}b&#x1f600;&#xfe0f;&#xfe0f;`, 'ab😀\ufe0f'],
    ['runs of joiners', `a${'&zwnj;&zwj;'.repeat(8)}b`, 'ab'],
    ['blank braille', 'a&#x2800;b', 'ab'],
    ['in a title and in words of an image', '<img alt="a&#x202e;b">', '[image: ab]'],
  ])('characters: %s', async (_, html, text) => {
    expect(await markdown(html)).toBe(text);
  });
});

describe('text that a person sees stays', () => {
  it.each([
    ['blanks between boxes taken away', '<ul style="font-size:0"><li style="font-size:16px">SEEN</li></ul>', '- SEEN'],
    ['visible within what is invisible', '<div style="visibility:hidden">no<p style="visibility:visible">SEEN</p></div>', 'SEEN'],
    ['hidden from screen readers alone', '<p aria-hidden="true">SEEN</p>'],
    ['half transparent', inline('opacity:.5').replace('ORDER', 'SEEN')],
    ['cut without a size', inline('overflow:hidden').replace('ORDER', 'SEEN')],
    ['a size of 0 that cuts nothing', inline('height:0').replace('ORDER', 'SEEN')],
    ['a span, which has no size', inline('height:0;overflow:hidden', 'span').replace('ORDER', 'SEEN')],
    ['moved a little', inline('position:relative;left:-10px;top:-4px;margin-left:-15px').replace('ORDER', 'SEEN')],
    ['in the middle', inline('position:absolute;left:50%;top:50%;transform:translate(-50%,-50%)').replace('ORDER', 'SEEN')],
    ['turned and scaled', inline('transform:scale(0.9) rotate(-2deg);zoom:1').replace('ORDER', 'SEEN')],
    ['clipped at corners', inline('clip-path:polygon(0 0,100% 0,100% 90%,0 100%)').replace('ORDER', 'SEEN')],
    ['indented', inline('text-indent:2em').replace('ORDER', 'SEEN')],
    ['small print', inline('font-size:9px').replace('ORDER', 'SEEN')],
    ['white on a dark ground', inline('color:#fff;background:#222').replace('ORDER', 'SEEN')],
    ['white on a picture', '<div style="background:url(a.png) #fff"><p style="color:white">SEEN</p></div>'],
    ['white on a gradient', inline('color:#fff;background:linear-gradient(red,blue)').replace('ORDER', 'SEEN')],
    [
      'letters filled by a gradient',
      inline('background:linear-gradient(red,blue);-webkit-background-clip:text;color:transparent').replace('ORDER', 'SEEN'),
    ],
    ['white with a shadow', inline('color:#fff;text-shadow:0 0 3px #000').replace('ORDER', 'SEEN')],
    [
      'white where sheets from elsewhere may colour it',
      '<link rel="stylesheet" href="a.css"><div class="hero"><p style="color:#fff">SEEN</p></div>',
    ],
    [
      'a button that sheets from elsewhere colour',
      '<link rel="stylesheet" href="a.css"><div style="background:#fff"><a class="btn" style="color:#fff" href="/b">SEEN</a></div>',
      '[SEEN](https://a.example/b)',
    ],
    ['a link within white text', '<div style="color:#fff"><a href="/b">SEEN</a></div>', '[SEEN](https://a.example/b)'],
    ['grey on white', inline('color:#ccc').replace('ORDER', 'SEEN')],
    ['fading in', inline('opacity:0;animation:in 1s forwards').replace('ORDER', 'SEEN')],
    ['revealed by scrolling', sheet('.r{opacity:0;transform:translateY(400px);transition:all .5s}', '<div class="r">SEEN</div>')],
    ['folded, opening on a click', inline('max-height:0;overflow:hidden;transition:max-height .2s').replace('ORDER', 'SEEN')],
    [
      'a page that waits for its script',
      '<html><head><style>body{opacity:0;visibility:hidden}</style></head><body style="display:none"><p>SEEN</p></body></html>',
    ],
    ['details', '<details><p>SEEN</p></details>'],
    ['an open dialog', '<dialog open>SEEN</dialog>'],
    ['sheet: shown again', sheet('.t{display:none}.t.on{display:block}', '<div class="t">no</div><div class="t on">SEEN</div>')],
    ['sheet: shown by the element itself', sheet('.t{display:none}', '<div class="t" style="display:block">SEEN</div>')],
    ['sheet: for paper', sheet('@media print{.s{display:none}}', '<p class="s">SEEN</p>')],
    ['sheet: for paper, by its element', '<style media="print">.s{display:none}</style><p class="s">SEEN</p>'],
    ['sheet: for small screens', sheet('@media (max-width: 600px){.s{display:none}}', '<p class="s">SEEN</p>')],
    [
      'sheet: for what a person does',
      sheet('.s:hover{display:none} .s::after{display:none} p:empty{display:none}', '<p class="s">SEEN</p>'),
    ],
    [
      'sheet: for other elements',
      sheet('.a .s{display:none} .b>.s{opacity:0} .ss{display:none} #s{display:none}', '<p class="b"><i class="s">SEEN</i></p>').replace(
        '.b>.s',
        '.b>p>.s',
      ),
    ],
    ['sheet: of a comment', '<!-- <style>.s{display:none}</style> --><p class="s">SEEN</p>'],
    ['sheet: of a script', '<script>x = "<style>.s{display:none}</style>"</script><p class="s">SEEN</p>'],
    ['sheet: without scripts', '<noscript><style>.s{display:none}</style></noscript><p class="s">SEEN</p>'],
    ['sheet: frames of an animation', sheet('@keyframes in{from{opacity:0;display:none}to{opacity:1}}', '<p>SEEN</p>')],
    ['sheet: a clearfix', sheet('.s::after{content:"";display:block;height:0;visibility:hidden}.s{zoom:1}', '<p class="s">SEEN</p>')],
    ['sheet: dark', sheet('body{background:#111;color:#fff}', '<body><p>SEEN</p></body>')],
    ['sheet: colours by a variable', sheet('p{color:var(--ink)}', '<p>SEEN</p>')],
    ['Persian and emoji', '<p>می‌خواهم 👩‍💻 ❤️‍🔥 1️⃣</p>', 'می‌خواهم 👩‍💻 ❤️‍🔥 1️⃣'],
  ])('%s', async (_, html, text = 'SEEN') => {
    expect((await markdown(html)).replaceAll(/\s+/g, ' ')).toBe(text);
  });

  it('a style sheet that costs more than a page may ends the reading, and the page says that it went on', async () => {
    const rules = Array.from({length: 15_000}, (_, index) => `.q${index} .x{display:none}`).join('');
    const page = await htmlToMarkdown(sheet(rules, '<div class="x">a</div>'.repeat(5000)), {
      base: new URL('https://a.example/'),
      maxChars: 100_000,
    });
    expect({truncated: page.truncated, hasRead: page.markdown.length < 20_000}).toEqual({truncated: true, hasRead: true});
  });

  it.each([
    ['comments that do not end', '/*a'.repeat(300_000)],
    ['a million semicolons', `.x{${';'.repeat(1_000_000)}}`],
    ['a million letters', `.x{${'a'.repeat(1_000_000)}{}}`],
    ['blocks within blocks', '.a{'.repeat(300_000)],
    ['lists within lists', `${`${'a,'.repeat(40)}b{`.repeat(8)}display:none`],
    ['brackets that do not end', `.x{color:${'('.repeat(500_000)}`],
    ['blanks', `.x{color:${' '.repeat(900_000)}!important}`],
    ['selectors without an end', `${':not('.repeat(200_000)}{display:none}`],
    ['a long selector', `${'a>'.repeat(300_000)}b{display:none}`],
  ])('a hostile style sheet is read in a bounded way: %s', async (_, css) => {
    expect(await markdown(sheet(css, '<p class="y">SEEN</p>'))).toBe('SEEN');
  });
});
