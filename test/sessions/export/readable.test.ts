import {createHash} from 'node:crypto';
import * as fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import type {ThreadEvent} from '../../../src/protocol/events.ts';
import {exportHtml} from '../../../src/sessions/export/html.ts';
import {exportMarkdown} from '../../../src/sessions/export/markdown.ts';
import {
  answered,
  callCompleted,
  compacted,
  logged,
  output,
  reasoning,
  started,
  text,
  turnFailed,
  turnStarted,
  user,
  wholeTurn,
} from '../events.ts';

const retry: ThreadEvent = {type: 'item.completed', item: {id: 'h', type: 'harness', event: 'model_retry', message: 'Again in 1 s.'}};
const story = [
  ...wholeTurn(),
  compacted(),
  turnStarted('trn_2'),
  user('More.', 'u2'),
  retry,
  text('r3', 'Well,'),
  turnFailed('provider_error'),
];

describe('Markdown', () => {
  it('tells the session', () => {
    expect(exportMarkdown(logged(story))).toMatchInlineSnapshot(`
      "# Fix it.

      - Session: \`thr_1\`
      - Started: \`2026-01-02T03:04:00.000Z\`
      - Folder: \`/demo\`
      - Model: \`script/demo\`
      - Turns: \`2 (2 requests)\`
      - Tokens: \`200 in (80 cached), 40 out\`
      - Cost: \`$0.5000\`
      - Outcome: \`provider_error\`

      ## User

      Fix it.

      ## Assistant

      <details><summary>Reasoning</summary>

      \`\`\`text
      Look first.
      \`\`\`

      </details>

      I look.

      **Tool** \`read\`

      \`\`\`json
      {"path":"a.txt"}
      \`\`\`

      \`\`\`text
      hello
      \`\`\`

      **Tool** \`grep\`

      \`\`\`json
      {"pattern":"x"}
      \`\`\`

      \`\`\`text
      a.txt:1:x
      \`\`\`

      ## Assistant

      Done.

      ---

      *The context was compacted (auto): 12 messages became 1.*

      ## User

      More.

      *model_retry: Again in 1 s.*

      ## Assistant

      Well,

      *This reply was cut off.*

      **The turn failed (provider_error): It stopped.**
      "
    `);
  });

  it('output cannot close its fence, nor send escape sequences to a terminal, nor reorder text', () => {
    const call = {id: 'c1', name: 'ba`sh', arguments: '{}'};
    const shown = 'a\n```\n````js\n\u001b[2J\u0007\u202eevil\r\n';
    const markdown = exportMarkdown(logged([callCompleted('r1', call), output('r1', call, shown), answered('r1')]));
    expect(markdown.slice(markdown.indexOf('**Tool**'))).toBe(
      '**Tool** ``ba`sh``\n\n```json\n{}\n```\n\n`````text\na\n```\n````js\n\\u202eevil\n`````\n',
    );
  });
});

const REWOUND = [
  turnStarted('t1'),
  user('Kept.'),
  turnStarted('t2'),
  user('Taken back.', 'u2'),
  {type: 'thread.rewound', thread_id: 'thr_1', to: 't2', checkpoint_id: 'chk_1'} as const,
  turnStarted('t3'),
  user('Instead.', 'u3'),
];

describe('what was rewound', () => {
  it('Markdown says where it begins and that it was taken back', () => {
    expect(exportMarkdown(logged(REWOUND)).split('\n').slice(11)).toEqual([
      '## User',
      '',
      'Kept.',
      '',
      '*From here on rewound: the model no longer sees it.*',
      '',
      '## User',
      '',
      'Taken back.',
      '',
      '---',
      '',
      '*The conversation goes on from an earlier point.*',
      '',
      '## User',
      '',
      'Instead.',
      '',
    ]);
  });

  it('HTML marks it', () => {
    const html = exportHtml(logged(REWOUND));
    expect(html.match(/<div class="rewound">.*<\/div>/g)).toEqual([
      '<div class="rewound"><section class="user"><h2>User</h2><p>Taken back.</p></section></div>',
    ]);
  });
});

/** All tags that a page may have. */
const OWN_TAGS: readonly string[] = [
  ...'html head title style body h1 h2 h3 h4 dl dt dd section p pre details summary ins del code strong em s div ul ol li blockquote table thead tbody tr th td'
    .split(' ')
    .flatMap((name) => [`<${name}>`, `</${name}>`]),
  '<!doctype html>',
  '<html lang="en">',
  '<meta charset="utf-8">',
  '<meta name="viewport" content="width=device-width">',
  /<meta http-equiv[^>]*>/.exec(exportHtml([]))?.[0] ?? '',
  '<section class="user">',
  '<section class="assistant">',
  '<pre class="code">',
  '<p class="note">',
  '<details class="failed">',
  '<details class="agent">',
  '<div class="wide">',
  '<hr>',
  '</a>',
];
/** Lists have numbers, links lead to the web or to mail. */
const OWN_ATTRIBUTES = /^<(?:ol start="\d{1,9}"|a href="(?:https?:\/\/|mailto:)[^"<>\s]+" rel="noopener noreferrer nofollow")>$/i;

