import {builtInMember} from './built-in-types.ts';
import {isQuietName} from '../quiet-name.ts';
import {isPlace, type Lookup, type Meaning, type Place} from './code-base.ts';
import {eachOf} from './each-of.ts';
import {first} from './first.ts';
import {rulesOf} from './rules-of.ts';
import {splitOutside} from './split-words.ts';
import {envKey, typeHad, typeHead} from './type-head.ts';
import {OUTSIDE, type StoredFile} from '../store/facts-reader.ts';

/** What `name` means behind something: in a module what it exports; in a type its own members and those it inherits; of a value those of its type. */
export function memberOf(lookup: Lookup, of: Meaning, name: string): Meaning | undefined {
  if (isPlace(of)) return memberOfPlace(lookup, of, name);
  if ('modules' in of) return first(of.modules, (file) => lookup.exported(file, name) ?? submodule(lookup, file, name));
  if ('parameters' in of) return undefined;
  if ('builtIn' in of) return builtInMember(of, name);
  if ('anyOf' in of) return eachOf(of, (one) => lookup.member(one, name));
  const {value: type, members} = of;
  if (members !== undefined && members.names.has(name) !== members.isKept) return undefined;
  // What methods return may lead in a circle: each returns what the next one returns.
  return lookup.once(`${name} of ${type.file.id} ${type.within} ${type.name}${envKey(type)}`, () => {
    const meaning = lookup.type(type);
    return meaning === undefined ? undefined : lookup.member(meaning, name);
  });
}

function memberOfPlace(lookup: Lookup, of: Place, name: string): Meaning | undefined {
  return lookup.once(`member ${of.file.id} ${of.index}${envKey(of)} ${name}`, () => {
    lookup.base.used(of.file);
    return (
      ofOwn(lookup, of, name) ??
      outside(lookup, of, name) ??
      made(of, name) ??
      elsewhere(lookup, of, name) ??
      companion(of, name) ??
      ofParts(lookup, of, name) ??
      inherited(lookup, of, name) ??
      first(mergedWith(of), (index) => ofType(lookup, {...of, index}, name)) ??
      rulesOf(of.file.language).added?.(of, name, lookup.base)
    );
  });
}

function submodule({base}: Lookup, file: StoredFile, name: string): Meaning | undefined {
  const module = rulesOf(file.language).submodule?.(file, name, base);
  return module === undefined ? undefined : {modules: [module]};
}

/** What a variable is declared as goes before what is written into it: `box.size` in `const box: Box = {size: 1}` is that of `Box`. */
function ofOwn(lookup: Lookup, of: Place, name: string): Meaning | undefined {
  const {kinds, typeNames} = of.file.table;
  const found = own(of, name);
  const isReported =
    found !== undefined &&
    !isQuietName(name) &&
    VARIABLES.has(kinds[of.index] ?? '') &&
    typeNames[of.index]?.startsWith('typeof ') === false;
  return (isReported ? ofType(lookup, of, name) : undefined) ?? found;
}

const VARIABLES: ReadonlySet<string> = new Set(['constant', 'variable', 'property']);

/** A constructor has the name of its class, which means the class. */
function own({file, index, env}: Place, name: string): Place | undefined {
  if (name === file.table.names[index] && NAMED_AS_CLASS.has(file.language)) return undefined;
  return first(mergedWith({file, index}), (at) => {
    const member = file.named(at, name)[0];
    return member === undefined ? undefined : {file, index: member, env};
  });
}

const NAMED_AS_CLASS: ReadonlySet<string> = new Set(['cpp', 'java', 'csharp']);

/** A member that stands outside of its type: in its file, or in another of its package. */
function outside(lookup: Lookup, {file, index}: Place, name: string): Place | undefined {
  const type = file.table.names[index] ?? '';
  return first([file, ...(rulesOf(file.language).siblings?.(file, lookup.base) ?? [])], (other) => {
    const member = other.named(OUTSIDE, name).find((at) => other.table.owners[at] === type);
    return member === undefined ? undefined : {file: other, index: member};
  });
}

