import {isPlace, type Meaning} from './code-base.ts';
import {first} from './first.ts';
import {envKey} from './type-head.ts';

/** What an answer is for each alternative of a meaning; one that has none is left out. */
export function eachOf(of: Meaning, ask: (one: Meaning) => Meaning | undefined): Meaning | undefined {
  if (!('anyOf' in of)) return ask(of);
  return of.isOrdered === true ? first(of.anyOf, ask) : anyOf(of.anyOf.slice(0, MOST).map(ask));
}

/** The alternatives that are all of these, each once. */
function anyOf(meanings: readonly (Meaning | undefined)[]): Meaning | undefined {
  const all = new Map<string | Meaning, Meaning>();
  for (const meaning of meanings) {
    if (meaning === undefined) continue;
    for (const one of 'anyOf' in meaning ? meaning.anyOf : [meaning]) all.set(keyOf(one), one);
  }
  const [only, ...others] = all.values();
  return only === undefined || others.length === 0 ? only : {anyOf: [...all.values()].slice(0, MOST)};
}

/** Types with more alternatives are rarely asked for what they share. */
const MOST = 40;

function keyOf(meaning: Meaning): string | Meaning {
  if (isPlace(meaning)) return `${meaning.file.id} ${meaning.index}${envKey(meaning)}`;
  return 'value' in meaning ? `${meaning.value.file.id} ${meaning.value.within} ${meaning.value.name}${envKey(meaning.value)}` : meaning;
}
