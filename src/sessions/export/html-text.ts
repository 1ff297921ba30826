import {visibleText} from '../../base/visible-text.ts';

/** Text as text: nothing of it is a tag, an attribute, or invisible. */
export function escaped(text: string): string {
  return visibleText(text).replaceAll(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}

/**
 * The little of Markdown that makes an answer readable: headings, code, bold words. Links and images stay text, so that it can be seen where
 * they lead, and nothing can be clicked or loaded; tables and lists keep their own signs.
 */
export function markdownHtml(text: string): string {
  return blocksOf(visibleText(text).split('\n'))
    .map(({kind, lines}) => {
      if (kind === 'heading') return `<h3>${inline(lines.join(' ').replace(/^\s*#+\s+/, ''))}</h3>`;
      return kind === 'code' ? codeHtml(lines.join('\n')) : `<pre>${inline(lines.join('\n'))}</pre>`;
    })
    .join('');
}

/** A text as it was, in one width; where it is a patch, with what goes and what comes. */
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

interface Block {
  readonly kind: 'heading' | 'code' | 'words';
  readonly lines: string[];
}

function blocksOf(lines: readonly string[]): readonly Block[] {
  const blocks: Block[] = [];
  let fence: string | undefined;
  const add = (kind: Block['kind'], line: string): void => {
    const last = blocks.at(-1);
    if (last?.kind === kind && kind !== 'heading' && fence === undefined) last.lines.push(line);
    else if (fence !== undefined) last?.lines.push(line);
    else blocks.push({kind, lines: [line]});
  };
  for (const line of lines) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence !== undefined && mark !== undefined && mark.startsWith(fence)) {
      fence = undefined;
      blocks.push({kind: 'words', lines: []});
    } else if (fence === undefined && mark !== undefined) {
      blocks.push({kind: 'code', lines: []});
      fence = mark;
    } else if (/^ {0,3}#{1,6}\s+\S/.test(line)) add('heading', line);
    else add(line.startsWith('|') ? 'code' : 'words', line);
  }
  return blocks.filter((block) => block.kind === 'code' || block.lines.some((line) => line.trim() !== '')).map(trimmed);
}

/** The space between blocks is that of the page. */
function trimmed({kind, lines}: Block): Block {
  if (kind !== 'words') return {kind, lines};
  const first = lines.findIndex((line) => line.trim() !== '');
  return {kind, lines: lines.slice(first, lines.findLastIndex((line) => line.trim() !== '') + 1)};
}

function inline(text: string): string {
  return text
    .split(/(`[^`\n]+`)/)
    .map((part, index) => {
      if (index % 2 === 1) return `<code>${escaped(part.slice(1, -1))}</code>`;
      return escaped(part).replaceAll(/\*\*(\S(?:[^*\n]*\S)?)\*\*/g, '<strong>$1</strong>');
    })
    .join('');
}
