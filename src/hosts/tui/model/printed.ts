/** The part of the conversation that is in the scrollback: entries before `entries`, and the first `offset` characters of the text of the next. */
export interface Printed {
  readonly entries: number;
  readonly offset: number;
  /** The state of its Markdown at that position. */
  readonly markdown: RenderedMarkdown;
}

/** The state that the second of two parts of a Markdown text needs of the first. */
export interface RenderedMarkdown {
  /** An empty row comes before the next block. */
  readonly isApart: boolean;
  /** The fenced block that is open. */
  readonly fence: Fence | undefined;
  readonly code: CodeState;
}

/** A fenced block that is open: its closing mark, the indentation of its lines, and its language, '' if none is named. */
export interface Fence {
  readonly marker: string;
  readonly indent: number;
  readonly language: string;
}

/** The state of highlighting: finished lines are final, whatever follows. */
export interface CodeState {
  /** As the highlighter knows it; undefined if the code is shown plain. */
  readonly language: string | undefined;
  readonly size: number;
  /** The lines with open constructs (a comment, a string), and their scopes. */
  readonly open: readonly string[];
  readonly scopes: string;
}

export const PLAIN_CODE: CodeState = {language: undefined, size: 0, open: [], scopes: ''};

export const MARKDOWN_START: RenderedMarkdown = {isApart: false, fence: undefined, code: PLAIN_CODE};
