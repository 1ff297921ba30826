import {cssColor, looksAlike, type CssColor} from './css-color.ts';
import type {CssDeclaration} from './css-declarations.ts';
import type {StyledElement} from './css-selector.ts';
import {winningStyle, type CssStyle} from './css-style.ts';
import {isFar, isFlat, isOut, pointsOf} from './hidden-text.ts';

/** Visibility of an element: the values that its children inherit, as in browsers. */
export interface Sight {
  /** True if neither the element nor anything in it is visible. */
  readonly gone: boolean;
  readonly invisible: boolean;
  /** In CSS pixels. */
  readonly fontSize: number;
  readonly color: CssColor | undefined;
  /** undefined: a picture, or a colour that an external style sheet may set. */
  readonly ground: CssColor | undefined;
  readonly opacity: number;
  readonly indented: boolean;
  /** True if a shadow, an outline or a picture makes letters visible whatever their colour. */
  readonly drawn: boolean;
}

const BLACK: CssColor = [0, 0, 0, 1];
const WHITE: CssColor = [255, 255, 255, 1];
const LINK_BLUE: CssColor = [0, 0, 238, 1];

export const SEEN: Sight = {
  gone: false,
  invisible: false,
  fontSize: 16,
  color: BLACK,
  ground: WHITE,
  opacity: 1,
  indented: false,
  drawn: false,
};

export interface Styled {
  readonly element: StyledElement;
  /** From the weakest to the strongest. */
  readonly declarations: readonly CssDeclaration[];
  /** True if external style sheets may add declarations. */
  readonly hasOthers: boolean;
}

/**
 * Computes the visibility of an element within another one. The whole page is never hidden by its styles: many hide it until their script
 * has run.
 */
export function sightOf(around: Sight, {element, declarations, hasOthers}: Styled): Sight {
  const style = winningStyle(declarations);
  const isOther = hasOthers && (element.classes.size > 0 || element.attributes['id'] !== undefined);
  const outer = isOther ? {...around, color: undefined, ground: undefined} : around;
  return {
    ...placed(outer, element, style),
    fontSize: fontSize(style, around.fontSize),
    color: colorOf(element, style, outer.color),
    ground: groundOf(element, style, outer.ground),
    indented: style.has('text-indent') ? isFar(style.get('text-indent')) : around.indented,
    drawn: around.drawn || moves(style) || isDrawn(style),
  };
}

function placed(around: Sight, element: StyledElement, style: CssStyle): Pick<Sight, 'gone' | 'invisible' | 'opacity'> {
  if (element.name === 'html' || element.name === 'body') return around;
  const opacity = moves(style) ? around.opacity : around.opacity * opacityOf(style);
  const hides = isGone(element, style) || (!moves(style) && (isOut(style) || isFlat(element.name, style)));
  return {gone: around.gone || hides || opacity <= 0.05, invisible: hiddenBy(style.get('visibility'), around.invisible), opacity};
}

function moves(style: CssStyle): boolean {
  return style.has('animation') || style.has('transition');
}

/** True if text directly in the element is visible. */
export function isTextSeen({gone, invisible, fontSize: size, color, ground, indented, drawn}: Sight): boolean {
  if (gone || invisible || indented || size < 2) return false;
  if (drawn || color === undefined) return true;
  return color[3] > 0.05 && (ground === undefined || !looksAlike(color, ground));
}

function isGone({name, attributes}: StyledElement, style: CssStyle): boolean {
  const display = style.get('display');
  const isClosed = (name === 'dialog' && attributes['open'] === undefined) || attributes['popover'] !== undefined;
  return display === 'none' || (isClosed && display === '') || style.get('content-visibility') === 'hidden';
}

function hiddenBy(visibility: string, around: boolean): boolean {
  if (visibility === 'hidden' || visibility === 'collapse') return true;
  return visibility === 'visible' || visibility === 'initial' ? false : around;
}

function opacityOf(style: CssStyle): number {
  const filter = /opacity\(\s*([\d.]+%?)\s*\)/.exec(style.get('filter'))?.[1];
  return [style.get('opacity'), filter].reduce((product, value) => {
    const number = Number.parseFloat(value ?? '') / (value?.endsWith('%') === true ? 100 : 1);
    return Number.isNaN(number) ? product : product * Math.min(1, number);
  }, 1);
}

function fontSize(style: CssStyle, around: number): number {
  const short = /(?:^|\s)(\d*\.?\d+(?:px|pt|em|rem|%|vw|vh)?)(?:\s*\/\s*\S+)?\s+\S/.exec(style.get('font'))?.[1];
  const size = style.has('font-size') ? style.get('font-size') : short;
  if (size === undefined || size === 'inherit') return around;
  if (size.endsWith('%')) return (around * Number.parseFloat(size)) / 100;
  return pointsOf(size, around) ?? (around < 2 ? 16 : around);
}

function colorOf({name, attributes}: StyledElement, style: CssStyle, around: CssColor | undefined): CssColor | undefined {
  const own = style.get('text-fill-color') || style.get('color') || (attributes[COLORS[name] ?? ''] ?? '');
  if (own !== '') return own === 'inherit' || own === 'currentcolor' ? around : cssColor(own);
  return name === 'a' && attributes['href'] !== undefined ? LINK_BLUE : around;
}

/** Legacy attributes that colour a text. */
const COLORS: Readonly<Record<string, string>> = {font: 'color', body: 'text'};

function groundOf({attributes}: StyledElement, style: CssStyle, around: CssColor | undefined): CssColor | undefined {
  if (/url\(|gradient\(|image\(/.test(style.get('background-image'))) return undefined;
  const named = style.get('background-color') || (attributes['bgcolor'] ?? '');
  if (named === '') return around;
  const color = named
    .split(/\s+(?![^(]*\))/)
    .map(cssColor)
    .find((one) => one !== undefined);
  if (color === undefined) return /^(?:none|initial|inherit|unset|0)/.test(named) ? around : undefined;
  return color[3] === 0 ? around : color[3] < 0.95 ? undefined : color;
}

function isDrawn(style: CssStyle): boolean {
  const isShown = ['text-shadow', 'text-stroke', 'text-stroke-width'].some((name) => !/^(?:none|0|initial)?$/.test(style.get(name)));
  return isShown || style.get('background-clip').includes('text') || /\btext\b/.test(style.get('background-image'));
}
