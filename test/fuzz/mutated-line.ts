import type {Random} from './random.ts';

const SIGNS: readonly [string, ...string[]] = [
  '$',
  '(',
  ')',
  '{',
  '}',
  '`',
  '"',
  "'",
  '\\',
  ';',
  '&',
  '|',
  '<',
  '>',
  '\n',
  ' ',
  '#',
  '!',
  '*',
  '?',
  '[',
  ']',
  '=',
  '~',
  ',',
  '\t',
  '$(',
  '${',
  '<<',
  '((',
  '))',
  '[[',
  ']]',
  "$'",
  '<(',
  'd1',
  ' d1 ',
  '\r',
  '\u00a0',
  '\u2028',
  '@',
  '%',
  ':',
  '-',
  '0',
  'E\n',
  '\v',
  '\f',
];

/** The line with some characters taken out, doubled, or put in. Nothing that could leave the scratch folder, and no recursion. */
export function mutated(line: string, random: Random): string {
  let text = line;
  for (let changes = 1 + random.below(3); changes > 0; changes -= 1) {
    const at = random.below(text.length + 1);
    const length = 1 + random.below(3);
    const cut = random.below(3);
    if (cut === 0) text = text.slice(0, at) + text.slice(at + length);
    else if (cut === 1) text = text.slice(0, at) + random.pick(SIGNS) + text.slice(at);
    else text = text.slice(0, at) + text.slice(at, at + length * 3) + text.slice(at);
  }
  return text;
}
