import {createHash} from 'node:crypto';
import type {LoggedEvent} from '../log-line.ts';
import {overviewOf, titleOf} from './overview.ts';
import {callViews, textOf, transcriptOf, type CallView, type Entry, type ReplyEntry} from './transcript.ts';
import {visibleText} from '../../base/visible-text.ts';

/** The session as one page that loads nothing, runs nothing, and shows every text as text. */
export function exportHtml(events: Iterable<LoggedEvent>): string {
  const transcript = transcriptOf(events);
  const title = escaped(titleOf(transcript));
  const overview = overviewOf(transcript).map(([label, value]) => `<dt>${escaped(label)}</dt><dd>${escaped(value)}</dd>`);
  const entries = transcript.entries
    .map((entry) => (entry.rewound === true ? rewound(section(entry)) : section(entry)))
    .filter((html) => html !== '');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>${title}</h1>
<dl>${overview.join('')}</dl>
${entries.join('\n')}
</body>
</html>
`;
}

const STYLE = `
:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}
body{max-width:56rem;margin:2rem auto;padding:0 1rem}
dl{display:grid;grid-template-columns:max-content 1fr;gap:0 1rem}
dd{margin:0}
pre{white-space:pre-wrap;overflow-wrap:anywhere;margin:.5rem 0}
section{border-left:.25rem solid #8888;padding-left:1rem;margin:1.5rem 0}
section.user{border-color:#2a7de1}
.failed{border-color:#d33}
.code{font:.85rem/1.4 ui-monospace,monospace}
.note{opacity:.7}
.rewound{opacity:.6;border:1px dashed #8888;padding:0 1rem}
.rewound::before{content:'rewound: the model no longer sees this';font-style:italic}
`;

const POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'`;

function section(entry: Entry): string {
  switch (entry.kind) {
    case 'user':
      return `<section class="user"><h2>${entry.byHarness ? 'Harness' : 'User'}</h2>${pre(entry.text)}</section>`;
    case 'reply':
      return replySection(entry);
    case 'compaction':
    case 'rewind':
      return note(entry.text);
    case 'note':
      return note(entry.text === '' ? entry.name : `${entry.name}: ${entry.text}`);
    case 'turn_end':
      return entry.text === undefined ? '' : note(entry.text);
    default:
      return '';
  }
}

function replySection({reply, request}: ReplyEntry): string {
  const reasoning = textOf(reply, 'reasoning');
  const message = textOf(reply, 'agent_message');
  const parts = [
    reasoning === '' ? '' : `<details><summary>Reasoning</summary>${pre(reasoning)}</details>`,
    message === '' ? '' : pre(message),
    ...callViews(reply).map(callDetails),
    request === undefined ? note('This reply was cut off.') : '',
  ].filter((part) => part !== '');
  if (parts.length === 0) parts.push(note('Nothing was said.'));
  return `<section class="assistant"><h2>Assistant</h2>${parts.join('')}</section>`;
}

function callDetails({call, output, text, isError}: CallView): string {
  const summary = `${call.tool_name}${output?.summary === undefined ? '' : `: ${output.summary}`}`;
  return `<details${isError ? ' class="failed"' : ''}><summary>${escaped(summary)}</summary>${code(call.arguments)}${code(text)}</details>`;
}

/** The model no longer sees it. */
function rewound(html: string): string {
  return html === '' ? '' : `<div class="rewound">${html}</div>`;
}

function note(text: string): string {
  return `<p class="note">${escaped(text)}</p>`;
}

function pre(text: string): string {
  return `<pre>${escaped(text)}</pre>`;
}

function code(text: string): string {
  return `<pre class="code">${escaped(text)}</pre>`;
}

function escaped(text: string): string {
  return visibleText(text).replaceAll(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}
