import {builtInType} from './built-in-types.ts';
import {isPlace, type Lookup, type Meaning, type NamedAt, type UnionMeaning} from './code-base.ts';
import {functionOf, functionType} from './function-type.ts';
import {closingOf, splitOutside} from './split-words.ts';
import {withTypes} from './type-head.ts';

/** What the words of a type mean: a name with its module, its arguments, `[]`, alternatives, or `typeof` a chain. */
export function typeMeaning(lookup: Lookup, at: NamedAt): Meaning | undefined {
  const words = at.name.trim();
  if (words === '' || words === '?' || words.startsWith('is ')) return undefined;
  const asFunction = functionType({...at, name: words});
  if (asFunction !== undefined) return asFunction;
  if (/[|&;]/.test(words)) {
    const alternatives = alternativesOf(at, words);
    if (alternatives !== undefined) return alternatives;
  }
  if (words.startsWith('typeof ')) return lookup.chain({...at, name: words.slice(7)});
  if (words.endsWith('[]')) return {builtIn: 'Array', args: [{...at, name: words.slice(0, -2)}]};
  if (words.startsWith('(') && closingOf(words, 0) === words.length - 1) return lookup.type({...at, name: words.slice(1, -1)});
  return words.startsWith('%') ? parameterMeaning(lookup, at, words) : nameMeaning(lookup, at, words);
}

/** `A;B`: what is found to be A, and is B otherwise; `A|B`, `A&B`. */
function alternativesOf(at: NamedAt, words: string): UnionMeaning | undefined {
  const inOrder = splitOutside(words, ';');
  if (inOrder.length > 1) return {anyOf: inOrder.map((name) => ({value: {...at, name}})), isOrdered: true};
  const all = splitOutside(words, '|&');
  return all.length > 1 ? {anyOf: all.map((name) => ({value: {...at, name}}))} : undefined;
}

/** `%T(Server)`: what the type parameter `T` is here; where that is not known, what it is at least. */
function parameterMeaning(lookup: Lookup, at: NamedAt, words: string): Meaning | undefined {
  const open = words.indexOf('(');
  const bound = at.env?.names.get(words.slice(1, open < 0 ? undefined : open));
  if (bound !== undefined) return lookup.type(bound);
  return open < 0 ? undefined : lookup.type({...at, name: words.slice(open + 1, -1)});
}

function nameMeaning(lookup: Lookup, at: NamedAt, words: string): Meaning | undefined {
  const open = words.indexOf('<');
  const name = open < 0 ? words : words.slice(0, open);
  const declared = lookup.chain({...at, name});
  const types = open < 0 ? [] : splitOutside(words.slice(open + 1, -1), ',').map((arg) => ({...at, name: arg}));
  if (declared !== undefined || open < 0) return isPlace(declared) ? withTypes(declared, types) : declared;
  return ofBuiltIn(lookup, name, types) ?? builtInType(name, types);
}

/** Types that are computed from one other. */
function ofBuiltIn(lookup: Lookup, name: string, [type]: readonly NamedAt[]): Meaning | undefined {
  if (type === undefined || !COMPUTED.has(name)) return undefined;
  const meaning = lookup.type(type);
  if (meaning === undefined || name === 'InstanceType') return meaning;
  const result = functionOf(lookup, meaning)?.result;
  return result === undefined || result.name === '?' ? undefined : {value: result};
}

const COMPUTED: ReadonlySet<string> = new Set(['ReturnType', 'InstanceType']);
