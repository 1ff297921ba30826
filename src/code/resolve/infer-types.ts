import {isList} from '../extract/join-words.ts';
import {isPlace, type FunctionMeaning, type Lookup, type NamedAt, type Place} from './code-base.ts';
import {functionType, parameterAt} from './function-type.ts';
import {closingOf, splitOutside} from './split-words.ts';
import {typeHead, withNames} from './type-head.ts';

/** What a call is given: types in angles, or else the types of its values. */
export interface Given {
  readonly types: readonly NamedAt[];
  readonly values: readonly NamedAt[];
}

/** `<A,B>` or `|C,?` behind the bracket of a call. */
export function givenTo(words: string, at: NamedAt): Given {
  const all =
    words === '' ? [] : splitOutside(words.startsWith('<') ? words.slice(1, -1) : words.slice(1), ',').map((name) => ({...at, name}));
  return words.startsWith('<') ? {types: all, values: []} : {types: [], values: all};
}

/** The function that a symbol is, its type parameters being what this call makes of them. */
export function calledFunction(lookup: Lookup, {file, index, env}: Place, {types, values}: Given): FunctionMeaning | undefined {
  const words = file.table.typeNames[index];
  if (words === undefined) return undefined;
  const {parameters, rest} = typeHead(words);
  const at = {file, within: index, name: rest, env};
  const declared = functionType(at) ?? {parameters: [], result: at};
  if (parameters.length === 0) return declared;
  const names = new Map(parameters.flatMap(({name}, place) => (types[place] === undefined ? [] : [[name, types[place]] as const])));
  const wanted = new Set(parameters.map(({name}) => name));
  for (const [place, value] of values.entries()) {
    const parameter = parameterAt(declared, place);
    if (parameter !== undefined && value.name !== '?') unify(lookup, {pattern: parameter.name, value, wanted, names}, 0);
  }
  return functionType({...at, env: withNames(env, names)}) ?? {parameters: [], result: {...at, env: withNames(env, names)}};
}

interface Unified {
  /** The words of a parameter. */
  readonly pattern: string;
  readonly value: NamedAt;
  readonly wanted: ReadonlySet<string>;
  readonly names: Map<string, NamedAt>;
}

/** No honest type is deeper. */
const DEEPEST = 4;

/** Finds what the type parameters in a pattern are, where the value has that form. The first value that tells decides. */
function unify(lookup: Lookup, unified: Unified, depth: number): void {
  const {pattern, value, wanted, names} = unified;
  if (depth > DEEPEST || !pattern.includes('%')) return;
  const own = /^%([\p{L}\p{N}_$]+)(?:\(.*\))?$/su.exec(pattern)?.[1];
  if (own === undefined || !closesAtEnd(pattern)) {
    const parts = partsOf(pattern, value);
    for (const [part, name] of parts ?? []) unify(lookup, {...unified, pattern: part, value: {...value, name}}, depth + 1);
    if (parts === undefined) ofName(lookup, unified, depth);
  } else if (wanted.has(own) && !names.has(own)) names.set(own, value);
}

/** Simpler patterns with the words of what they are compared with; undefined for a name. */
function partsOf(pattern: string, value: NamedAt): readonly (readonly [string, string])[] | undefined {
  const alternatives = splitOutside(pattern, '|&');
  if (alternatives.length > 1) return alternatives.map((one) => [one, value.name]);
  const asFunction = functionType({...value, name: pattern});
  if (asFunction !== undefined) return [[asFunction.result.name, step(value.name, '()')]];
  if (pattern.endsWith('[]')) return [[pattern.slice(0, -2), step(value.name, '[]')]];
  return pattern.startsWith('(') && closesAtEnd(pattern) ? [[pattern.slice(1, -1), value.name]] : undefined;
}

function closesAtEnd(words: string): boolean {
  const open = words.indexOf('(');
  return open < 0 || closingOf(words, open) === words.length - 1;
}

/** `Box<%T>` and a value that is a `Box<Server>`. */
function ofName(lookup: Lookup, {pattern, value, wanted, names}: Unified, depth: number): void {
  const open = pattern.indexOf('<');
  if (open < 0) return;
  const name = pattern.slice(0, open);
  const parts = splitOutside(pattern.slice(open + 1, -1), ',');
  const meaning = lookup.type(value);
  const held = meaning !== undefined && 'value' in meaning ? lookup.type(meaning.value) : meaning;
  if (held === undefined) return;
  const types = 'builtIn' in held ? held.args : isPlace(held) ? typesOf(held) : [];
  if (isPlace(held) && held.file.table.names[held.index] !== name.slice(name.lastIndexOf('.') + 1)) return;
  for (const [index, part] of parts.entries()) {
    const type = types[index];
    if (type !== undefined) unify(lookup, {pattern: part, value: type, wanted, names}, depth + 1);
  }
}

function typesOf({file, index, env}: Place): readonly (NamedAt | undefined)[] {
  return typeHead(file.table.typeNames[index] ?? '').parameters.map(({name}) => env?.names.get(name));
}

/** `typeof a` and `()` give `typeof a()`; a type becomes a value of it. */
export function step(words: string, next: string): string {
  if (next === '[]' && isList(words)) return words.slice(0, -2);
  return words.startsWith('typeof ') ? words + next : `typeof (${words})${next}`;
}
