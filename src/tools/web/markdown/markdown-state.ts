import {createMarkdownFlow, type MarkdownFlow} from './markdown-flow.ts';
import type {MarkdownTable} from './markdown-table.ts';

/** Action when an open element is closed; undefined: none. */
export type Closing = (() => void) | undefined;

/** The state of the conversion at a position in the page. */
export interface MarkdownState {
  readonly page: URL;
  /** Base of relative addresses. */
  base: URL;
  title: string | undefined;
  /** The page, and the open cells of tables. */
  readonly root: MarkdownFlow;
  readonly cells: MarkdownFlow[];
  readonly tables: MarkdownTable[];
  readonly lists: {readonly ordered: boolean; next: number}[];
  /** Marks that are written when text follows: an element without text leaves none. */
  waiting: {readonly mark: string}[];
  /** Collects verbatim text: code, or a title. */
  raw: string[] | undefined;
}

export function newMarkdownState(page: URL): MarkdownState {
  return {page, base: page, title: undefined, root: createMarkdownFlow(), cells: [], tables: [], lists: [], waiting: [], raw: undefined};
}

/** Returns the flow that text is written to now. */
export function flowOf({cells, root}: MarkdownState): MarkdownFlow {
  return cells.at(-1) ?? root;
}

export function say(state: MarkdownState, text: string): void {
  const flow = flowOf(state);
  if (state.waiting.length > 0 && text.trim() !== '') {
    if (/^\s/.test(text)) flow.text(' ');
    for (const {mark} of state.waiting) flow.open(mark);
    state.waiting = [];
  }
  flow.text(text);
}

/** Puts marks around the text of an element. */
export function marked(state: MarkdownState, before: string, after: string): Closing {
  const own = {mark: before};
  state.waiting.push(own);
  return () => {
    if (state.waiting.at(-1) === own) state.waiting.pop();
    else flowOf(state).close(after);
  };
}

/** Puts an element on lines of its own. */
export function block(state: MarkdownState, gap: boolean): () => void {
  flowOf(state).lineEnd(gap);
  return () => flowOf(state).lineEnd(gap);
}

export function indented(state: MarkdownState, {prefix, first = '', gap}: {prefix: string; first?: string; gap: boolean}): Closing {
  const flow = flowOf(state);
  flow.lineEnd(gap);
  flow.push(prefix, first);
  return () => {
    flow.lineEnd(gap);
    flow.pop();
  };
}

/** Collects the text of an element unchanged; inside another such element, it becomes part of that. */
export function collected(state: MarkdownState, done: (text: string) => void): Closing {
  if (state.raw !== undefined) return undefined;
  const own: string[] = [];
  state.raw = own;
  return () => {
    state.raw = undefined;
    done(own.join(''));
  };
}
