import type {Place} from './declarations.ts';
import type {StoredFile} from './facts-reader.ts';
import type {StoredRelation} from './relations-of.ts';

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
    fits: (relation, file) => isOfAll(relation) || (spaces & (isTypeUse(file, relation) ? TYPE : VALUE | SPACE)) !== 0,
  };
}

/** Whether a name stands for all that share it: where it is imported, exported, or linked to. */
export function isOfAll({kind, isLink}: StoredRelation): boolean {
  return kind === 'import' || kind === 'export' || isLink === true;
}

/** Whether a declaration can be what a name stands for that is used as a type, or as anything else. */
export function isDeclaredFor(place: Place, isType: boolean): boolean {
  return (spacesOf(place) & (isType ? TYPE : VALUE | SPACE)) !== 0;
}

/** Whether a name is used as a type, not as a value: in TypeScript one name may be both. */
export function isTypeUse({table}: StoredFile, {kind, within}: StoredRelation): boolean {
  return kind === 'uses_type' || kind === 'implements' || (kind === 'extends' && table.kinds[within] === 'interface');
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
