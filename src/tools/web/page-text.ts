import {FettleError} from '../../base/errors.ts';
import {visible} from './visible-characters.ts';

export interface PageText {
  /** Empty if the page has none. */
  readonly title: string;
  readonly text: string;
  /** True if the page was cut. */
  readonly truncated: boolean;
}

export interface PageSource {
  readonly url: URL;
  readonly contentType: string;
  readonly body: Buffer;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Returns a page as text of at most `maxBytes`: HTML as Markdown, other text as it is, without invisible
 * characters. Throws NOT_TEXT for everything else: images, programs, archives.
 */
export async function pageText(source: PageSource, maxBytes: number): Promise<PageText> {
  const [type = '', ...parameters] = source.contentType
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  const kind = kindOf(type, source.body);
  if (kind === 'other') {
    throw new FettleError({
      code: 'NOT_TEXT',
      message: `${source.url.host} answered with ${shownType(type)}, which is not text.`,
      hint: 'Only pages and other text can be fetched; a command can download the file.',
    });
  }
  const text = visible(decode(source.body, charsetOf(parameters, kind === 'html' ? source.body : undefined)));
  if (kind === 'text') return {title: '', ...cutText(text, maxBytes)};
  const {htmlToMarkdown} = await import('./markdown/html-to-markdown.ts');
  const page = await htmlToMarkdown(text, {base: source.url, maxChars: maxBytes, signal: source.signal});
  const cut = cutText(page.markdown, maxBytes);
  return {title: page.title, text: cut.text, truncated: cut.truncated || page.truncated};
}

function kindOf(type: string, body: Buffer): 'html' | 'text' | 'other' {
  const isBinary = body.subarray(0, 8192).includes(0) && !/^(?:\xff\xfe|\xfe\xff)/.test(body.toString('latin1', 0, 2));
  if (isBinary) return 'other';
  if (type === 'text/html' || type === 'application/xhtml+xml') return 'html';
  if (type === '' || type === 'application/octet-stream') return sniffed(body);
  if (type.startsWith('text/') || /^application\/(?:[\w.-]+\+)?(?:json|xml|yaml|toml)$/.test(type)) return 'text';
  return TEXTS.has(type) ? 'text' : 'other';
}

const TEXTS = new Set(
  'json5 jsonl x-ndjson ld+json javascript x-javascript ecmascript typescript x-yaml x-sh x-httpd-php sql graphql rtf x-tex'
    .split(' ')
    .map((name) => `application/${name}`),
);

/** Without a content type, text that begins like HTML is treated as a page. */
function sniffed(body: Buffer): 'html' | 'text' {
  return /^\s*(?:<!doctype html|<html|<head|<body)/i.test(body.toString('latin1', 0, 512)) ? 'html' : 'text';
}

function shownType(type: string): string {
  return /^[\w.+-]{1,60}\/[\w.+-]{1,60}$/.test(type) ? type : 'an unknown type';
}

/** A byte order mark is strongest, then the header, then the declaration in the page (HTML Standard, 13.2.3). */
function charsetOf(parameters: readonly string[], html: Buffer | undefined): string {
  const named = parameters.find((part) => part.startsWith('charset='))?.slice('charset='.length);
  const within =
    html === undefined ? undefined : /<meta[^>]{0,200}charset\s*=\s*["']?([\w-]{1,40})/i.exec(html.toString('latin1', 0, 2048))?.[1];
  return (named ?? within ?? 'utf-8').replaceAll(/["']/g, '');
}

function decode(body: Buffer, charset: string): string {
  const mark = body.toString('latin1', 0, 3);
  const marked =
    mark === '\xef\xbb\xbf' ? 'utf-8' : mark.startsWith('\xff\xfe') ? 'utf-16le' : mark.startsWith('\xfe\xff') ? 'utf-16be' : charset;
  try {
    return new TextDecoder(marked).decode(body);
  } catch {
    return new TextDecoder().decode(body); // an unknown name
  }
}

function cutText(text: string, maxBytes: number): {text: string; truncated: boolean} {
  const bytes = Buffer.from(text.slice(0, maxBytes + 1));
  if (bytes.length <= maxBytes) return {text, truncated: false};
  let end = maxBytes;
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return {text: bytes.toString('utf8', 0, end), truncated: true};
}
