import {isFree} from '../extract/free-words.ts';
import {isPlace, type Lookup, type Meaning, type NamedAt, type Place} from './code-base.ts';
import {functionOf} from './function-type.ts';
import {isAny} from './is-any.ts';
import {envKey, typeHad, typeHead} from './type-head.ts';

/**
 * Whether a type that has no member of the name of a key lets the object declare it: a record, an unbounded type parameter, a type of this
 * repository that is known to its last base. False where a part of it is not known, which may have the member.
 */
export function hasAnyKey(lookup: Lookup, at: NamedAt): boolean {
  const bound = at.env?.names.get(/^%([\w$]+)/u.exec(at.name)?.[1] ?? '');
  if (bound !== undefined) return hasAnyKey(lookup, bound);
  // What another argument decides is not known here.
  if (at.name.startsWith('%')) return false;
  if (isFree(at.name)) return true;
  return lookup.once(`any key ${at.file.id} ${at.within} ${at.name}${envKey(at)}`, () => ofWords(lookup, at)) === true;
}

function ofWords(lookup: Lookup, at: NamedAt): boolean {
  const parameters = parametersAsked(lookup, at);
  const parameter = parameters[Number(/\d+$/u.exec(at.name)?.[0])];
  if (parameter !== undefined) return isAlone(parameter, parameters) || (parameter.name !== '?' && hasAnyKey(lookup, parameter));
  const meaning = lookup.type(at);
  return meaning === undefined ? isAny(lookup, at) : ofMeaning(lookup, meaning);
}

/** Of the function whose parameter a place asks for: `typeof make^0`. */
function parametersAsked(lookup: Lookup, at: NamedAt): readonly NamedAt[] {
  const callee = /^typeof ([^^]*)\^\d+$/su.exec(at.name)?.[1];
  const taker = callee === undefined ? undefined : lookup.chain({...at, name: callee});
  return taker === undefined ? [] : (functionOf(lookup, taker)?.parameters ?? []);
}

/** A type parameter that this parameter alone decides. */
function isAlone({name, env}: NamedAt, all: readonly NamedAt[]): boolean {
  return /^%[\w$]+$/u.test(name) && env?.names.has(name.slice(1)) !== true && all.filter((other) => other.name.includes(name)).length === 1;
}

function ofMeaning(lookup: Lookup, of: Meaning): boolean {
  if (isPlace(of)) return ofPlace(lookup, of);
  if ('value' in of) return hasAnyKey(lookup, of.value);
  if ('anyOf' in of) return of.anyOf.every((one) => ofMeaning(lookup, one));
  return 'builtIn' in of && of.builtIn === 'Record';
}

function ofPlace(lookup: Lookup, {file, index, env}: Place): boolean {
  lookup.base.used(file);
  const kind = file.table.kinds[index] ?? '';
  const within = file.table.parents[index] ?? -1;
  if (kind === 'interface' || kind === 'class') {
    const bases = file.links.heritage.filter(({symbol}) => symbol === index);
    return bases.every(({base}) => hasAnyKey(lookup, {file, within, name: base, env}));
  }
  const words = kind === 'type' ? typeHead(file.table.typeNames[index] ?? '').rest : typeHad(kind, file.table.typeNames[index]);
  if (words !== undefined && words !== '') return hasAnyKey(lookup, {file, within, name: words, env});
  return kind === 'type' && /=\s*\{/u.test(file.details[index]?.signature ?? '');
}
