import type {Place} from './declarations.ts';
import type {StoredFile} from './facts-reader.ts';
import type {StoredRelation} from './relations-of.ts';
import type {Position} from '../symbol.ts';

/** Which of the three spaces a name is in, as bits: TypeScript has a type, a value and a namespace of one name side by side. */
const TYPE = 1;
const VALUE = 2;
const SPACE = 4;

/** The declarations that are one thing with the first, as they share a space with it or with one that does; and which uses of their name mean them. */
export function sameSpace(
  place: Place,
  all: readonly Place[],
): {readonly places: readonly Place[]; readonly fits: (relation: StoredRelation, file: StoredFile) => boolean} {
  let spaces = spacesOf(place);
  for (let before = 0; before !== spaces;) {
    before = spaces;
    for (const other of all) if ((spacesOf(other) & spaces) !== 0) spaces |= spacesOf(other);
  }
  return {
    places: all.filter((other) => (spacesOf(other) & spaces) !== 0),
    fits: (relation, file) => isOfAll(relation) || (spaces & askedSpaces(file, relation)) !== 0,
  };
}

/** Whether a name stands for all that share it: where it is imported, exported, or linked to. */
export function isOfAll({kind, isLink}: StoredRelation): boolean {
  return kind === 'import' || kind === 'export' || isLink === true;
}

/** Whether a declaration can be what a name stands for that is used so. */
export function isDeclaredFor(place: Place, relation: StoredRelation, file: StoredFile): boolean {
  return (spacesOf(place) & askedSpaces(file, relation)) !== 0;
}

/** A type, a value, or what types are in: `from.Value` names the namespace `from`, not the function of that name. */
function askedSpaces(file: StoredFile, relation: StoredRelation): number {
  const {kind, within, range} = relation;
  if (kind === 'uses_type' || kind === 'implements' || (kind === 'extends' && file.table.kinds[within] === 'interface')) return TYPE;
  if (kind === 'call') return VALUE;
  return beforeTypes(file).has(keyOf(range.start)) ? SPACE : VALUE | (SCRIPTS.has(file.language) ? 0 : SPACE);
}

const SCRIPTS: ReadonlySet<string> = new Set(['typescript', 'tsx', 'javascript']);
const known = new WeakMap<StoredFile, ReadonlySet<string>>();

/** Where names stand that the name of a type follows behind a dot. */
function beforeTypes(file: StoredFile): ReadonlySet<string> {
  const before = known.get(file);
  if (before !== undefined) return before;
  const [types, found] = [new Set<string>(), new Set<string>()];
  for (const {kind, range, receiver} of file.uses.toReversed()) {
    const behind = keyOf({line: range.end.line, character: range.end.character + 1});
    if (types.has(behind) && kind === 'reference') found.add(keyOf(range.start));
    if (receiver !== undefined && (kind === 'uses_type' || found.has(keyOf(range.start)))) types.add(keyOf(range.start));
  }
  known.set(file, found);
  return found;
}

function keyOf({line, character}: Position): string {
  return `${line}:${character}`;
}

function spacesOf({file, index}: Place): number {
  const kind = file.table.kinds[index] ?? '';
  if (kind !== 'namespace') return SPACES[kind] ?? TYPE | VALUE | SPACE;
  // One of types alone is no value.
  const hasValue = file.within(index).some((child) => (spacesOf({file, index: child}) & VALUE) !== 0);
  return hasValue ? SPACE | VALUE : SPACE;
}

const SPACES: Readonly<Record<string, number | undefined>> = {
  interface: TYPE,
  type: TYPE,
  struct: TYPE,
  trait: TYPE,
  class: TYPE | VALUE,
  enum: TYPE | VALUE,
  constant: VALUE,
  variable: VALUE,
  function: VALUE,
};
