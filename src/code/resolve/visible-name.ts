import type {StoredFile} from '../store/facts-reader.ts';
import {isPlace, type Lookup, type Meaning, type NamedAt, type Place} from './code-base.ts';
import {first} from './first.ts';
import {includedName} from './included-names.ts';
import {rulesOf} from './rules-of.ts';

/** What a bare name means: of the symbols around it from the inside out, imported, or seen without import. */
export function visibleName(lookup: Lookup, {file, within, name}: NamedAt): Meaning | undefined {
  for (let scope = within; scope >= 0; scope = file.table.parents[scope] ?? -1) {
    const own = inScope(lookup, {file, within: scope, name});
    if (own !== undefined) return own;
    const member = ofOwner(lookup, {file, within: scope, name});
    if (member !== undefined) return member;
  }
  return lookup.once(`top ${file.id} ${name}`, () => fromTop(lookup, file, name));
}

function fromTop(lookup: Lookup, file: StoredFile, name: string): Meaning | undefined {
  const tops = file.named(-1, name);
  const top = tops.find((index) => file.table.kinds[index] !== 'impl');
  if (top !== undefined && !isReplacement({file, index: top})) return {file, index: top};
  const facts = file.links.imports.filter(({local}) => local === name);
  const imported = first(facts, (fact) => lookup.imported(fact, file));
  if (imported !== undefined || top !== undefined) return imported ?? {file, index: top ?? -1};
  if (facts.length > 0) return undefined;
  const found = throughStars(lookup, file, name) ?? rulesOf(file.language).ambient?.(name, file, lookup.base);
  return found ?? (tops[0] === undefined ? undefined : {file, index: tops[0]});
}

/** A variable that only stands for an import that may fail: `except ImportError: ssl = None`. */
export function isReplacement({file, index}: Place): boolean {
  const {kinds, names} = file.table;
  if (file.language !== 'python' || (kinds[index] !== 'variable' && kinds[index] !== 'constant')) return false;
  return file.links.imports.some(({local}) => local === names[index]);
}

/** A member of a class is no bare name in it, but for languages that need no `this`: there inherited ones are, too. */
function inScope(lookup: Lookup, {file, within, name}: NamedAt): Meaning | undefined {
  const kind = file.table.kinds[within];
  const isOpen = kind === 'namespace' || kind === 'module' || kind === 'function' || kind === 'method';
  if (isOpen) {
    const index = file.named(within, name)[0];
    if (index !== undefined) return {file, index};
    return kind === 'module' ? inModule(lookup, {file, within, name}) : undefined;
  }
  // What stands in a variable or a field sees the members of the type around it, not those of its own type.
  if (rulesOf(file.language).membersAreBare !== true || HOLDERS.has(kind ?? '')) return undefined;
  return lookup.member({file, index: within}, name);
}

/** In another file that adds to the same module. */
function inModule({base}: Lookup, {file, within, name}: NamedAt): Place | undefined {
  const {inSpace, parts} = rulesOf(file.language);
  const found = inSpace?.({home: file.qualified[within] ?? '', name}, file, base);
  return found ?? first(parts?.({file, index: within}, base) ?? [], (part) => ownOf(part, name));
}

const HOLDERS: ReadonlySet<string> = new Set(['property', 'variable', 'constant']);

/** A member of the type that the symbol around belongs to though it stands outside of it. */
function ofOwner(lookup: Lookup, {file, within, name}: NamedAt): Meaning | undefined {
  const owner = file.table.owners[within];
  if (owner === undefined || rulesOf(file.language).membersAreBare !== true || owner.replace(/^.*\W/, '') === name) return undefined;
  const type = lookup.once(`owner ${file.id} ${within}`, () => lookup.type({file, within: file.table.parents[within] ?? -1, name: owner}));
  return type === undefined ? undefined : lookup.member(type, name);
}

function ownOf({file, index}: Place, name: string): Place | undefined {
  const own = file.named(index, name)[0];
  return own === undefined ? undefined : {file, index: own};
}

/** `from module import *`; in languages where a type can be opened its members. */
function throughStars(lookup: Lookup, file: StoredFile, name: string): Meaning | undefined {
  const rules = rulesOf(file.language);
  for (const [at, {local, module}] of file.links.imports.entries()) {
    if (local !== '*') continue;
    const whole = rules.imported?.({original: '*', module}, file, lookup.base);
    const member = isPlace(whole) ? lookup.member(whole, name) : undefined;
    if (member !== undefined) return member;
    const found = rules.includes === true ? includedName(lookup, file, {name, at}) : fromModules(lookup, file, {module, name});
    if (found !== undefined) return found;
  }
  return undefined;
}

function fromModules(
  lookup: Lookup,
  file: StoredFile,
  {module, name}: {readonly module: string; readonly name: string},
): Meaning | undefined {
  return first(rulesOf(file.language).modules(module, file, lookup.base), (next) => lookup.exported(next, name));
}
