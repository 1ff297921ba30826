import {Parser} from 'htmlparser2';
import {createMarkdownRenderer} from './markdown-renderer.ts';

export interface MarkdownPage {
  readonly title: string;
  readonly markdown: string;
  /** True where the page went on behind the bound, or was nested more deeply than any page is. */
  readonly truncated: boolean;
}

export interface MarkdownOptions {
  /** What addresses of links are relative to. */
  readonly base: URL;
  /** Reading ends when there is more than this. */
  readonly maxChars: number;
  readonly signal?: AbortSignal | undefined;
}

/** Read in pieces, so that a bound that was reached ends the reading. */
const PIECE_CHARS = 4096;
/** After so much others have their turn: a hostile page costs seconds. */
const TURN_CHARS = 64 * PIECE_CHARS;
/** As deep as browsers build a page (Blink). The work of the parser grows with the depth. */
const MAX_DEPTH = 512;

/**
 * HTML as Markdown: headings, paragraphs, lists, quotes, links, code, tables. What a person would not see (scripts, styles, hidden
 * elements) is left out, of images only the words. Rejects when the signal does. In time that grows with the length of the page, whatever stands in it.
 */
export async function htmlToMarkdown(html: string, {base, maxChars, signal}: MarkdownOptions): Promise<MarkdownPage> {
  const renderer = createMarkdownRenderer(base);
  const parser = new Parser({onopentag: renderer.open, ontext: renderer.text, onclosetag: renderer.close}, {decodeEntities: true});
  let at = 0;
  while (at < html.length && renderer.length() <= maxChars && renderer.depth() <= MAX_DEPTH) {
    parser.write(html.slice(at, at + PIECE_CHARS));
    at += PIECE_CHARS;
    if (at % TURN_CHARS === 0) {
      await new Promise((resolve) => setImmediate(resolve));
      signal?.throwIfAborted();
    }
  }
  parser.end();
  const {title, markdown} = renderer.result();
  return {title, markdown, truncated: at < html.length};
}
