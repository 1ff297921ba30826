/**
 * Markdown of a model, or of what it read, that loads nothing and runs nothing if it is shown: images and tags become text, so that their
 * addresses can be read (CVE-2025-59145, CVE-2025-54132); diagrams become code; a link shows where it leads when its text says otherwise or
 * it is none of the web. Code stays as it is.
 */
export function harmlessMarkdown(markdown: string): string {
  return markdown
    .split(FENCED)
    .map((part, index) => (index % 2 === 1 ? plainFence(part) : outsideFences(part)))
    .join('');
}

/** Whole fenced blocks. An unclosed one is treated as text, and its content is made harmless, too. */
const FENCED = /^( {0,3}(?:`{3,}[^\n`]*\n(?:[^]*?\n)?? {0,3}`{3,}|~{3,}[^\n]*\n(?:[^]*?\n)?? {0,3}~{3,})[ \t]*(?:\n|$))/gm;

/** Removes the language of blocks that viewers draw or run, so that they show the source. */
function plainFence(block: string): string {
  return block.replace(/^( {0,3}(?:`{3,}|~{3,}))[ \t]*(?:mermaid|math|geojson|topojson|stl|svg|html|graphviz|dot|plantuml)\b.*/i, '$1text');
}

function outsideFences(text: string): string {
  return text
    .split(/(\n[ \t]*\n)/)
    .map((paragraph) => {
      // Code within a line, if its backticks pair up unambiguously.
      const isClear = !paragraph.replaceAll(INLINE_CODE, '').includes('`');
      return isClear
        ? paragraph
            .split(INLINE_CODE)
            .map((part, index) => (index % 2 === 1 ? part : withoutPower(part)))
            .join('')
        : withoutPower(paragraph);
    })
    .join('');
}

const INLINE_CODE = /(?<![\\`])(`[^`\n\\]+`)(?!`)/g;

function withoutPower(text: string): string {
  return text
    .replaceAll('![', String.raw`\!\[`)
    .replaceAll(/<(?=[a-z/!?])/gi, '&lt;')
    .replaceAll(FOREIGN_LINK, (_, label: string, address: string) => `${label}] (${address})`)
    .replaceAll(FALSE_LINK, (whole: string, label: string, address: string) => (label.trim() === address ? whole : `${label} (${address})`))
    .replaceAll(/^( {0,3}\[[^\]\n]+\]):/gm, String.raw`$1\:`)
    .replaceAll(/\\href\s*\{/gi, String.raw`\\href {`);
}

/** `[x](javascript:…)`, `[x](vscode://…)`: no address of the web or of mail, and no path. */
const FOREIGN_LINK = /(\[[^\]\n]*)\]\(\s*(?!https?:|mailto:)([a-z][\w+.-]*:[^)\n]*)\)/gi;
/** `[http://good](http://evil)` */
const FALSE_LINK = /\[([^\]\n]*(?::\/\/|www\.)[^\]\n]*)\]\(\s*(https?:[^)\s]*)[^)\n]*\)/gi;
