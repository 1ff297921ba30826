import type {Colour, Look} from '../cells/look.ts';
import {PLAIN} from '../themes/looks.ts';

/** The escape sequence (ECMA-48, SGR) that changes one look into another; '' if they show the same. */
export function sgrBetween(from: Look, to: Look): string {
  if (from === to) return '';
  const codes = [...attributeCodes(from, to), ...colourCodes(from.fg, to.fg, 30), ...colourCodes(from.bg, to.bg, 40)];
  if (codes.length === 0) return '';
  return isPlain(to) ? '\x1b[m' : `\x1b[${codes.join(';')}m`;
}

/** The end of a row: its style does not affect the following text. */
export function sgrReset(from: Look): string {
  return sgrBetween(from, PLAIN);
}

function isPlain({fg, bg, ...attributes}: Look): boolean {
  return fg === undefined && bg === undefined && !Object.values(attributes).includes(true);
}

function attributeCodes(from: Look, to: Look): number[] {
  const changed = ATTRIBUTES.filter(([name]) => isOn(from, name) !== isOn(to, name));
  return [...weightCodes(from, to), ...changed.map(([name, on]) => (isOn(to, name) ? on : on + 20))];
}

/** Bold and faint share one code for their end. */
function weightCodes(from: Look, to: Look): number[] {
  const ends = WEIGHTS.some(([name]) => isOn(from, name) && !isOn(to, name));
  const begun = WEIGHTS.filter(([name]) => isOn(to, name) && (ends || !isOn(from, name)));
  return [...(ends ? [22] : []), ...begun.map(([, on]) => on)];
}

function isOn(look: Look, name: Exclude<keyof Look, 'fg' | 'bg'>): boolean {
  return look[name] === true;
}

const WEIGHTS = [
  ['bold', 1],
  ['dim', 2],
] as const;
const ATTRIBUTES = [
  ['italic', 3],
  ['underline', 4],
  ['inverse', 7],
  ['strike', 9],
] as const;

/** `base`: 30 for the text, 40 for the background. */
function colourCodes(from: Colour | undefined, to: Colour | undefined, base: 30 | 40): number[] {
  if (from === to) return [];
  if (to === undefined) return [base + 9];
  if (typeof to === 'string') return [base + 8, 2, ...[1, 3, 5].map((at) => Number.parseInt(to.slice(at, at + 2), 16))];
  if (to < 8) return [base + to];
  return to < 16 ? [base + 60 + to - 8] : [base + 8, 5, to];
}
