import {PIECES} from './c-tokens.ts';
import type {Token} from './c-tokens.ts';

type Part = Pick<Token, 'from' | 'to'> & {readonly text: string};

/** Macros between the members of an enumeration and behind their names: `LIST(ADD)`, `a DEPRECATED("no") = 1`. `from`: where its body begins. */
export function macrosInEnum(text: string, {from, to}: Pick<Token, 'from' | 'to'>): Pick<Token, 'from' | 'to'>[] {
  const gone: Part[] = [];
  let member: Part[] = [];
  let depth = 0;
  for (const {0: piece, index} of text.slice(from + 1, to - 1).matchAll(PIECES)) {
    const at = index + from + 1;
    if (/^(?:\/\/|\/\*|[ \t]*#)/u.test(piece)) continue;
    if (depth === 0 && piece === ',') {
      gone.push(...macrosIn(member));
      member = [];
      continue;
    }
    const [last] = member.slice(-1);
    if (depth > 0 && last !== undefined) member[member.length - 1] = {...last, to: at + piece.length};
    else member.push({text: piece, from: at, to: at + piece.length});
    if ('([{'.includes(piece)) depth++;
    if (')]}'.includes(piece)) depth = Math.max(0, depth - 1);
  }
  return [...gone, ...macrosIn(member)];
}

function macrosIn(member: readonly Part[]): Part[] {
  let name = 0;
  while (member[name + 1]?.text === '(') name += 2;
  const value = member.findIndex(({text}, index) => index > name && text === '=');
  const behind = member.slice(name + 1, value < 0 ? undefined : value);
  const isKnown = behind[0]?.text === '[' || behind.some(({text}) => /^__attribute|\W/u.test(text) && text !== '(');
  return [...member.slice(0, name), ...(isKnown ? [] : behind)];
}
