import {escaped} from './html-text.ts';

/**
 * The text of a Markdown paragraph as HTML: code, bold, italic and struck words, links. A link leads to the web or to mail only, and shows its
 * address where its text names another one; an image is never loaded, its address stays text. Everything else is text.
 */
export function inlineHtml(text: string, depth = 0): string {
  if (depth > MOST_LEVELS) return escaped(text);
  let html = '';
  let from = 0;
  for (const match of text.matchAll(INLINE)) {
    html += escaped(text.slice(from, match.index)) + spanHtml(match, depth + 1);
    from = match.index + match[0].length;
  }
  return html + escaped(text.slice(from));
}

const MOST_LEVELS = 4;

/** Lengths are bounded, so that hostile text costs no more than its length. Of an image nothing is matched inside: it stays text. */
const INLINE = new RegExp(
  [
    /\\(?<plain>[!-/:-@[-`{-~])/,
    /``(?<wide>[^\n]{1,500}?)``(?!`)/,
    /`(?<code>[^`\n]+)`/,
    /(?<image>!\[[^[\]\n]{0,500}\]\([^()\s]{1,2000}\))/,
    /\[(?<label>[^[\]\n]{1,500})\]\(\s{0,3}<?(?<address>[^\s<>()]{1,2000}(?:\([^\s<>()]{0,200}\)[^\s<>()]{0,200})?)>?(?:\s{1,3}"[^"\n]{0,300}")?\s{0,3}\)/,
    /<(?<angled>https?:\/\/[^\s<>"'`|\\^{}[\]]{1,2000})>/,
    /(?<bare>\bhttps?:\/\/[^\s<>"'`|\\^{}[\]]{1,2000})/,
    /\*\*(?=[^\s*])(?<bold>(?:[^*\n]|\*(?!\*)){1,1000})(?<=\S)\*\*/,
    /(?<!\w)__(?=[^\s_])(?<bolder>[^_\n]{1,1000})(?<=\S)__(?!\w)/,
    /(?<![\w*])\*(?=[^\s*])(?<italic>[^*\n]{1,1000})(?<=\S)\*(?![\w*])/,
    /(?<!\w)_(?=[^\s_])(?<slanted>[^_\n]{1,1000})(?<=\S)_(?!\w)/,
    /~~(?=[^\s~])(?<struck>[^~\n]{1,1000})~~/,
  ]
    .map(({source}) => source)
    .join('|'),
  'g',
);

function spanHtml(match: RegExpExecArray, depth: number): string {
  const groups = match.groups ?? {};
  const {plain, label, address = ''} = groups;
  if (plain !== undefined) return escaped(plain);
  if (label !== undefined) return linkHtml(match[0], label, address);
  for (const [name, html] of SPANS) {
    const text = groups[name];
    if (text !== undefined) return html(text, depth);
  }
  return escaped(match[0]);
}

type SpanHtml = (text: string, depth: number) => string;

const code: SpanHtml = (text) => `<code>${escaped(text)}</code>`;

function wrapped(tag: string): SpanHtml {
  return (text, depth) => `<${tag}>${inlineHtml(text, depth)}</${tag}>`;
}

/** By the name of the group in `INLINE`. */
const SPANS: readonly (readonly [string, SpanHtml])[] = [
  ['wide', code],
  ['code', code],
  ['angled', bareHtml],
  ['bare', bareHtml],
  ['bold', wrapped('strong')],
  ['bolder', wrapped('strong')],
  ['italic', wrapped('em')],
  ['slanted', wrapped('em')],
  ['struck', wrapped('s')],
];

function linkHtml(whole: string, label: string, address: string): string {
  if (!isSafe(address)) return escaped(whole);
  const misleads = NAMES_PLACE.test(label) && label.trim() !== address;
  return `${anchor(address, label)}${misleads ? ` (${escaped(address)})` : ''}`;
}

/** Punctuation that ends a sentence after an address is not part of it. */
function bareHtml(input: string): string {
  const address = input.replace(/[.,;:!?)*_~]{1,20}$/, '');
  return isSafe(address) ? `${anchor(address, address)}${escaped(input.slice(address.length))}` : escaped(input);
}

/** Renders a link whose label is plain text: a link inside a link could hide where it leads. */
function anchor(address: string, label: string): string {
  return `<a href="${escaped(address)}" rel="noopener noreferrer nofollow">${escaped(label)}</a>`;
}

function isSafe(address: string): boolean {
  return /^(?:https?:\/\/|mailto:)[!-~]+$/i.test(address) && URL.canParse(address);
}

/** A text that looks like an address or a domain. */
const NAMES_PLACE = /:\/\/|www\.|^\s*[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}(?:[/:?#]|\s*$)/i;
