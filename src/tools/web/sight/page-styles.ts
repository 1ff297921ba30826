import {cssDeclarations, splitOutside, unescaped, withoutComments, type CssDeclaration} from './css-declarations.ts';
import {cssSelector, fitsSelector, type CssSelector, type StyledElement} from './css-selector.ts';

/** The style sheets within a page, reduced to rules that can hide text. */
export interface PageStyles {
  /** Returns declarations from the weakest to the strongest, without the `style` attribute. */
  of(element: StyledElement): readonly CssDeclaration[];
  /** True if the page has external sheets, so that not all colours are known. */
  readonly hasOthers: boolean;
  /** Returns true if the work allowed for the page is used up. */
  isSpent(): boolean;
}

interface StyleRule {
  readonly selector: CssSelector;
  readonly declarations: readonly CssDeclaration[];
  readonly order: number;
}

/** Most bytes of style sheets in a page; the rest is not read. */
const MAX_CSS = 1024 * 1024;
const MAX_RULES = 20_000;
/** Most elements checked against selectors. */
const MAX_WORK = 5_000_000;

/** Reads the `<style>` elements of a page, wherever they are, for a screen of 1280 by 800 points and light colours. */
export function pageStyles(html: string): PageStyles {
  const byKey = new Map<string, StyleRule[]>();
  const sheets = styleSheets(html).slice(0, MAX_CSS);
  let [order, work] = [0, 0];
  readRules({css: withoutComments(sheets), around: [''], depth: 0}, (selectors, declarations) => {
    if (order >= MAX_RULES) return;
    for (const text of selectors) {
      const selector = cssSelector(unescaped(text));
      if (selector === undefined) continue;
      order += 1;
      const rules = byKey.get(selector.key) ?? [];
      byKey.set(selector.key, rules);
      rules.push({selector, declarations, order});
    }
  });
  return {
    hasOthers: /<link[^>]{0,200}stylesheet|@import/i.test(html),
    isSpent: () => work > MAX_WORK,
    of(element) {
      if (byKey.size === 0 || work > MAX_WORK) return [];
      const keys = ['*', element.name, ...[...element.classes].map((name) => `.${name}`), `#${element.attributes['id'] ?? ''}`];
      const fitting = keys
        .flatMap((key) => byKey.get(key) ?? [])
        .filter(({selector}) => fitsSelector(selector, element, () => (work += 1)));
      return fitting
        .toSorted((one, other) => one.selector.specificity - other.selector.specificity || one.order - other.order)
        .flatMap(({declarations}) => declarations);
    },
  };
}

/** Returns the text of the sheets that apply to a screen. Text in comments, scripts and the like does not count. */
function styleSheets(html: string): string {
  const sheets: string[] = [];
  const start = /<(!--|script\b|noscript\b|template\b|textarea\b|title\b|style\b)([^>]*)/gi;
  for (let match = start.exec(html); match !== null; match = start.exec(html)) {
    const [, name = '', attributes = ''] = match;
    const from = start.lastIndex;
    const end = name === '!--' ? html.indexOf('-->', match.index + 2) : indexOfEnd(html, name, from);
    const to = end === -1 ? html.length : end;
    if (name.toLowerCase() === 'style' && isForScreen(mediaOf(attributes))) sheets.push(html.slice(from + 1, to));
    start.lastIndex = to;
  }
  return sheets.join('\n');
}

