import {Parser} from 'htmlparser2';
import {createMarkdownRenderer} from './markdown-renderer.ts';
import {pageStyles} from '../sight/page-styles.ts';
import {visible} from '../visible-characters.ts';

export interface MarkdownPage {
  readonly title: string;
  readonly markdown: string;
  /** True if the page exceeded the limit, or was nested too deeply. */
  readonly truncated: boolean;
}

export interface MarkdownOptions {
  /** Base address of relative links. */
  readonly base: URL;
  /** Reading ends when the Markdown is longer than this. */
  readonly maxChars: number;
  readonly signal?: AbortSignal | undefined;
}

/** The page is read in pieces, so that reading can stop at the limit. */
const PIECE_CHARS = 4096;
/** After this many characters other work gets its turn: a hostile page takes seconds. */
const TURN_CHARS = 64 * PIECE_CHARS;
/** As deep as browsers build a page (Blink). The work of the parser grows with the depth. */
const MAX_DEPTH = 512;

/**
 * Converts HTML to Markdown: headings, paragraphs, lists, quotes, links, code, tables. Invisible content
 * (scripts, and content hidden by the page's own styles) is left out; images are reduced to their texts. Rejects
 * when the signal aborts. Takes time linear in the length of the page, whatever it contains.
 */
export async function htmlToMarkdown(html: string, {base, maxChars, signal}: MarkdownOptions): Promise<MarkdownPage> {
  const styles = pageStyles(html);
  const renderer = createMarkdownRenderer(base, styles);
  const parser = new Parser({onopentag: renderer.open, ontext: renderer.text, onclosetag: renderer.close}, {decodeEntities: true});
  let at = 0;
  while (at < html.length && renderer.length() <= maxChars && renderer.depth() <= MAX_DEPTH && !styles.isSpent()) {
    parser.write(html.slice(at, at + PIECE_CHARS));
    at += PIECE_CHARS;
    if (at % TURN_CHARS === 0) {
      await new Promise((resolve) => setImmediate(resolve));
      signal?.throwIfAborted();
    }
  }
  parser.end();
  const {title, markdown} = renderer.result();
  // Cleaned once more, since characters written as `&#x202e;` are decoded by now.
  return {title: visible(title), markdown: visible(markdown), truncated: at < html.length};
}
