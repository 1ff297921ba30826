import type {Lexer, MarkedToken, Token, TokensList} from 'marked';

/** Reads the Markdown parser, once; until then text is shown as it is written. */
export async function loadMarkdown(): Promise<void> {
  if (parse !== undefined) return;
  const marked = await import('marked');
  parse = boundedParser(marked.Lexer);
}

/** The blocks of a text; undefined if the parser is not loaded, or the text is made to overwhelm it: it is shown as it is written. */
export function markdownTokens(text: string): readonly MarkedToken[] | undefined {
  if (parse === undefined || hasTooManyCells(text)) return undefined;
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

/**
 * The parser with bounds: nested blocks to a depth, and work in proportion to the text. Emphasis is searched to the end of the paragraph for each
 * mark, so that text of thousands of `*` takes seconds; beyond the bound it stays as it is written.
 */
function boundedParser(base: typeof Lexer): (text: string) => readonly MarkedToken[] {
  class BoundedLexer extends base {
    depth = 0;
    work = 0;

    override blockTokens(src: string, tokens?: Token[], lastParagraphClipped?: boolean): TokensList {
      this.work -= src.length * BLOCK_COST;
      if (this.depth >= MOST_DEPTH || this.work < 0) return Object.assign(asWritten(src, tokens ?? []), {links: this.tokens.links});
      this.depth++;
      const parsed = super.blockTokens(src, tokens, lastParagraphClipped);
      this.depth--;
      return Object.assign(parsed, {links: this.tokens.links});
    }

    override inlineTokens(src: string, tokens: Token[] = []): Token[] {
      this.work -= src.length * (src.match(MARKS)?.length ?? 0);
      if (src.length > MOST_INLINE || this.depth >= MOST_DEPTH || this.work < 0) return asWritten(src, tokens);
      this.depth++;
      const parsed = super.inlineTokens(src, tokens);
      this.depth--;
      return parsed;
    }
  }
  return (text) => {
    const lexer = new BoundedLexer();
    lexer.work = text.length * WORK_PER_CHARACTER;
    // No extension is in use: there are only the tokens of the parser itself.
    return lexer.lex(text) as MarkedToken[];
  };
}

function asWritten(src: string, tokens: Token[]): Token[] {
  tokens.push({type: 'text', raw: src, text: src});
  return tokens;
}

/** Each row of a table gets as many cells as its head has, whether they are written or not. */
function hasTooManyCells(text: string): boolean {
  if (!text.includes('|')) return false;
  const lines = text.split('\n');
  const columns = Math.max(...lines.map((line) => (DELIMITERS.test(line) ? line.split('|').length : 0)));
  return columns * lines.length > MOST_CELLS;
}

let parse: ((text: string) => readonly MarkedToken[]) | undefined;

const MOST_DEPTH = 32;
const MOST_INLINE = 16 * 1024;
const MOST_CELLS = 20_000;
/** Work for one character in one block, and for one mark for each character of its paragraph. */
const WORK_PER_CHARACTER = 96;
const BLOCK_COST = 2;
const MARKS = /[*_~[]+/g;
const DELIMITERS = /^[ \t>|:-]*-[ \t>|:-]*$/;
