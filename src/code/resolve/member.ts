import {builtInMember} from './built-in-types.ts';
import {isPlace, type Lookup, type Meaning, type Place} from './code-base.ts';
import {rulesOf} from './rules-of.ts';
import {OUTSIDE} from '../store/facts-reader.ts';

/** What `name` means behind something: in a module what it exports; in a type its own members and those it inherits; of a value those of its type. */
export function memberOf(lookup: Lookup, of: Meaning, name: string): Meaning | undefined {
  if (isPlace(of)) return memberOfPlace(lookup, of, name);
  if ('modules' in of) return first(of.modules, (file) => lookup.exported(file, name));
  if ('parameters' in of) return undefined;
  if ('builtIn' in of) return builtInMember(of, name);
  return first('anyOf' in of ? of.anyOf : [of.value], (type) => {
    const meaning = lookup.type(type);
    return meaning === undefined ? undefined : lookup.member(meaning, name);
  });
}

function memberOfPlace(lookup: Lookup, of: Place, name: string): Meaning | undefined {
  return lookup.once(`member ${of.file.id} ${of.index} ${name}`, () => {
    lookup.base.used(of.file);
    return (
      own(of, name) ?? outside(lookup, of, name) ?? elsewhere(lookup, of, name) ?? inherited(lookup, of, name) ?? ofType(lookup, of, name)
    );
  });
}

function own({file, index}: Place, name: string): Place | undefined {
  return first(mergedWith({file, index}), (at) => {
    const member = file.named(at, name)[0];
    return member === undefined ? undefined : {file, index: member};
  });
}

/** A member that stands outside of its type: in its file, or in another of its package. */
function outside(lookup: Lookup, {file, index}: Place, name: string): Place | undefined {
  const type = file.table.names[index] ?? '';
  return first([file, ...(rulesOf(file.language).siblings?.(file, lookup.base) ?? [])], (other) => {
    const member = other.named(OUTSIDE, name).find((at) => other.table.owners[at] === type);
    return member === undefined ? undefined : {file: other, index: member};
  });
}

function elsewhere(lookup: Lookup, {file, index}: Place, name: string): Meaning | undefined {
  if (file.table.kinds[index] !== 'module') return undefined;
  const module = rulesOf(file.language).declaredModule?.(file.table.names[index] ?? '', file, lookup.base);
  return module === undefined ? undefined : lookup.exported(module, name);
}

function inherited(lookup: Lookup, {file, index}: Place, name: string): Meaning | undefined {
  const merged = new Set(mergedWith({file, index}));
  return first(
    file.links.heritage.filter(({symbol}) => merged.has(symbol)),
    ({symbol, base}) => {
      const parent = lookup.type({file, within: file.table.parents[symbol] ?? -1, name: base});
      return parent === undefined ? undefined : lookup.member(parent, name);
    },
  );
}

/** Functions have no members of what they return: that is for a call, but for those that are had without one. */
function ofType(lookup: Lookup, {file, index}: Place, member: string): Meaning | undefined {
  const type = file.table.typeNames[index];
  const kind = file.table.kinds[index];
  const isGetter = type?.startsWith('get ') === true;
  if (type === undefined || ((kind === 'function' || kind === 'method') && !isGetter)) return undefined;
  const name = isGetter ? type.slice(4) : type;
  const meaning = lookup.type({file, within: file.table.parents[index] ?? -1, name});
  return meaning === undefined ? undefined : lookup.member(meaning, member);
}

/** Declarations of one name in one place are one thing: an interface and its class, a function and its namespace. */
export function mergedWith({file, index}: Place): readonly number[] {
  const all = file.named(file.table.parents[index] ?? -1, file.table.names[index] ?? '');
  return [index, ...all.filter((at) => at !== index)];
}

function first<T, R>(items: readonly T[], ask: (item: T) => R | undefined): R | undefined {
  for (const item of items) {
    const found = ask(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
