import type {BuiltInMeaning, Meaning, NamedAt, ValueMeaning} from './code-base.ts';

/** What the words `name<args>` mean where no symbol has that name: lists, maps and promises are looked through. */
export function builtInType(name: string, args: readonly NamedAt[]): Meaning | undefined {
  if (SAME.has(name)) return args[0] === undefined ? undefined : {value: args[0], ...membersLeft(name, args[1]?.name)};
  return LISTS.has(name) || MAPS.has(name) || PROMISES.has(name) ? {builtIn: name, args} : undefined;
}

/** `Omit<T,'a'|'b'>` and `Pick<T,'a'>`, where the names are written. */
function membersLeft(name: string, words: string | undefined): Pick<ValueMeaning, 'members'> {
  if (!CHOOSING.has(name) || words?.startsWith("'") !== true) return {};
  return {members: {names: new Set(words.split('|').map((word) => word.slice(1, -1))), isKept: name === 'Pick'}};
}

const CHOOSING: ReadonlySet<string> = new Set(['Omit', 'Except', 'Pick']);

/** `list.find`, `map.get`, `record.key`. Not a symbol; what comes after it may be one. */
export function builtInMember(of: BuiltInMeaning, name: string): Meaning | undefined {
  if (of.builtIn !== 'Record') return {...of, method: name};
  return of.args[1] === undefined ? undefined : {value: of.args[1]};
}

/** What a call of such a method gives. */
export function builtInResult({builtIn, args, method = ''}: BuiltInMeaning): Meaning | undefined {
  if (method === 'entries') return entriesOf(builtIn, args);
  if (LISTS.has(builtIn)) {
    if (SAME_LIST.has(method)) return {builtIn, args};
    return ELEMENT.has(method) ? value(args[0]) : undefined;
  }
  if (MAPS.has(builtIn) && method === 'get') return value(args[1]);
  if (MAPS.has(builtIn) && method === 'values') return {builtIn: 'Array', args: args.slice(1)};
  return PROMISES.has(builtIn) && SAME_PROMISE.has(method) ? {builtIn, args} : undefined;
}

/** What a call of such a method gives that makes something else of each element: `result` is what the function it is given makes. */
export function mappedBy({builtIn, method = ''}: BuiltInMeaning, result: NamedAt): Meaning | undefined {
  if (result.name === '?') return undefined;
  if (LISTS.has(builtIn) && method === 'map') return {builtIn: 'Array', args: [result]};
  if (LISTS.has(builtIn) && method === 'flatMap') return {value: result};
  return PROMISES.has(builtIn) && method === 'then' ? {builtIn: 'Promise', args: [result]} : undefined;
}

/** What an index or a loop gives. */
export function elementOf({builtIn, args}: BuiltInMeaning): Meaning | undefined {
  if (LISTS.has(builtIn)) return value(args[0]);
  if (PAIRED.has(builtIn)) return args[1] === undefined ? undefined : {builtIn: 'Array', args: [args[1]]};
  return builtIn === 'Record' || builtIn === 'dict' ? value(args[1]) : undefined;
}

/** Lists of two, of which the second is a value; the first is a number or a key, which have no members here. */
function entriesOf(builtIn: string, args: readonly NamedAt[]): Meaning | undefined {
  const type = LISTS.has(builtIn) ? args[0] : PAIRED.has(builtIn) ? args[1] : undefined;
  return type === undefined ? undefined : {builtIn: 'Array', args: [{...type, name: `(${type.name})[]`}]};
}

/** Maps that are gone through in pairs. */
const PAIRED: ReadonlySet<string> = new Set(['Map', 'ReadonlyMap']);

/** What such a method takes as a parameter. */
export function takenBy({builtIn, args, method = ''}: BuiltInMeaning, parameter: number): Meaning | undefined {
  if (MAPS.has(builtIn)) return method === 'set' && parameter === 1 ? value(args[1]) : undefined;
  if (!LISTS.has(builtIn)) return undefined;
  return TAKES_ELEMENTS.has(method) || (method === 'splice' && parameter > 1) ? value(args[0]) : undefined;
}

/** What such a method hands to a parameter of the function it is given. */
export function handedOver({builtIn, args, method = ''}: BuiltInMeaning, parameter: number): Meaning | undefined {
  if (LISTS.has(builtIn)) return EACH.has(method) && elementParameters(method).includes(parameter) ? value(args[0]) : undefined;
  if (MAPS.has(builtIn)) return method === 'forEach' && parameter === 0 ? value(args[1]) : undefined;
  return method === 'then' && parameter === 0 ? value(args[0]) : undefined;
}

/** Which parameters of its function such a method gives an element to. */
function elementParameters(method: string): readonly number[] {
  if (method.startsWith('reduce')) return [1];
  return method === 'sort' || method === 'toSorted' ? [0, 1] : [0];
}

export function awaited(of: Meaning): Meaning | undefined {
  return 'builtIn' in of && PROMISES.has(of.builtIn) ? value(of.args[0]) : of;
}

function value(type: NamedAt | undefined): Meaning | undefined {
  return type === undefined ? undefined : {value: type};
}

const SAME = new Set([
  'Readonly',
  'Partial',
  'Required',
  'NonNullable',
  'Awaited',
  'Pick',
  'Omit',
  'Optional',
  'Final',
  'ClassVar',
  'DeepReadonly',
  'DeepPartial',
  'Except',
  'Mutable',
  'Prettify',
  'SetOptional',
  'SetRequired',
  'Simplify',
  'WithRequired',
  'Writable',
  'unique_ptr',
  'shared_ptr',
  'Box',
  'Rc',
  'Arc',
]);
const LISTS = new Set(
  'Array ReadonlyArray ArrayLike NodeListOf Set ReadonlySet Iterable Iterator IterableIterator ArrayIterator Generator AsyncGenerator AsyncIterable AsyncIterableIterator list List set frozenset tuple Sequence vector deque span Vec VecDeque HashSet Collection ArrayList MutableList IEnumerable IList Seq'.split(
    ' ',
  ),
);
const MAPS = new Set(['Map', 'ReadonlyMap', 'WeakMap', 'Record', 'dict', 'Dict', 'HashMap', 'MutableMap', 'Dictionary', 'unordered_map']);
const PROMISES = new Set(['Promise', 'PromiseLike']);
const SAME_LIST = new Set(
  'filter slice sort concat reverse toSorted toReversed values add splice with toSpliced fill iter iter_mut into_iter toList asSequence'.split(
    ' ',
  ),
);
const ELEMENT = new Set(['find', 'findLast', 'at', 'pop', 'shift']);
const TAKES_ELEMENTS = new Set(['push', 'unshift', 'add', 'includes', 'indexOf', 'concat']);
const SAME_PROMISE = new Set(['finally', 'catch']);
const EACH = new Set(
  'forEach map filter find findLast findIndex findLastIndex some every flatMap sort toSorted reduce reduceRight for_each'.split(' '),
);
