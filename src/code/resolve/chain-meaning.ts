import {awaited, builtInResult, elementOf, handedOver, mappedBy} from './built-in-types.ts';
import {asUsed} from './as-used.ts';
import {builtInStatics, staticResult} from './built-in-statics.ts';
import {isPlace, type Lookup, type Meaning, type NamedAt, type Place} from './code-base.ts';
import {eachOf} from './each-of.ts';
import {functionOf, parameterAt, parameterOf} from './function-type.ts';
import {calledFunction, givenTo, type Given} from './infer-types.ts';
import {asValue} from './member.ts';
import {rulesOf} from './rules-of.ts';
import {closingOf} from './split-words.ts';
import {tagged} from './tagged.ts';
import {envKey, typeHad} from './type-head.ts';

/**
 * What a chain stands for: a name, `this`, `super`, `import('m')` or `(T)`, then `.name`, `()` what a call gives, `[]` an element, `!` what a promise gives,
 * `(i:j)` what the call hands to parameter j of the function that is its argument i, `^i` what a function takes as parameter i, `~` what a guard
 * finds its argument to be.
 */
export function chainMeaning(lookup: Lookup, at: NamedAt): Meaning | undefined {
  const chain = at.name.trim().replace(/^\\/, '');
  const module = MODULE.exec(chain);
  if (module !== null) return ofModule(lookup, at, {module: module[1] ?? '', steps: chain.slice(module[0].length)});
  const start = /^[\p{L}\p{N}_$@#]+/u.exec(chain)?.[0];
  if (start === undefined && !chain.startsWith('(')) return undefined;
  if (start?.length === chain.length) return startOf(lookup, {...at, name: start}); // its parts are asked once
  return lookup.once(`chain ${at.file.id} ${at.within} ${chain}${envKey(at)}`, () => {
    const end = start === undefined ? closingOf(chain, 0) + 1 : start.length;
    const head =
      start === undefined
        ? lookup.type({...at, name: chain.slice(1, end - 1)})
        : (startOf(lookup, {...at, name: start}) ?? builtInStatics({...at, name: start}));
    const isGoing = start !== undefined && end < chain.length && head !== undefined;
    return follow(lookup, isGoing ? asValue(head) : head, {at, steps: chain.slice(end)}) ?? ofWhole(lookup, at, chain);
  });
}

const MODULE = /^import\('([^']+)'\)/u;

/** `import('m')` promises a module. */
function ofModule(lookup: Lookup, at: NamedAt, {module, steps}: {readonly module: string; readonly steps: string}): Meaning | undefined {
  if (steps.startsWith('!')) return follow(lookup, lookup.imported({original: '*', module}, at.file), {at, steps: steps.slice(1)});
  const promised = {...at, name: `typeof import('${module}')!`};
  return follow(lookup, {builtIn: 'Promise', args: [promised]}, {at, steps});
}

/** `a.b.C.member`, where `a.b.C` needs no import. */
function ofWhole(lookup: Lookup, at: NamedAt, chain: string): Meaning | undefined {
  const {whole} = rulesOf(at.file.language);
  if (whole === undefined) return undefined;
  const parts = /^[\p{L}\p{N}_]+(?:(?:\.|::|\\)[\p{L}\p{N}_]+)+/u.exec(chain)?.[0].split(/\.|::|\\/u) ?? [];
  for (let count = parts.length; count > 1; count--) {
    const found = whole({home: parts.slice(0, count - 1).join('.'), name: parts[count - 1] ?? ''}, at.file, lookup.base);
    if (found !== undefined) return follow(lookup, found, {at, steps: stepsBehind(chain, count)});
  }
  return undefined;
}

function stepsBehind(chain: string, names: number): string {
  const head = new RegExp(`^(?:[\\p{L}\\p{N}_]+(?:\\.|::|\\\\)?){${names}}`, 'u').exec(chain)?.[0] ?? '';
  return chain.slice(/[.:\\]$/u.test(head) ? head.replace(/(?:\.|::|\\)$/u, '').length : head.length);
}

