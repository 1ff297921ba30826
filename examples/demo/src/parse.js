import {UNITS} from './units.js';

const NAMES = UNITS.map((unit) => unit.name);
const PART = new RegExp(`^(\\d+(?:\\.\\d+)?)\\s*(${NAMES.join('|')})\\s*`);

/** Text such as `1h 30m` → milliseconds. Throws RangeError for what is not a duration. */
export function parse(text) {
  let rest = text.trim();
  if (rest === '') throw new RangeError('not a duration: the text is empty');
  let total = 0;
  while (rest !== '') {
    const match = PART.exec(rest);
    if (match === null) throw new RangeError(`not a duration: "${text}", at "${rest}"`);
    const [part, count, name] = match;
    total += Number(count) * UNITS.find((unit) => unit.name === name).length;
    rest = rest.slice(part.length);
  }
  return total;
}
