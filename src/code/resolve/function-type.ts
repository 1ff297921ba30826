import {isList} from '../extract/join-words.ts';
import {takenBy} from './built-in-types.ts';
import {isPlace, type FunctionMeaning, type Lookup, type Meaning, type NamedAt, type Place} from './code-base.ts';
import {first} from './first.ts';
import {closingOf, splitOutside} from './split-words.ts';
import {envKey, typeHead} from './type-head.ts';

/** The words `(A,?):R`; undefined for those of any other type. */
export function functionType(at: NamedAt): FunctionMeaning | undefined {
  const words = typeHead(at.name).rest;
  if (!words.startsWith('(')) return undefined;
  const end = closingOf(words, 0);
  if (end < 0 || words[end + 1] !== ':') return undefined;
  const parameters = end === 1 ? [] : splitOutside(words.slice(1, end), ',').map((name) => ({...at, name}));
  return {parameters, result: {...at, name: words.slice(end + 2)}};
}

/** What a function takes in this place; undefined where it says no more than that it is text or a number. */
export function parameterOf(lookup: Lookup, of: Meaning, place: number): Meaning | undefined {
  if ('builtIn' in of) return takenBy(of, place);
  const type = parameterAt(functionOf(lookup, of), place) ?? (place === 0 ? propertiesOf(of) : undefined);
  return type === undefined || type.name === '?' ? undefined : lookup.type(type);
}

/** Also one of those that are a list. */
export function parameterAt(of: FunctionMeaning | undefined, place: number): NamedAt | undefined {
  const own = of?.parameters[place];
  const listed = own === undefined ? of?.parameters.at(-1) : own;
  if (listed?.name.startsWith('...') !== true) return own;
  const words = listed.name.slice(3);
  return {...listed, name: isList(words) ? words.slice(0, -2) : `typeof (${words})[]`};
}

/** What a component takes that is a class, `class Line extends Component<Props>`, or is declared as one, `const Line: FC<Props>`. */
function propertiesOf(of: Meaning): NamedAt | undefined {
  if (!isPlace(of)) return undefined;
  const {file, index, env} = of;
  const words = typeHead(file.table.typeNames[index] ?? '').rest;
  const open = COMPONENT.exec(words)?.[0].length ?? -1;
  if (open < 0) return undefined;
  const [first] = splitOutside(words.slice(open, closingOf(words, open - 1)), ',');
  return first === undefined ? undefined : {file, within: file.table.parents[index] ?? -1, name: first, env};
}

const COMPONENT =
  /^:?(?:\w+\.)?(?:(?:Pure)?Component|VFC|FC|(?:Void)?FunctionComponent|ComponentType|(?:Exotic|ForwardRefExotic)Component)</u;

/** What is called, as a function: a symbol by what it says of itself, a variable by its type. */
export function functionOf(lookup: Lookup, of: Meaning): FunctionMeaning | undefined {
  if ('parameters' in of) return of;
  if ('value' in of) return again(lookup, of.value);
  if ('anyOf' in of) return first(of.anyOf, (one) => functionOf(lookup, one));
  return isPlace(of) ? ofSymbol(lookup, of) : undefined;
}

function ofSymbol(lookup: Lookup, {file, index, env}: Place): FunctionMeaning | undefined {
  const type = file.table.typeNames[index];
  if (type === undefined) return undefined;
  lookup.base.used(file);
  const isFunction = file.table.kinds[index] === 'function' || file.table.kinds[index] === 'method';
  const at = {file, within: isFunction ? index : (file.table.parents[index] ?? -1), name: typeHead(type).rest, env};
  return functionType(at) ?? (isFunction ? {parameters: [], result: at} : again(lookup, at));
}

function again(lookup: Lookup, at: NamedAt): FunctionMeaning | undefined {
  return lookup.once(`function ${at.file.id} ${at.within} ${at.name}${envKey(at)}`, () => {
    const meaning = lookup.type(at);
    return meaning === undefined ? undefined : functionOf(lookup, meaning);
  });
}
