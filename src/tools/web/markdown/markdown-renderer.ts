import {cssDeclarations} from '../sight/css-declarations.ts';
import type {StyledElement} from '../sight/css-selector.ts';
import {isTextSeen, SEEN, sightOf, type Sight} from '../sight/element-visibility.ts';
import {openElement, type Attributes} from './markdown-elements.ts';
import {newMarkdownState, say, type Closing} from './markdown-state.ts';
import type {PageStyles} from '../sight/page-styles.ts';

/** Turns the events of an HTML parser into Markdown. Every element that is opened is closed, in order. */
export interface MarkdownRenderer {
  open(name: string, attributes: Attributes): void;
  text(text: string): void;
  close(): void;
  depth(): number;
  /** Characters so far. */
  length(): number;
  result(): {readonly title: string; readonly markdown: string};
}

export function createMarkdownRenderer(page: URL, styles: PageStyles): MarkdownRenderer {
  const state = newMarkdownState(page);
  const opened: Opened[] = [];
  return {
    open(name, attributes) {
      const element = elementOf(name, attributes, opened.at(-1)?.element);
      const around = opened.at(-1)?.sight ?? SEEN;
      const sight = around.gone ? around : within(around, element, styles);
      const isShown = !sight.gone && (name !== 'img' || isTextSeen({...sight, drawn: true}));
      const isSeen = isShown && (state.raw === undefined || name === 'br');
      opened.push({element, sight, closing: isSeen ? openElement(state, name, attributes) : undefined});
    },
    text(text) {
      const last = opened.at(-1);
      if (last !== undefined && !isTextSeen(last.sight)) return;
      if (state.raw === undefined) say(state, text);
      else state.raw.push(text);
    },
    close() {
      opened.pop()?.closing?.();
    },
    depth: () => opened.length,
    length: () => [state.root, ...state.cells].reduce((sum, {length}) => sum + length, 0),
    result: () => ({title: state.title ?? '', markdown: state.root.toString().trim()}),
  };
}

interface Opened {
  readonly element: StyledElement;
  readonly sight: Sight;
  readonly closing: Closing;
}

function elementOf(name: string, attributes: Attributes, parent: StyledElement | undefined): StyledElement {
  const {class: names = ''} = attributes;
  return {name, attributes, parent, classes: names === '' ? NO_CLASSES : new Set(names.slice(0, MAX_ATTRIBUTE).split(/\s+/))};
}

const NO_CLASSES: ReadonlySet<string> = new Set();
const MAX_ATTRIBUTE = 2000;

function within(around: Sight, element: StyledElement, styles: PageStyles): Sight {
  if (UNSEEN.has(element.name) || element.attributes['hidden'] !== undefined) return {...around, gone: true};
  const own = cssDeclarations((element.attributes['style'] ?? '').slice(0, MAX_ATTRIBUTE));
  return sightOf(around, {element, declarations: [...styles.of(element), ...own], hasOthers: styles.hasOthers});
}

/** Elements that a browser does not show, or that are not text. */
const UNSEEN = new Set(
  'script style noscript template svg math canvas iframe object embed audio video select textarea button datalist noframes noembed applet rp'.split(
    ' ',
  ),
);
