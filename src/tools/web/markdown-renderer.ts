import {openElement, type Attributes} from './markdown-elements.ts';
import {newMarkdownState, say, type Closing} from './markdown-state.ts';

/** Takes the events of an HTML parser, and writes Markdown. Every element that is opened is closed, in order. */
export interface MarkdownRenderer {
  open(name: string, attributes: Attributes): void;
  text(text: string): void;
  close(): void;
  depth(): number;
  /** Characters so far. */
  length(): number;
  result(): {readonly title: string; readonly markdown: string};
}

export function createMarkdownRenderer(page: URL): MarkdownRenderer {
  const state = newMarkdownState(page);
  const closings: Closing[] = [];
  let hiddenFrom: number | undefined;
  return {
    open(name, attributes) {
      if (isHidden(name, attributes)) hiddenFrom ??= closings.length;
      const isSeen = hiddenFrom === undefined && (state.raw === undefined || name === 'br');
      closings.push(isSeen ? openElement(state, name, attributes) : undefined);
    },
    text(text) {
      if (hiddenFrom !== undefined) return;
      if (state.raw === undefined) say(state, text);
      else state.raw.push(text);
    },
    close() {
      closings.pop()?.();
      if (hiddenFrom === closings.length) hiddenFrom = undefined;
    },
    depth: () => closings.length,
    length: () => [state.root, ...state.cells].reduce((sum, {length}) => sum + length, 0),
    result: () => ({title: state.title ?? '', markdown: state.root.toString().trim()}),
  };
}

const UNSEEN = new Set('script style noscript template svg math canvas iframe object embed audio video select textarea button'.split(' '));

/** What a browser does not show, or what is no text: also elements that are hidden by themselves, a place for secret orders. */
function isHidden(name: string, {hidden, style = ''}: Attributes): boolean {
  return UNSEEN.has(name) || hidden !== undefined || /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)/i.test(style.slice(0, 1000));
}
