import type {ColourDepth} from './color-depth.ts';
import type {Colour, Look} from '../cells/look.ts';

/** The look with colours that the terminal can show: the nearest of those that it has, none if it has none. */
export function reduceLook(look: Look, depth: ColourDepth): Look {
  if (depth === 'true' || (look.fg === undefined && look.bg === undefined)) return look;
  return {...look, fg: reduceColour(look.fg, depth), bg: reduceColour(look.bg, depth)};
}

export function reduceColour(colour: Colour | undefined, depth: ColourDepth): Colour | undefined {
  if (depth === 'true' || colour === undefined) return colour;
  if (depth === 'none') return undefined;
  if (typeof colour === 'number') return depth === '256' || colour < 16 ? colour : nearest(rgbOf(colour), BASIC);
  const rgb = parsed(colour);
  return depth === '256' ? nearest(rgb, FIXED) : nearest(rgb, BASIC);
}

type Rgb = readonly [red: number, green: number, blue: number];

function parsed(colour: `#${string}`): Rgb {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16) || 0);
  return [red, green, blue];
}

/** The steps of the cube of 6 × 6 × 6 colours. */
const STEPS = [0, 95, 135, 175, 215, 255];

/** The fixed colours of the palette (xterm, 256colres): 16 to 231 a cube, 232 to 255 greys. */
function rgbOf(number: number): Rgb {
  if (number < 16) return BASIC[number]?.rgb ?? [0, 0, 0];
  if (number > 231) return [8 + 10 * (number - 232), 8 + 10 * (number - 232), 8 + 10 * (number - 232)];
  const at = number - 16;
  return [STEPS[Math.floor(at / 36)] ?? 0, STEPS[Math.floor(at / 6) % 6] ?? 0, STEPS[at % 6] ?? 0];
}

interface Named {
  readonly number: number;
  readonly rgb: Rgb;
}

/** The first 16 as xterm shows them. They are a person's own, but this is near enough to choose among them. */
const BASIC: readonly Named[] = (
  [
    [0, 0, 0],
    [205, 0, 0],
    [0, 205, 0],
    [205, 205, 0],
    [0, 0, 238],
    [205, 0, 205],
    [0, 205, 205],
    [229, 229, 229],
    [127, 127, 127],
    [255, 0, 0],
    [0, 255, 0],
    [255, 255, 0],
    [92, 92, 255],
    [255, 0, 255],
    [0, 255, 255],
    [255, 255, 255],
  ] as const
).map((rgb, number) => ({number, rgb}));

const FIXED: readonly Named[] = Array.from({length: 240}, (_, at) => ({number: at + 16, rgb: rgbOf(at + 16)}));

function nearest(rgb: Rgb, among: readonly Named[]): number {
  let best = {number: 0, distance: Number.POSITIVE_INFINITY};
  for (const {number, rgb: other} of among) {
    const distance = other.reduce((sum, part, at) => sum + (part - (rgb[at] ?? 0)) ** 2, 0);
    if (distance < best.distance) best = {number, distance};
  }
  return best.number;
}
