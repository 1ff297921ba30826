import {PLAIN, type Colour, type Look} from '../themes/look.ts';

/** The escape sequence (ECMA-48, SGR) that changes one look into another; '' where they show the same. */
export function sgrBetween(from: Look, to: Look): string {
  if (from === to) return '';
  const codes = [...attributeCodes(from, to), ...colourCodes(from.fg, to.fg, 30), ...colourCodes(from.bg, to.bg, 40)];
  if (codes.length === 0) return '';
  return isPlain(to) ? '\x1b[m' : `\x1b[${codes.join(';')}m`;
}

/** The end of a row: nothing of its look reaches what follows. */
export function sgrReset(from: Look): string {
  return sgrBetween(from, PLAIN);
}

function isPlain({fg, bg, ...attributes}: Look): boolean {
  return fg === undefined && bg === undefined && !Object.values(attributes).includes(true);
}

function attributeCodes(from: Look, to: Look): number[] {
  const codes: number[] = [];
  // Bold and faint share one code for their end.
  const endsWeight = (from.bold === true && to.bold !== true) || (from.dim === true && to.dim !== true);
  if (endsWeight) codes.push(22);
  if (to.bold === true && (endsWeight || from.bold !== true)) codes.push(1);
  if (to.dim === true && (endsWeight || from.dim !== true)) codes.push(2);
  for (const [name, on] of ATTRIBUTES) {
    if ((from[name] ?? false) !== (to[name] ?? false)) codes.push(to[name] === true ? on : on + 20);
  }
  return codes;
}

const ATTRIBUTES = [
  ['italic', 3],
  ['underline', 4],
  ['inverse', 7],
  ['strike', 9],
] as const;

/** `base`: 30 for the text, 40 for what is behind it. */
function colourCodes(from: Colour | undefined, to: Colour | undefined, base: 30 | 40): number[] {
  if (from === to) return [];
  if (to === undefined) return [base + 9];
  if (typeof to === 'string') return [base + 8, 2, ...[1, 3, 5].map((at) => Number.parseInt(to.slice(at, at + 2), 16))];
  if (to < 8) return [base + to];
  return to < 16 ? [base + 60 + to - 8] : [base + 8, 5, to];
}
