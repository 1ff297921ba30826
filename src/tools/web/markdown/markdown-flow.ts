import {createLinePrefixes, type LinePrefixes} from './line-prefixes.ts';

/** Markdown that grows from left to right: blanks are collapsed, blocks are separated, each line has the prefix of its lists and quotes. */
export interface MarkdownFlow extends Pick<LinePrefixes, 'push' | 'pop'> {
  /** Adds running text: each run of blanks and line ends becomes one blank. */
  text(text: string): void;
  /** Adds marks before a text that belong to it, such as an opening bracket. */
  open(mark: string): void;
  /** Adds punctuation after a text, on its line. */
  close(mark: string): void;
  /** Starts a new line; with `gap`, after an empty one. */
  lineEnd(gap?: boolean): void;
  /** Adds verbatim lines: code, rows of a table; with `gap`, between empty lines. */
  verbatim(lines: readonly string[], gap?: boolean): void;
  readonly length: number;
  toString(): string;
}

export function createMarkdownFlow(): MarkdownFlow {
  const parts: string[] = [];
  const prefixes = createLinePrefixes();
  let [length, blank, breaks, gapPrefix] = [0, false, 0, ''];
  let atLineStart = true;

  const put = (text: string): void => {
    parts.push(text);
    length += text.length;
  };
  const begin = (): void => {
    const isFirst = parts.length === 0;
    if (!isFirst && breaks === 0) return;
    if (!isFirst) put(breaks > 1 ? `\n${shorter(gapPrefix, prefixes.whole()).trimEnd()}\n` : '\n');
    put(prefixes.take());
    [blank, breaks, atLineStart] = [false, 0, true];
  };
  const piece = (text: string, blankBefore: boolean): void => {
    begin();
    if ((blank || blankBefore) && !atLineStart) put(' ');
    put(text);
    [blank, atLineStart] = [false, false];
  };
  const lineEnd = (gap = false): void => {
    // The empty line has the prefix that both of its neighbours share.
    gapPrefix = breaks === 0 ? prefixes.whole() : shorter(gapPrefix, prefixes.whole());
    // The text of an empty item follows its bullet.
    breaks = Math.max(breaks, gap && !prefixes.hasBullet() ? 2 : 1);
    blank = false;
  };
  return {
    push: prefixes.push,
    pop: prefixes.pop,
    text(text) {
      const words = text.replaceAll(/[ \t\n\f\r]+/g, ' ');
      if (words !== '' && words !== ' ') piece(words.trim(), words.startsWith(' '));
      blank ||= words.endsWith(' ');
    },
    open(mark) {
      piece(mark, false);
      atLineStart = true;
    },
    close: put,
    lineEnd,
    verbatim(lines, gap = true) {
      if (lines.length > 0) lineEnd(gap);
      for (const line of lines) {
        begin();
        put(line);
        lineEnd();
      }
      if (lines.length > 0) lineEnd(gap);
    },
    get length() {
      return length;
    },
    toString: () => parts.join(''),
  };
}

function shorter(one: string, other: string): string {
  return one.length <= other.length ? one : other;
}
