import {awaited, builtInResult, elementOf, handedOver} from './built-in-types.ts';
import {isPlace, type Lookup, type Meaning, type NamedAt, type Place} from './code-base.ts';
import {functionOf, functionType, parameterOf} from './function-type.ts';
import {closingOf} from './split-words.ts';

/**
 * What a chain stands for: a name, `this`, `super` or `(T)`, then `.name`, `()` what a call gives, `[]` an element, `!` what a promise gives,
 * `(i:j)` what the call hands to parameter j of the function that is its argument i, `^i` what a function takes as parameter i.
 */
export function chainMeaning(lookup: Lookup, at: NamedAt): Meaning | undefined {
  const chain = at.name.trim();
  const start = /^[\p{L}\p{N}_$@#]+/u.exec(chain)?.[0];
  if (start === undefined && !chain.startsWith('(')) return undefined;
  return lookup.once(`chain ${at.file.id} ${at.within} ${chain}`, () => {
    const end = start === undefined ? closingOf(chain, 0) + 1 : start.length;
    const head = start === undefined ? lookup.type({...at, name: chain.slice(1, end - 1)}) : startOf(lookup, {...at, name: start});
    return follow(lookup, head, chain.slice(end));
  });
}

const STEP =
  /^(?:(?:\.|::|\\|->)(?<name>[\p{L}\p{N}_$#]+)|(?<call>\(\))|(?<element>\[\])|(?<wait>!)|\((?<argument>\d+):(?<parameter>\d+)\)|\^(?<place>\d+))/u;

function follow(lookup: Lookup, head: Meaning | undefined, steps: string): Meaning | undefined {
  let meaning = head;
  let rest = steps;
  while (rest !== '' && meaning !== undefined) {
    const step = STEP.exec(rest);
    if (step?.groups === undefined) return undefined;
    meaning = stepFrom(lookup, meaning, step.groups);
    rest = rest.slice(step[0].length);
  }
  return meaning;
}

function stepFrom(lookup: Lookup, from: Meaning, step: Readonly<Record<string, string | undefined>>): Meaning | undefined {
  if (step['name'] !== undefined) return lookup.member(from, step['name']);
  if (step['place'] !== undefined) return parameterOf(lookup, from, Number(step['place']));
  const handed = step['argument'] === undefined ? undefined : parameterOf(lookup, from, Number(step['argument']));
  if (handed !== undefined) return parameterOf(lookup, handed, Number(step['parameter']));
  const shape = shapeOf(lookup, from, step['call'] !== undefined);
  if (shape === undefined) return undefined;
  if (step['call'] !== undefined) return called(lookup, shape);
  if (step['wait'] !== undefined) return awaited(shape);
  if (!('builtIn' in shape)) return undefined;
  return step['element'] === undefined ? handedOver(shape, Number(step['parameter'])) : elementOf(shape);
}

function called(lookup: Lookup, shape: Meaning): Meaning | undefined {
  if ('builtIn' in shape) return builtInResult(shape);
  const own = isPlace(shape) ? result(lookup, shape) : undefined;
  if (own !== undefined) return own;
  const type = functionOf(lookup, shape)?.result;
  return type === undefined || type.name === '?' ? undefined : {value: type};
}

/** What a variable holds, where that is a list, a map or a promise; types by another name are taken apart. */
function shapeOf(lookup: Lookup, meaning: Meaning, isCall: boolean): Meaning | undefined {
  if ('value' in meaning) return again(lookup, lookup.type(meaning.value), isCall);
  if (!isPlace(meaning)) return meaning;
  const {file, index} = meaning;
  const kind = file.table.kinds[index] ?? '';
  const type = file.table.typeNames[index];
  const name = isCall || TYPES.has(kind) ? undefined : typeHad(kind, type);
  if (name === undefined) return meaning;
  return again(lookup, lookup.type({file, within: file.table.parents[index] ?? -1, name}), isCall) ?? meaning;
}

/** The type that a name has without a call: a function has none, a getter its result. */
function typeHad(kind: string, type: string | undefined): string | undefined {
  if (type?.startsWith('get ') === true) return type.slice(4);
  return kind === 'function' || kind === 'method' ? undefined : type;
}

function again(lookup: Lookup, meaning: Meaning | undefined, isCall: boolean): Meaning | undefined {
  return meaning === undefined ? undefined : lookup.once(`shape ${describe(meaning)}`, () => shapeOf(lookup, meaning, isCall));
}

function describe(meaning: Meaning): string {
  if (isPlace(meaning)) return `${meaning.file.id} ${meaning.index}`;
  return 'value' in meaning ? `${meaning.value.file.id} ${meaning.value.within} ${meaning.value.name}` : 'other';
}

function startOf(lookup: Lookup, at: NamedAt): Meaning | undefined {
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
function result(lookup: Lookup, {file, index}: Place): Meaning | undefined {
  const kind = file.table.kinds[index] ?? '';
  if (TYPES.has(kind)) return {file, index};
  const type = file.table.typeNames[index];
  if (type === undefined || (kind !== 'function' && kind !== 'method')) return undefined;
  lookup.base.used(file);
  const at = {file, within: index, name: type};
  const declared = functionType(at)?.result ?? at;
  return declared.name === '?' ? undefined : {value: declared};
}