function mediaOf(attributes: string): string {
  return /\bmedia\s*=\s*["']?([^"'>]*)/i.exec(attributes)?.[1] ?? 'all';
}

function indexOfEnd(html: string, name: string, from: number): number {
  const end = new RegExp(`</${name}`, 'gi');
  end.lastIndex = from;
  return end.exec(html)?.index ?? -1;
}

type OnRule = (selectors: readonly string[], declarations: readonly CssDeclaration[]) => void;

const MAX_NESTING = 8;

interface Rules {
  readonly css: string;
  /** The selectors of a rule in which these are nested. */
  readonly around: readonly string[];
  readonly depth: number;
}

function readRules({css, around, depth}: Rules, onRule: OnRule): void {
  for (const {head, body} of blocksOf(css).blocks) {
    if (head.startsWith('@')) {
      if (depth < MAX_NESTING && isApplied(head)) readRules({css: body, around, depth: depth + 1}, onRule);
      continue;
    }
    const own = splitOutside(head, ',').filter(({length}) => length <= MAX_SELECTOR);
    if (own.length * around.length > MAX_SELECTORS) continue;
    const selectors = own.flatMap((one) => around.map((outer) => nested(outer, one.trim())));
    const declarations = cssDeclarations(blocksOf(body).rest).filter(({name}) => RELEVANT.test(name));
    if (declarations.length > 0) onRule(selectors, declarations);
    if (depth < MAX_NESTING && body.includes('{')) readRules({css: body, around: selectors, depth: depth + 1}, onRule);
  }
}

const MAX_SELECTOR = 300;
const MAX_SELECTORS = 1000;

/** Properties that can hide a text, or show what another rule hides. */
const RELEVANT =
  /^(?:display|visibility|opacity|filter|content-visibility|font|font-size|zoom|color|text-fill-color|text-shadow|text-stroke.*|background.*|overflow.*|(?:max-)?(?:width|height|inline-size|block-size)|line-height|position|float|inset.*|left|top|right|bottom|margin.*|text-indent|clip|clip-path|transform|scale|translate|animation.*|transition.*)$/;

function nested(outer: string, own: string): string {
  if (outer === '') return own;
  return own.includes('&') ? own.replaceAll('&', outer) : `${outer} ${own}`;
}

/** Yields each block with the text before it, and the declarations beside them. */
function blocksOf(css: string): {readonly blocks: readonly {readonly head: string; readonly body: string}[]; readonly rest: string} {
  const blocks = [];
  const rest: string[] = [];
  let [depth, from, opened] = [0, 0, 0];
  for (const {0: sign, index} of css.matchAll(/[{};]/g)) {
    if (sign === '{' && depth++ === 0) opened = index;
    else if (sign === '}' && depth > 0 && --depth === 0)
      blocks.push({head: css.slice(from, opened).trim(), body: css.slice(opened + 1, index)});
    else if (sign === ';' && depth === 0) rest.push(css.slice(from, index + 1));
    if (depth === 0) from = index + 1;
  }
  if (depth > 0) blocks.push({head: css.slice(from, opened).trim(), body: css.slice(opened + 1)});
  else rest.push(css.slice(from));
  return {blocks, rest: rest.join('')};
}

function isApplied(head: string): boolean {
  const [, kind = '', condition = ''] = /^@([\w-]+)(.*)$/s.exec(head.slice(0, MAX_SELECTOR)) ?? [];
  if (kind === 'media') return isForScreen(condition.trim());
  return kind === 'layer' || kind === 'scope' || (kind === 'supports' && !/\bnot\b/i.test(condition));
}

const SCREEN = {width: 1280, height: 800};

/** Evaluates a media query list (Media Queries 4): types, widths and heights; all other features count as not matching. */
function isForScreen(media: string): boolean {
  return media.toLowerCase().split(',').some(isScreenQuery);
}

function isScreenQuery(query: string): boolean {
  return query
    .trim()
    .split(/\s+and\s+/)
    .every((part) => {
      if (/^(?:only\s+)?(?:screen|all)$|^$/.test(part) || /^not\s+(?:print|speech)$/.test(part)) return true;
      const [, bound, side, digits, unit] = /^\(\s*(min|max)-(width|height)\s*:\s*([\d.]+)(px|em|rem)?\s*\)$/.exec(part) ?? [];
      if (bound === undefined)
        return /^\(\s*(?:prefers-color-scheme\s*:\s*light|orientation\s*:\s*landscape|hover\s*:\s*hover)\s*\)$/.test(part);
      const points = Number(digits) * (unit === 'em' || unit === 'rem' ? 16 : 1);
      const size = side === 'height' ? SCREEN.height : SCREEN.width;
      return bound === 'min' ? size >= points : size <= points;
    });
}
