import {createHash} from 'node:crypto';
import {isJsonObject, parseJson, type Json} from '../../base/json.ts';
import type {LoggedEvent} from '../log-line.ts';
import {overviewOf, titleOf} from './overview.ts';
import {callViews, entryText, transcriptOf, type CallView, type TranscriptEntry, type ReplyEntry, type Transcript} from './transcript.ts';
import {changeHtml, codeHtml, escaped} from './html-text.ts';
import {markdownHtml} from './markdown-html.ts';
import {createShownAgents, describeAgent, type ShownAgents} from './shown-agents.ts';
import type {SubagentLog} from './subagent-logs.ts';

/**
 * The session as one page that loads nothing and runs nothing: tags in it are text, its Markdown is rendered. A subagent's steps follow the
 * call that started it; without such a call they come last.
 */
export function exportHtml(events: Iterable<LoggedEvent>, subagents: readonly SubagentLog[] = []): string {
  const transcript = transcriptOf(events);
  const title = escaped(titleOf(transcript));
  const overview = overviewOf(transcript).map(([label, value]) => `<dt>${escaped(label)}</dt><dd>${escaped(value)}</dd>`);
  const entries = shownEntries(transcript, subagents);
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
body{max-width:56rem;margin:2rem auto;padding:0 1rem;overflow-wrap:anywhere}
h1{font-size:1.5rem}
h2{font-size:1.05rem;margin:0 0 .25rem}
h3{font-size:1rem;margin:.75rem 0 .25rem}
dl{display:grid;grid-template-columns:max-content 1fr;gap:0 1rem;font-size:.9rem}
dt{opacity:.7}
dd{margin:0}
pre{white-space:pre-wrap;font:inherit;margin:.5rem 0}
h4{font-size:.95rem;margin:.75rem 0 .25rem}
p{white-space:pre-wrap;margin:.5rem 0}
ul,ol{margin:.5rem 0;padding-left:1.5rem}
li{white-space:pre-wrap}
blockquote{border-left:.2rem solid #8886;margin:.5rem 0;padding-left:.75rem}
hr{border:0;border-top:1px solid #8886}
.wide{overflow-x:auto}
table{border-collapse:collapse;margin:.5rem 0;font-size:.9rem}
th,td{border:1px solid #8886;padding:.2rem .5rem;text-align:left;vertical-align:top}
th{background:#8881}
.agent{border:1px solid #8886;border-radius:.3rem;margin:.5rem 0;padding:.25rem .75rem}
section{border-left:.25rem solid #8888;padding-left:1rem;margin:1rem 0}
section.user{border-color:#2a7de1}
summary{cursor:pointer}
.failed>summary{color:light-dark(#b3261e,#ff8a80)}
.failed>summary::after{content:' (failed)'}
code,.code{font:.85rem/1.4 ui-monospace,monospace}
code{background:#8882;border-radius:.2rem;padding:0 .2rem}
.code{background:#8881;border-radius:.3rem;padding:.5rem .75rem;max-height:32rem;overflow:auto}
ins,del{text-decoration:none}
ins{color:light-dark(#1a6b2b,#7ddc92)}
del{color:light-dark(#b3261e,#ff8a80)}
.note{opacity:.7;font-size:.9rem}
@media print{.code{max-height:none}}
.rewound{opacity:.6;border:1px dashed #8888;padding:0 1rem}
.rewound::before{content:'rewound: the model no longer sees this';font-style:italic}
`;

const POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'`;

/** Consecutive replies share one heading. */
function shownEntries({entries, started}: Transcript, subagents: readonly SubagentLog[]): readonly string[] {
  const page: Page = {agents: createShownAgents(subagents), asker: started?.parent_thread_id === undefined ? 'User' : 'Task'};
  let before: TranscriptEntry['kind'] | undefined;
  const sections = entries.flatMap((entry) => {
    const html = section(entry, before !== entry.kind, page);
    if (html === '') return [];
    before = entry.kind;
    return [entry.rewound === true ? rewound(html) : html];
  });
  return [...sections, ...page.agents.others().map(agentDetails)];
}

interface Page {
  readonly agents: ShownAgents;
  /** The author of the prompts. */
  readonly asker: string;
}

function agentDetails(log: SubagentLog): string {
  const transcript = transcriptOf(log.events);
  const entries = shownEntries(transcript, log.subagents);
  return `<details class="agent"><summary>${escaped(describeAgent(log, transcript))}</summary>${entries.join('\n')}</details>`;
}

function section(entry: TranscriptEntry, isFirst: boolean, page: Page): string {
  switch (entry.kind) {
    case 'user':
      return `<section class="user"><h2>${entry.byHarness ? 'Harness' : page.asker}</h2>${markdownHtml(entry.text)}</section>`;
    case 'reply':
      return replySection(entry, isFirst, page.agents);
    case 'compaction':
      return note(entry.text) + entry.written.map(writtenDetails).join('');
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

function replySection({reply, request, interrupted}: ReplyEntry, isFirst: boolean, agents: ShownAgents): string {
  const reasoning = entryText(reply, 'reasoning');
  const message = entryText(reply, 'agent_message');
  const parts = [
    ...interrupted.map(({message: why, text}) => note(`Interrupted reply: ${why}`) + pre(text)),
    reasoning === '' ? '' : `<details><summary>Reasoning</summary>${pre(reasoning)}</details>`,
    message === '' ? '' : markdownHtml(message),
    ...callViews(reply).flatMap((view) => [callDetails(view), ...agents.of(view.call.id).map(agentDetails)]),
    request === undefined ? note('This reply was cut off.') : '',
  ].filter((part) => part !== '');
  if (parts.length === 0) parts.push(note('Nothing was said.'));
  return `<section class="assistant">${isFirst ? '<h2>Assistant</h2>' : ''}${parts.join('')}</section>`;
}

function callDetails({call, output, text, isError}: CallView): string {
  const summary = `${call.tool_name}${output?.summary === undefined ? '' : `: ${output.summary}`}`;
  return `<details${isError ? ' class="failed"' : ''}><summary>${escaped(summary)}</summary>${argumentsHtml(call.arguments)}${codeHtml(text)}</details>`;
}

function writtenDetails(text: string): string {
  return `<details><summary>Summary of earlier messages</summary>${pre(text)}</details>`;
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

/** Renders the arguments of a call, one line each; long texts as they are, an exact edit as a change. */
function argumentsHtml(json: string): string {
  const parsed = parseJson(json);
  if (!isJsonObject(parsed)) return codeHtml(json);
  const {old_string: before, new_string: after, ...rest} = parsed;
  const isChange = typeof before === 'string' && typeof after === 'string';
  const shown = Object.entries(isChange ? rest : parsed);
  const short = shown
    .filter(([, value]) => !isLong(value))
    .map(([key, value]) => `${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`);
  const long = shown.flatMap(([key, value]) => (isLong(value) ? [`${note(key)}${codeHtml(value)}`] : []));
  return `${short.length === 0 ? '' : codeHtml(short.join('\n'))}${long.join('')}${isChange ? changeHtml(before, after) : ''}`;
}

function isLong(value: Json | undefined): value is string {
  return typeof value === 'string' && value.includes('\n');
}