describe('HTML', () => {
  it('tells the session on one page', () => {
    expect(exportHtml(logged(story)).replace(/<style>[^]*<\/style>/, '<style></style>')).toMatchInlineSnapshot(`
      "<!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-9Q1NKHThmupvJCxeLm5Jad/FpaONKLixNn62uJ5ylao='; base-uri 'none'; form-action 'none'">
      <meta name="viewport" content="width=device-width">
      <title>Fix it.</title>
      <style></style>
      </head>
      <body>
      <h1>Fix it.</h1>
      <dl><dt>Session</dt><dd>thr_1</dd><dt>Started</dt><dd>2026-01-02T03:04:00.000Z</dd><dt>Folder</dt><dd>/demo</dd><dt>Model</dt><dd>script/demo</dd><dt>Turns</dt><dd>2 (2 requests)</dd><dt>Tokens</dt><dd>200 in (80 cached), 40 out</dd><dt>Cost</dt><dd>$0.5000</dd><dt>Outcome</dt><dd>provider_error</dd></dl>
      <section class="user"><h2>User</h2><p>Fix it.</p></section>
      <section class="assistant"><h2>Assistant</h2><details><summary>Reasoning</summary><pre>Look first.</pre></details><p>I look.</p><details><summary>read: one line</summary><pre class="code">path: a.txt</pre><pre class="code">hello</pre></details><details><summary>grep: one line</summary><pre class="code">pattern: x</pre><pre class="code">a.txt:1:x</pre></details></section>
      <section class="assistant"><p>Done.</p></section>
      <p class="note">The context was compacted (auto): 12 messages became 1.</p>
      <section class="user"><h2>User</h2><p>More.</p></section>
      <p class="note">model_retry: Again in 1 s.</p>
      <section class="assistant"><h2>Assistant</h2><p>Well,</p><p class="note">This reply was cut off.</p></section>
      <p class="note">The turn failed (provider_error): It stopped.</p>
      </body>
      </html>
      "
    `);
  });

  it('an answer is shown with its headings, code, bold words, tables and links', () => {
    const answer = [
      '# Done',
      '',
      'See `a<b` and **that**:',
      '',
      '```ts',
      'x < 1',
      '# no heading',
      '```',
      '| a |',
      '|---|',
      '',
      '[x](http://e)',
    ];
    const html = exportHtml(logged([started(), text('r', answer.join('\n'))]));
    expect(/<section class="assistant">.*/s.exec(html)?.[0].split('</section>')[0]).toBe(
      '<section class="assistant"><h2>Assistant</h2><h3>Done</h3><p>See <code>a&#60;b</code> and <strong>that</strong>:</p>' +
        '<pre class="code">x &#60; 1\n# no heading</pre><div class="wide"><table><thead><tr><th>a</th></tr></thead></table></div>' +
        '<p><a href="http://e" rel="noopener noreferrer nofollow">x</a></p>' +
        '<p class="note">This reply was cut off.</p>',
    );
  });

  it('a call is shown with what it was about: an exact edit as a change, a patch with its lines, a long text as it is', () => {
    const change = {id: 'c', arguments: JSON.stringify({path: 'a', old_string: 'x\ny', new_string: 'z'})};
    const long = {id: 'd', arguments: JSON.stringify({path: 'b', n: 1, content: '1\n2'})};
    const events = [
      started(),
      callCompleted('r', change),
      callCompleted('r', long),
      output('r', change, '@@ -1 +1 @@\n-a\n+b'),
      output('r', long, 'ok'),
    ];
    expect(exportHtml(logged(events)).match(/<details.*?<\/details>/gs)).toEqual([
      '<details><summary>read: one line</summary><pre class="code">path: a</pre><pre class="code"><del>-x</del>\n<del>-y</del>\n<ins>+z</ins></pre>' +
        '<pre class="code">@@ -1 +1 @@\n<del>-a</del>\n<ins>+b</ins></pre></details>',
      '<details><summary>read: one line</summary><pre class="code">path: b\nn: 1</pre><p class="note">content</p><pre class="code">1\n2</pre>' +
        '<pre class="code">ok</pre></details>',
    ]);
  });

  it('the policy allows its own style and nothing else', () => {
    const html = exportHtml(logged(story));
    const style = /<style>([^]*)<\/style>/.exec(html)?.[1] ?? '';
    const digest = createHash('sha256').update(style).digest('base64');
    expect(html).toContain(`content="default-src 'none'; style-src 'sha256-${digest}'; base-uri 'none'; form-action 'none'"`);
    expect(html).not.toMatch(/https?:|url\(|@import|<script|<img|<link/);
  });

  it('whatever stands in a session, the page has only its own tags and no attribute of others', () => {
    const hostile = fc.oneof(
      fc.string({unit: 'binary'}),
      fc.constantFrom(
        '</pre><script>alert(1)</script>',
        '" onload="x',
        "'><img src=x onerror=y>",
        '&lt;b&gt;',
        '<!--',
        ']]>',
        '\u0000<\u0000b>',
        '# <b>\n```html\n<script>\n```\n**<i>** `<u>` [x](javascript:alert(1)) ![x](http://127.0.0.1/)',
        '{"old_string": "<b>", "new_string": "<i>\\n\\u003cscript>", "<k>": "</pre>"}',
        '@@ -1 +1 @@\n-<b>\n+<i>',
        '- <b>\n  1) [x](https://e/"onclick=x) **[y](https://e/%3Cb%3E)**\n> | <i> | b |\n> |---|---|\n> | [`<u>`](data:text/html,x) |',
        "[a](vbscript:x) <https://e/'onload=x> [b](HTTPS://e/`x`) [c](https://e/<script>) ![d](https://e/p.png)",
      ),
    );
    fc.assert(
      fc.property(hostile, hostile, (one, two) => {
        const call = {id: 'c', name: one, arguments: two};
        const events = [
          started({cwd: one}),
          user(two),
          reasoning('r', one),
          text('r', two),
          callCompleted('r', call),
          output('r', call, one),
        ];
        const tags = exportHtml(logged(events)).match(/<[^>]*>/g) ?? [];
        const known = new Set(OWN_TAGS);
        expect(tags.filter((tag) => !known.has(tag) && !OWN_ATTRIBUTES.test(tag))).toEqual([]);
      }),
    );
  });
});
