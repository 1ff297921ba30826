import type {MarkedToken, Token} from 'marked';
import {visibleText} from '../../../../base/visible-text.ts';
import type {Line, Span, StyleName} from '../../cells/line.ts';
import {decodedEntities} from './entities.ts';

/** The text of a paragraph as lines of spans: one line, and one more for each hard break. */
export function inlineLines(tokens: readonly Token[], style: readonly StyleName[] = []): readonly Line[] {
  const lines: Span[][] = [[]];
  for (const part of inlineSpans(tokens as readonly MarkedToken[], style)) {
    if (part === 'break') lines.push([]);
    else if (part.text !== '') lines.at(-1)?.push(part);
  }
  return lines;
}

type Part = Span | 'break';

function inlineSpans(tokens: readonly MarkedToken[], style: readonly StyleName[]): readonly Part[] {
  return tokens.flatMap((token) => spansOf(token, style));
}

function spansOf(token: MarkedToken, style: readonly StyleName[]): readonly Part[] {
  switch (token.type) {
    case 'br':
      return ['break'];
    case 'checkbox':
      return [];
    case 'codespan':
      return [shown(token.text, [...style, 'code'])];
    case 'strong':
    case 'em':
    case 'del':
      return inlineSpans(token.tokens as readonly MarkedToken[], [...style, LOOKS[token.type]]);
    case 'link':
    case 'image':
      return linkSpans(token, style);
    default:
      return textSpans(token, style);
  }
}

/** The spans of a text and of containers of text; references are decoded in text alone. */
function textSpans(token: MarkedToken, style: readonly StyleName[]): readonly Part[] {
  if (token.type === 'html' || token.type === 'escape') return [shown(token.text, style)];
  if ('tokens' in token && token.tokens !== undefined) return inlineSpans(token.tokens as readonly MarkedToken[], style);
  return [shown(decodedEntities('text' in token ? token.text : token.raw), style)];
}

/** The text of a link, and its target if that differs from the text. */
function linkSpans(token: MarkedToken & {type: 'link' | 'image'}, style: readonly StyleName[]): readonly Part[] {
  const label = inlineSpans(token.tokens as readonly MarkedToken[], [...style, 'link']);
  const target = shown(token.href, [...style, 'dim']);
  const says = label.map((part) => (part === 'break' ? ' ' : part.text)).join('');
  if (says === '') return [{...target, style: [...style, 'link']}];
  const isSame = PREFIXES.some((prefix) => `${prefix}${says}` === token.href);
  return isSame ? label : [...label, {...target, text: ` (${target.text})`}];
}

/** A line break in the source is a blank, and so is a tab. */
function shown(text: string, style: readonly StyleName[]): Span {
  const [first = '', ...others] = visibleText(text).replaceAll('\t', ' ').split('\n');
  const joined = [first, ...others.map((line) => line.trimStart())].join(' ');
  return style.length === 0 ? {text: joined} : {text: joined, style};
}

const LOOKS = {strong: 'bold', em: 'italic', del: 'strike'} as const;
const PREFIXES = ['', 'http://', 'https://', 'mailto:'];
