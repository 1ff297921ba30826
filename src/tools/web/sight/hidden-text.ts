import type {CssStyle} from './css-style.ts';

/** True if the element is off screen, clipped away, or scaled to nothing. */
export function isOut(style: CssStyle): boolean {
  const position = style.get('position');
  const isPlaced = /^(?:absolute|fixed|relative|sticky)$/.test(position);
  const isOff = (isPlaced && SIDES.some((side) => isFar(style.get(side)))) || MARGINS.some((side) => isFar(style.get(side)));
  const moved = `${style.get('transform')} translate(${style.get('translate') || '0'}) scale(${style.get('scale') || '1'})`;
  const isMoved = [...moved.matchAll(/translate(?:x|y|3d)?\(([^()]*)\)/g)].some(([, to = '']) => to.split(/[\s,]+/).some(isFar));
  const isScaled =
    /(?:scale(?:x|y|3d)?|matrix(?:3d)?)\(\s*(?:0+|0*\.0[0-4]\d*|[\d.]+e-\d+)%?\s*[\s,)]|scale(?:3d)?\([^(),]*,\s*(?:0+|0*\.0[0-4]\d*)%?\s*[,)]|rotate[xy]\(\s*-?(?:90|270)deg/.test(
      moved,
    );
  return isOff || isMoved || isScaled || isCut(style, position) || /^0*\.?0+%?$/.test(style.get('zoom'));
}

const SIDES = ['left', 'top', 'right', 'bottom'];
const MARGINS = ['margin-left', 'margin-top', 'margin-inline-start', 'margin'];

function isCut(style: CssStyle, position: string): boolean {
  const isPlaced = position === 'absolute' || position === 'fixed';
  return (isPlaced && isPointRect(style.get('clip'))) || isPointPath(style.get('clip-path'));
}

function isPointRect(clip: string): boolean {
  const sides = /^rect\(([^()]*)\)/
    .exec(clip)?.[1]
    ?.split(/[\s,]+/)
    .map((part) => Number.parseFloat(part));
  if (sides?.length !== 4) return false;
  const [top = 0, right = 0, bottom = 0, left = 0] = sides;
  return right - left <= 1 || bottom - top <= 1;
}

function isPointPath(path: string): boolean {
  const inset = Number.parseFloat(/^inset\(\s*([\d.]+)%/.exec(path)?.[1] ?? '0');
  const points = /^polygon\(([^()]*)\)/.exec(path)?.[1]?.split(',') ?? [];
  const places = new Set(points.map((point) => point.trim().replaceAll(/\b0(?:px|%)/g, '0')));
  return inset >= 50 || /^(?:circle|ellipse)\(\s*0/.test(path) || (points.length > 0 && places.size < 3);
}

/** True for an element at most one pixel high or wide that hides its overflow. */
export function isFlat(name: string, style: CssStyle): boolean {
  if (!/hidden|clip/.test(style.get('overflow'))) return false;
  const isInline = INLINE.has(name) && !style.has('position') && !style.has('float') && /^(?:inline)?$/.test(style.get('display'));
  return !isInline && ['width', 'height', 'max-width', 'max-height', 'line-height'].some((side) => isTiny(style.get(side)));
}

const INLINE = new Set('span a b i em strong small sub sup code kbd samp var mark q cite abbr font u s label time'.split(' '));

function isTiny(length: string): boolean {
  const points = pointsOf(length, 16);
  return points !== undefined && points <= 1;
}

/** True if the element is so far off screen that text of usual length does not reach back. */
export function isFar(length: string): boolean {
  return length.split(' ').some((part) => {
    const points = pointsOf(part, 16);
    return points !== undefined && (points <= -300 || points >= 5000);
  });
}

/** Converts a length to points; percentages and viewport units assume 1280 points. undefined: the length is computed. */
export function pointsOf(length: string, em: number): number | undefined {
  const [, digits, unit = ''] = /^\s*(-?\d*\.?\d+(?:e[+-]?\d+)?)([a-z]+|%)?\s*$/.exec(length) ?? [];
  const factors: Readonly<Record<string, number>> = {
    '': 1,
    px: 1,
    pt: 4 / 3,
    em,
    rem: 16,
    ex: em / 2,
    ch: em / 2,
    cm: 38,
    mm: 3.8,
    in: 96,
    pc: 16,
  };
  const factor = factors[unit] ?? (/^[sdl]?v(?:w|h|min|max|i|b)$/.test(unit) ? 8 : unit === '%' ? 4 : undefined);
  return digits === undefined || factor === undefined ? undefined : Number(digits) * factor;
}
