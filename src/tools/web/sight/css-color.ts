/** Red, green, blue from 0 to 255, and how opaque from 0 to 1. */
export type CssColor = readonly [red: number, green: number, blue: number, alpha: number];

/** Parses a colour. Returns undefined if the value names none, or in an unsupported way (`var()`, `currentcolor`, wide gamuts). */
export function cssColor(value: string): CssColor | undefined {
  const text = value.trim().toLowerCase();
  if (text === 'transparent') return [0, 0, 0, 0];
  const hex = /^#([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/.exec(NAMED[text] ?? text)?.[1];
  if (hex !== undefined) return fromHex(hex);
  const [, kind = '', inner = ''] = /^(rgb|hsl)a?\(([^()]*)\)$/.exec(text) ?? [];
  return fromChannels(kind, channels(kind, inner));
}

function fromChannels(kind: string, [one = NaN, two = NaN, three = NaN, alpha = 1]: readonly number[]): CssColor | undefined {
  if (Number.isNaN(one + two + three + alpha)) return undefined;
  return kind === 'rgb' ? [one, two, three, alpha] : [...fromHsl(one, two, three), alpha];
}

/** Numbers and percentages, separated in the old or the new way. */
function channels(kind: string, inner: string): number[] {
  const parts = inner.split(/[\s,/]+/).filter((part) => part !== '');
  return parts.map((part, at) => Number.parseFloat(part) * (part.endsWith('%') ? (kind === 'rgb' && at < 3 ? 2.55 : 0.01) : 1));
}

/** True if text of one colour is indistinguishable from a background of the other. */
export function looksAlike(one: CssColor, other: CssColor): boolean {
  return [0, 1, 2].every((at) => Math.abs((one[at] ?? 0) - (other[at] ?? 0)) <= MOST_ALIKE);
}

const MOST_ALIKE = 12;

const NAMED: Readonly<Record<string, string>> = {
  white: '#fff',
  black: '#000',
  snow: '#fffafa',
  ivory: '#fffff0',
  whitesmoke: '#f5f5f5',
  ghostwhite: '#f8f8ff',
  floralwhite: '#fffaf0',
  mintcream: '#f5fffa',
  azure: '#f0ffff',
  red: '#f00',
  green: '#008000',
  lime: '#0f0',
  blue: '#00f',
  navy: '#000080',
  yellow: '#ff0',
  gray: '#808080',
  grey: '#808080',
  silver: '#c0c0c0',
  orange: '#ffa500',
  purple: '#800080',
};

function fromHex(hex: string): CssColor {
  const long = hex.length < 5 ? hex.replaceAll(/./g, '$&$&') : hex;
  const [red = 0, green = 0, blue = 0, alpha = 255] = (long.match(/../g) ?? []).map((byte) => Number.parseInt(byte, 16));
  return [red, green, blue, alpha / 255];
}

/** CSS Color 4 › 7.1. */
function fromHsl(hue: number, saturation: number, lightness: number): [number, number, number] {
  const amount = saturation * Math.min(lightness, 1 - lightness);
  const channel = (shift: number): number => {
    const at = (((shift + hue / 30) % 12) + 12) % 12;
    return 255 * (lightness - amount * Math.max(-1, Math.min(at - 3, 9 - at, 1)));
  };
  return [channel(0), channel(8), channel(4)];
}
