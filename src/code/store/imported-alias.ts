import type {ImportFact} from '../file-facts.ts';
import type {Relation} from '../relation.ts';
import type {Position, Range} from '../symbol.ts';
import type {Place} from './declarations.ts';
import {holds} from './definition-at.ts';
import type {FactsReader, StoredFile} from './facts-reader.ts';
import {familyOf} from './symbol-edges.ts';

/** Which of the places of a symbol are references of the name by which a file imports it: those that fit. */
export type OfName = 'all' | ((place: Relation) => boolean);

/**
 * For a name that its file imports: a name that is given there is that file's alone, and one that is given on the way there is that of those who
 * import it by that name; for any other these are all places of the symbol (TypeScript language service › find all references: "If the import
 * has a different name than the export, do not continue searching"). Undefined for a name that is not imported.
 */
export function importedAlias(
  reader: FactsReader,
  {file, at}: {readonly file: StoredFile; readonly at: Position},
  meant: Place,
): OfName | undefined {
  if (familyOf(file.language) !== 'typescript') return undefined;
  const fact = importAt(file, at);
  const local = fact?.local;
  if (fact === undefined || local === undefined || fact.original === '*' || fact.original === '=') return undefined;
  if (fact.original === 'default') return ofDefault({file, fact, local}, meant);
  if (fact.original !== local) return (place) => isIn(file, place) && isNamed(file, place, local);
  if (meant.file.table.names[meant.index] === local) return 'all';
  return (place) => {
    const other = reader.at(place.path);
    return other !== undefined && isNamed(other, place, local) && handsOn(other, local);
  };
}

interface Imported {
  readonly file: StoredFile;
  readonly fact: ImportFact;
  readonly local: string;
}

/** What is exported without a name has every name; where a statement of its own exports a name, that name goes no further. */
function ofDefault({file, local}: Imported, meant: Place): OfName {
  const name = meant.file.table.names[meant.index] ?? '';
  const exported = meant.file.links.exports.find((fact) => fact.name === 'default' && fact.module === undefined && fact.original === name);
  if (name === 'default' || exported === undefined) return 'all';
  if (name !== local) return (place) => isIn(file, place) && isNamed(file, place, local);
  const isDeclared = isSame(exported.range, meant.file.details[meant.index]?.nameRange);
  return isDeclared ? 'all' : (place) => !isIn(meant.file, place);
}

/** The import that brings the name at a place. */
function importAt({uses, links: {imports, exports}}: StoredFile, at: Position): ImportFact | undefined {
  const own = imports.find(({range, localRange}) => holds(localRange ?? range, at));
  if (own !== undefined) return own;
  const use = uses.find(({receiver, target, range}) => receiver === undefined && target < 0 && holds(range, at));
  const name = use?.name ?? exports.find(({module, range}) => module === undefined && holds(range, at))?.original;
  return name === undefined ? undefined : imports.find(({local}) => local === name);
}

/** One file gives the default of another a name, and that name to others: who imports the default from there has it not from it. */
function handsOn({links: {imports, exports}}: StoredFile, local: string): boolean {
  const isDefault = imports.some((fact) => fact.local === local && fact.original === 'default');
  return !isDefault || exports.some(({original, module}) => original === local && module === undefined);
}

function isNamed({links: {imports}}: StoredFile, {kind, targetName, range}: Relation, name: string): boolean {
  const isDefault = kind === 'import' && targetName === 'default';
  return name === (isDefault ? imports.find((fact) => isSame(fact.range, range))?.local : targetName);
}

function isIn({path}: StoredFile, place: Relation): boolean {
  return place.path === path;
}

function isSame({start}: Range, other: Range | undefined): boolean {
  return start.line === other?.start.line && start.character === other.start.character;
}