const STEP =
  /^(?:(?:\.|::|\\|->)(?<name>[\p{L}\p{N}_$#]+)|(?<element>\[\])|(?<wait>!)|(?<guard>~)|\^(?<place>\d+)|\?(?<tag>[\w$]+)=(?<value>'[^']*'))/u;
/** `(i:j)`, and what the call is given. */
const HANDED = /^(\d+):(\d+)/u;

function follow(
  lookup: Lookup,
  head: Meaning | undefined,
  {at, steps}: {readonly at: NamedAt; readonly steps: string},
): Meaning | undefined {
  let meaning = head;
  let rest = steps;
  while (rest !== '' && meaning !== undefined) {
    const step = STEP.exec(rest);
    const end = stepEnd(rest, step?.[0].length);
    if (end === 0) return undefined;
    const taken = rest.slice(0, end);
    meaning = eachOf(meaning, (one) =>
      step?.groups === undefined
        ? callStep(lookup, one, {...at, name: taken.slice(1, -1)})
        : stepFrom(lookup, one, {groups: step.groups, given: givenTo(taken.slice(step[0].length), at)}),
    );
    rest = rest.slice(end);
    if (meaning !== undefined) meaning = goingOn(meaning, {rest, isNamed: step?.groups?.['name'] !== undefined});
  }
  return meaning;
}

/** Of what shares its name that which has members where a chain goes on, or can be called. */
function goingOn(meaning: Meaning, {rest, isNamed}: {readonly rest: string; readonly isNamed: boolean}): Meaning {
  const value = isNamed && rest !== '' ? asValue(meaning) : meaning;
  return isPlace(value) && rest.startsWith('(') ? asUsed(value, 'call') : value;
}

/** `^i` goes on with the types that the call is given. */
function stepEnd(rest: string, length: number | undefined): number {
  if (length === undefined) return rest.startsWith('(') ? closingOf(rest, 0) + 1 : 0;
  return rest.startsWith('^') && rest[length] === '<' ? closingOf(rest, length) + 1 : length;
}

/** What a call gives, or what it hands to a function among its arguments. */
function callStep(lookup: Lookup, from: Meaning, inside: NamedAt): Meaning | undefined {
  const handed = HANDED.exec(inside.name);
  const given = givenTo(inside.name.slice(handed?.[0].length ?? 0), inside);
  if (handed === null) return ofShape(lookup, from, {isCall: true, ask: (shape) => called(lookup, shape, given)});
  return handedTo(lookup, from, {argument: Number(handed[1]), parameter: Number(handed[2]), given});
}

interface Handed {
  readonly argument: number;
  readonly parameter: number;
  readonly given: Given;
}

function handedTo(lookup: Lookup, from: Meaning, {argument, parameter, given}: Handed): Meaning | undefined {
  const taken = isPlace(from) && isFunction(from) ? calledFunction(lookup, from, given) : functionOf(lookup, from);
  const type = parameterAt(taken, argument);
  const taker = type === undefined || type.name === '?' ? undefined : lookup.type(type);
  const own = taker === undefined ? undefined : parameterOf(lookup, taker, parameter);
  if (own !== undefined) return own;
  return ofShape(lookup, from, {ask: (shape) => ('builtIn' in shape ? handedOver(shape, parameter) : undefined)});
}

function isFunction({file, index}: Place): boolean {
  return file.table.kinds[index] === 'function' || file.table.kinds[index] === 'method';
}

interface Step {
  readonly groups: Readonly<Record<string, string | undefined>>;
  readonly given: Given;
}

function stepFrom(lookup: Lookup, from: Meaning, {groups: step, given}: Step): Meaning | undefined {
  if (step['name'] !== undefined) return lookup.member(from, step['name']);
  if (step['tag'] !== undefined) return tagged(lookup, from, {name: step['tag'], value: step['value'] ?? ''});
  if (step['place'] !== undefined) return taken(lookup, from, {place: Number(step['place']), given});
  if (step['guard'] !== undefined) return foundBy(lookup, from);
  if (step['wait'] !== undefined) return ofShape(lookup, from, {ask: awaited});
  return ofShape(lookup, from, {ask: (shape) => ('builtIn' in shape ? elementOf(shape) : undefined)});
}

function foundBy(lookup: Lookup, from: Meaning): Meaning | undefined {
  const result = functionOf(lookup, from)?.result;
  return result?.name.startsWith('is ') === true ? lookup.type({...result, name: result.name.slice(3)}) : undefined;
}

function taken(lookup: Lookup, from: Meaning, {place, given}: {readonly place: number; readonly given: Given}): Meaning | undefined {
  if (given.types.length === 0 || !isPlace(from) || !isFunction(from)) return parameterOf(lookup, from, place);
  const type = parameterAt(calledFunction(lookup, from, given), place);
  return type === undefined || type.name === '?' ? undefined : lookup.type(type);
}

function called(lookup: Lookup, shape: Meaning, given: Given): Meaning | undefined {
  if ('builtIn' in shape) {
    if (shape.builtIn.endsWith('.')) return staticResult(shape, given);
    const callback = given.values[0];
    return builtInResult(shape) ?? (callback === undefined ? undefined : mappedBy(shape, {...callback, name: resultWords(callback.name)}));
  }
  const own = isPlace(shape) ? result(lookup, shape, given) : undefined;
  if (own !== undefined) return own;
  const type = functionOf(lookup, shape)?.result;
  return type === undefined || type.name === '?' ? undefined : {value: type};
}

/** What a function gives, in words; of one that is written out, its result. */
function resultWords(words: string): string {
  return words.startsWith('():') ? words.slice(3) : words.startsWith('typeof ') ? `${words}()` : `typeof (${words})()`;
}

interface Asked {
  readonly isCall?: boolean;
  readonly ask: (shape: Meaning) => Meaning | undefined;
}

/** The answer for what it holds, or for each alternative of that. */
function ofShape(lookup: Lookup, from: Meaning, {isCall = false, ask}: Asked): Meaning | undefined {
  const shape = shapeOf(lookup, from, isCall);
  if (shape === undefined) return undefined;
  return eachOf(shape, (one) => {
    const held = one === shape ? one : shapeOf(lookup, one, isCall);
    return held === undefined || 'anyOf' in held ? undefined : ask(held);
  });
}

/** What a variable holds, where that is a list, a map or a promise; types by another name are taken apart. */
function shapeOf(lookup: Lookup, meaning: Meaning, isCall: boolean): Meaning | undefined {
  if ('value' in meaning) return again(lookup, lookup.type(meaning.value), isCall);
  if (!isPlace(meaning)) return meaning;
  const {file, index, env} = meaning;
  const kind = file.table.kinds[index] ?? '';
  const type = file.table.typeNames[index];
  const name = isCall || TYPES.has(kind) ? undefined : typeHad(kind, type);
  if (name === undefined) return meaning;
  return again(lookup, lookup.type({file, within: file.table.parents[index] ?? -1, name, env}), isCall) ?? meaning;
}

function again(lookup: Lookup, meaning: Meaning | undefined, isCall: boolean): Meaning | undefined {
  const question = meaning === undefined ? undefined : describe(meaning);
  if (meaning === undefined || question === undefined) return meaning;
  return lookup.once(`shape${isCall ? ' of call' : ''} ${question}`, () => shapeOf(lookup, meaning, isCall));
}

/** Undefined for what has its shape already. */
function describe(meaning: Meaning): string | undefined {
  if (isPlace(meaning)) return `${meaning.file.id} ${meaning.index}${envKey(meaning)}`;
  if (!('value' in meaning)) return undefined;
  return `value ${meaning.value.file.id} ${meaning.value.within} ${meaning.value.name}${envKey(meaning.value)}`;
}

function startOf(lookup: Lookup, at: NamedAt): Meaning | undefined {
  const begun = rulesOf(at.file.language).begins?.(at, lookup.base);
  if (begun !== undefined) return begun;
  if (SELF.has(at.name)) return typeAround(at);
  if (at.name !== 'super') return lookup.name(at);
  const own = typeAround(at);
  const base = own?.file.links.heritage.find(({symbol}) => symbol === own.index)?.base;
  if (own === undefined || base === undefined) return undefined;
  return lookup.type({file: own.file, within: own.file.table.parents[own.index] ?? -1, name: base});
}

const SELF = new Set(['this', 'self', 'Self', 'cls', '$this', 'static', '@']);
const TYPES: ReadonlySet<string> = new Set(['class', 'struct', 'interface', 'trait', 'impl', 'enum']);

function typeAround({file, within}: NamedAt): Place | undefined {
  for (let index = within; index >= 0; index = file.table.parents[index] ?? -1)
    if (TYPES.has(file.table.kinds[index] ?? '')) return {file, index};
  return undefined;
}

/** What a call gives: of a function the type it returns, of a class one of its objects. */
function result(lookup: Lookup, place: Place, given: Given): Meaning | undefined {
  const {file, index} = place;
  if (TYPES.has(file.table.kinds[index] ?? '')) return place;
  if (!isFunction(place) || file.table.typeNames[index] === undefined) return undefined;
  lookup.base.used(file);
  const declared = calledFunction(lookup, place, given)?.result;
  return declared === undefined || declared.name === '?' ? undefined : {value: declared};
}
