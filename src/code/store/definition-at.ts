import type {Definition} from '../code-graph.ts';
import type {Position, Range} from '../symbol.ts';
import {codeSymbol, placeOfNumber} from './code-symbol.ts';
import type {FactsReader, StoredFile} from './facts-reader.ts';
import {relationsOf} from './relations-of.ts';
import {declarationsOf} from './symbol-edges.ts';
import {fileOf, isModuleNumber} from './symbol-number.ts';

/**
 * What the name at this place means: the symbol that it declares or that its use means, with all its declarations, or, where it is imported, a module from its beginning.
 * Undefined where no symbol or use is there.
 */
export function definitionsAt(reader: FactsReader, file: StoredFile, at: Position): readonly Definition[] | undefined {
  const own = file.details.findIndex(({nameRange}) => holds(nameRange, at));
  const relations = [...relationsOf(file)].filter(({range}) => holds(range, at));
  if (own < 0 && relations.length === 0) return undefined;
  // One word may be two names: `{port}` is a member and the variable it is taken from.
  const meant = relations.flatMap(({target}) => placeOfNumber(reader, target) ?? []);
  const symbols = [...(own < 0 ? [] : [{file, index: own}]), ...meant]
    .flatMap(declarationsOf)
    .map((place) => codeSymbol(place.file, place.index));
  const distinct = symbols.filter(({id}, index) => symbols.findIndex((other) => other.id === id) === index);
  const modules = relations.flatMap(({kind, target}) =>
    kind === 'import' && isModuleNumber(target) ? (reader.get(fileOf(target)) ?? []) : [],
  );
  return [
    ...distinct.map((symbol) => ({path: symbol.path, range: symbol.nameRange, symbol})),
    ...modules.map(({path}) => ({path, range: BEGINNING})),
  ];
}

const BEGINNING = {start: {line: 0, character: 0}, end: {line: 0, character: 0}};

function holds({start, end}: Range, {line, character}: Position): boolean {
  const isAfter = line > start.line || (line === start.line && character >= start.character);
  return isAfter && (line < end.line || (line === end.line && character <= end.character));
}
