import {visibleText} from '../../base/visible-text.ts';

/** Text as text: nothing of it is a tag, an attribute, or invisible. */
export function escaped(text: string): string {
  return visibleText(text).replaceAll(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}

/** A text as it was, in fixed width; a patch with its removed and added lines marked. */
export function codeHtml(text: string): string {
  const isPatch = /^(?:@@|\*\*\* Begin Patch|--- )/m.test(text);
  return `<pre class="code">${isPatch ? text.split('\n').map(patchLine).join('\n') : escaped(text)}</pre>`;
}

/** Two texts, the one that goes and the one that comes in its place. */
export function changeHtml(before: string, after: string): string {
  const lines = [...marked('-', before), ...marked('+', after)];
  return `<pre class="code">${lines.map(patchLine).join('\n')}</pre>`;
}

function marked(sign: string, text: string): string[] {
  return text === '' ? [] : text.split('\n').map((line) => sign + line);
}

function patchLine(line: string): string {
  if (/^(?:---|\+\+\+) /.test(line)) return escaped(line);
  if (line.startsWith('+')) return `<ins>${escaped(line)}</ins>`;
  return line.startsWith('-') ? `<del>${escaped(line)}</del>` : escaped(line);
}