function elsewhere(lookup: Lookup, {file, index}: Place, name: string): Meaning | undefined {
  const kind = file.table.kinds[index];
  if (kind === 'namespace' || (kind === 'module' && file.language === 'ruby'))
    return rulesOf(file.language).inSpace?.({home: file.qualified[index] ?? '', name}, file, lookup.base);
  if (kind !== 'module') return undefined;
  const module = rulesOf(file.language).declaredModule?.(file.table.names[index] ?? '', file, lookup.base);
  return module === undefined ? undefined : lookup.exported(module, name);
}

/** Members of the object that a class in Kotlin has beside it. */
function companion({file, index}: Place, name: string): Place | undefined {
  const object = file.language === 'kotlin' ? file.named(index, 'Companion')[0] : undefined;
  return object === undefined ? undefined : own({file, index: object}, name);
}

/** `Item.new` in Ruby, where the class does not say what it does. */
function made(of: Place, name: string): Place | undefined {
  return name === 'new' && of.file.language === 'ruby' && of.file.table.kinds[of.index] === 'class' ? of : undefined;
}

function ofParts(lookup: Lookup, of: Place, name: string): Meaning | undefined {
  if (!PARTED.has(of.file.table.kinds[of.index] ?? '')) return undefined;
  const type = (of.file.qualified[of.index] ?? '').replaceAll('::', '.');
  // All parts have the same parts: to ask those of each again would take as many steps as they have orders.
  return lookup.once(`parts of ${of.file.language} ${type}: ${name}`, () => {
    const parts = rulesOf(of.file.language).parts?.(of, lookup.base) ?? [];
    return first(parts, (part) => lookup.member(part, name));
  });
}

const PARTED: ReadonlySet<string> = new Set(['class', 'struct', 'enum', 'interface', 'module', 'impl']);

function inherited(lookup: Lookup, {file, index, env}: Place, name: string): Meaning | undefined {
  const merged = new Set(mergedWith({file, index}));
  return first(
    file.links.heritage.filter(({symbol}) => merged.has(symbol)),
    ({symbol, base}) => {
      const at = {file, within: file.table.parents[symbol] ?? -1, name: withArguments(file, symbol, base), env};
      // An embedded type is a member under its own name.
      if (file.language === 'go' && (base === name || base.endsWith(`.${name}`))) return {value: at};
      const parent = lookup.type(at);
      return parent === undefined ? undefined : lookup.member(parent, name);
    },
  );
}

/** `Base<T>`, where the type says with what it extends its base: `<T>:Base<T>`. */
function withArguments(file: StoredFile, symbol: number, base: string): string {
  const {rest} = typeHead(file.table.typeNames[symbol] ?? '');
  return rest.startsWith(':') ? (splitOutside(rest.slice(1), ',').find((one) => one.startsWith(`${base}<`)) ?? base) : base;
}

/** Functions have no members of what they return: that is for a call, but for those that are had without one. */
function ofType(lookup: Lookup, {file, index, env}: Place, member: string): Meaning | undefined {
  const kind = file.table.kinds[index];
  const name = typeHad(kind ?? '', file.table.typeNames[index]);
  if (name === undefined || name.startsWith(':')) return undefined;
  const isOwn = kind === 'type' && name === file.table.names[index];
  const meaning = isOwn
    ? rulesOf(file.language).tagged?.(name, file, lookup.base)
    : lookup.type({file, within: file.table.parents[index] ?? -1, name, env});
  return meaning === undefined ? undefined : lookup.member(meaning, member);
}

/** Of a type and a value that share a name the value, which a chain goes on from: `Shape.of` is no member of the interface `Shape`. */
export function asValue(of: Meaning): Meaning {
  if (!isPlace(of) || !TYPES.has(of.file.table.kinds[of.index] ?? '')) return of;
  const value = mergedWith(of).find((index) => !TYPES.has(of.file.table.kinds[index] ?? ''));
  return value === undefined ? of : {...of, index: value};
}

const TYPES: ReadonlySet<string> = new Set(['interface', 'type']);

/** Declarations of one name in one place are one thing: an interface and its class, a function and its namespace. */
export function mergedWith({file, index}: Place): readonly number[] {
  const all = file.named(file.table.parents[index] ?? -1, file.table.names[index] ?? '');
  return [index, ...all.filter((at) => at !== index)];
}
