import {builtInType} from './built-in-types.ts';
import type {Lookup, Meaning, NamedAt} from './code-base.ts';
import {functionType} from './function-type.ts';
import {closingOf, splitOutside} from './split-words.ts';

/** What the words of a type mean: a name with its module, its arguments, `[]`, alternatives, or `typeof` a chain. */
export function typeMeaning(lookup: Lookup, at: NamedAt): Meaning | undefined {
  const words = at.name.trim();
  if (words === '' || words === '?') return undefined;
  if (words.startsWith('typeof ')) return lookup.chain({...at, name: words.slice(7)});
  const asFunction = functionType({...at, name: words});
  if (asFunction !== undefined) return asFunction;
  const alternatives = splitOutside(words, '|&');
  if (alternatives.length > 1) return {anyOf: alternatives.map((name) => ({...at, name}))};
  if (words.endsWith('[]')) return {builtIn: 'Array', args: [{...at, name: words.slice(0, -2)}]};
  if (words.startsWith('(') && closingOf(words, 0) === words.length - 1) return lookup.type({...at, name: words.slice(1, -1)});
  return nameMeaning(lookup, at, words);
}

function nameMeaning(lookup: Lookup, at: NamedAt, words: string): Meaning | undefined {
  const open = words.indexOf('<');
  const name = open < 0 ? words : words.slice(0, open);
  const declared = lookup.chain({...at, name});
  if (declared !== undefined || open < 0) return declared;
  return builtInType(
    name,
    splitOutside(words.slice(open + 1, -1), ',').map((arg) => ({...at, name: arg})),
  );
}
