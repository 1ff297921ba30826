import type {Attributes} from '../markdown/markdown-elements.ts';

/** An element with its ancestors. */
export interface StyledElement {
  readonly name: string;
  readonly attributes: Attributes;
  readonly classes: ReadonlySet<string>;
  readonly parent: StyledElement | undefined;
}

export interface CssSelector {
  /** From the element outwards; `>` for the parent, ` ` for any ancestor. */
  readonly compounds: readonly {readonly tests: readonly Test[]; readonly within: '>' | ' '}[];
  /** A feature that every matching element has: `#id`, `.class`, a tag name, or `*`. */
  readonly key: string;
  /** Specificity: ids, classes and names as one number. */
  readonly specificity: number;
}

type Test = (element: StyledElement) => boolean;

/**
 * Reads a selector of names, classes, ids, attributes, `:not()`, `:is()`, `:where()`, with ancestors and parents
 * (Selectors 4). Returns undefined for all others: those that depend on siblings, on user actions, or on things
 * other than the page's text.
 */
export function cssSelector(text: string): CssSelector | undefined {
  const pieces = text
    .trim()
    .replaceAll(/\s*>\s*/g, '>')
    .split(/(\s+|>)(?![^([]*[)\]])/);
  if (pieces.length > MOST_PIECES) return undefined;
  const compounds = [];
  let specificity = 0;
  let key = '*';
  for (let at = pieces.length - 1; at >= 0; at -= 2) {
    const read = compound(pieces[at] ?? '');
    if (read === undefined) return undefined;
    if (compounds.length === 0) key = read.key;
    specificity += read.specificity;
    compounds.push({tests: read.tests, within: pieces[at - 1] === '>' ? '>' : ' '} as const);
  }
  return {compounds, key, specificity};
}

const MOST_PIECES = 15;

/** True if the selector matches. `charge` is called for each element looked at. */
export function fitsSelector({compounds}: CssSelector, element: StyledElement, charge: () => void): boolean {
  let at: StyledElement | undefined = element;
  let onlyHere = true;
  for (const {tests, within} of compounds) {
    while (at !== undefined && !tests.every((test) => test(at as StyledElement))) {
      charge();
      if (onlyHere) return false;
      at = at.parent;
    }
    charge();
    if (at === undefined) return false;
    at = at.parent;
    onlyHere = within === '>';
  }
  return true;
}

interface Compound {
  readonly tests: readonly Test[];
  readonly key: string;
  readonly specificity: number;
}

const PIECE =
  /([#.])((?:[\w-]|[^ -\u007f])+)|\[\s*([\w-]+)\s*(?:([~^$*|]?)=\s*["']?([^"'\]]*?)["']?\s*(?:[is]\s*)?)?\]|:(not|is|where|matches)\(([^()]*)\)|(:root)|(\*)|([a-z][\w-]*)/giy;

function compound(text: string): Compound | undefined {
  const pieces: Compound[] = [];
  PIECE.lastIndex = 0;
  while (PIECE.lastIndex < text.length) {
    const match = PIECE.exec(text);
    const at = PIECE.lastIndex;
    const read = match === null ? undefined : piece(match);
    if (read === undefined) return undefined;
    pieces.push(read);
    PIECE.lastIndex = at;
  }
  if (pieces.length === 0) return undefined;
  const best = pieces.toSorted((one, other) => keyRank(other.key) - keyRank(one.key))[0];
  return {
    tests: pieces.flatMap(({tests}) => tests),
    key: best?.key ?? '*',
    specificity: pieces.reduce((sum, one) => sum + one.specificity, 0),
  };
}

function keyRank(key: string): number {
  return key.startsWith('#') ? 3 : key.startsWith('.') ? 2 : key === '*' ? 0 : 1;
}

const [AN_ID, A_CLASS, A_NAME] = [1_000_000, 1000, 1];

function piece([text, mark, word = '', attribute, how = '', value, kind, list = '', root, any]: RegExpExecArray): Compound | undefined {
  if (mark === '#') return {tests: [({attributes}) => attributes['id'] === word], key: text, specificity: AN_ID};
  if (mark === '.') return {tests: [({classes}) => classes.has(word)], key: text, specificity: A_CLASS};
  if (attribute !== undefined) {
    const name = attribute.toLowerCase();
    return {tests: [({attributes}) => fitsAttribute(attributes[name], how, value)], key: '*', specificity: A_CLASS};
  }
  if (kind !== undefined) return listed(kind.toLowerCase(), list);
  if (any !== undefined) return {tests: [], key: '*', specificity: 0};
  const name = root === undefined ? text.toLowerCase() : 'html';
  return {tests: [(element) => element.name === name], key: name, specificity: root === undefined ? A_NAME : A_CLASS};
}

function listed(kind: string, list: string): Compound | undefined {
  const inner = list.split(',').map((one) => compound(one.trim()));
  const all = inner.filter((one) => one !== undefined);
  if (all.length < inner.length) return undefined;
  const isOne: Test = (element) => all.some(({tests}) => tests.every((test) => test(element)));
  const specificity = kind === 'where' ? 0 : Math.max(...all.map((one) => one.specificity));
  return {tests: [kind === 'not' ? (element) => !isOne(element) : isOne], key: '*', specificity};
}

function fitsAttribute(has: string | undefined, how: string, value: string | undefined): boolean {
  if (has === undefined || value === undefined) return has !== undefined;
  if (how === '~') return has.split(/\s+/).includes(value);
  if (how === '|') return has === value || has.startsWith(`${value}-`);
  if (value === '') return how === '' && has === '';
  return {'^': has.startsWith(value), $: has.endsWith(value), '*': has.includes(value)}[how] ?? has === value;
}
