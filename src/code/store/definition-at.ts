import type {Definition} from '../code-graph.ts';
import {KEY} from '../file-facts.ts';
import type {CodeSymbol, Position, Range} from '../symbol.ts';
import {codeSymbol, placeOfNumber} from './code-symbol.ts';
import type {FactsReader, StoredFile} from './facts-reader.ts';
import {relationsOf} from './relations-of.ts';
import {declarationsOf, isTypeUse, type Place} from './symbol-edges.ts';
import {fileOf, isModuleNumber} from './symbol-number.ts';

/**
 * What the name at this place means: the symbol that it declares or that its use means, with all its declarations, or, where it is imported, a module from its beginning.
 * Undefined where no symbol or use is there.
 */
export function definitionsAt(reader: FactsReader, file: StoredFile, at: Position): readonly Definition[] | undefined {
  const own = file.details.findIndex(({nameRange}) => holds(nameRange, at));
  const relations = [...relationsOf(file)].filter(({range}) => holds(range, at));
  // What the index cannot tell the text itself may: a member of a literal without a name of its own.
  if (own < 0 && relations.every(({target}) => target === 0)) return isOutside(file, at) ? [] : undefined;
  // A key is declared where its type is. One word may be two names: `{port}` is a member and the variable it is taken from.
  const isKey = relations.some((relation) => relation.isKey === true);
  const meant = relations.flatMap(({target}) => placeOfNumber(reader, target) ?? []);
  const isType = relations.some((relation) => isTypeUse(file, relation));
  const fits = ({file: {table}, index}: Place): boolean =>
    relations.length === 0 ? index === own : isType !== VALUES.has(table.kinds[index] ?? '');
  const symbols = [...(own < 0 || isKey ? [] : [{file, index: own}]), ...meant]
    .flatMap(declarationsOf)
    .toSorted((a, b) => Number(fits(b)) - Number(fits(a)))
    .map((place) => codeSymbol(place.file, place.index));
  const distinct = symbols.filter(({id}, index) => symbols.findIndex((other) => other.id === id) === index);
  const modules = relations.flatMap(({kind, target}) =>
    kind === 'import' && isModuleNumber(target) ? (reader.get(fileOf(target)) ?? []) : [],
  );
  return [
    ...distinct.map((symbol) => ({path: symbol.path, range: rangeOf(symbol), symbol})),
    ...modules.map(({path}) => ({path, range: BEGINNING})),
  ];
}

const VALUES: ReadonlySet<string> = new Set(['constant', 'variable', 'function']);

/** What has no name but `default` is declared by its whole statement. */
function rangeOf({name, range, nameRange}: CodeSymbol): Range {
  return name === 'default' ? {start: range.start, end: nameRange.end} : nameRange;
}

/** The key of an object or a pattern whose type is of another package: it is declared there, not here. */
function isOutside(file: StoredFile, at: Position): boolean {
  const key = file.uses.find(({receiver, range}) => receiver === KEY && holds(range, at));
  const head = /^(?:typeof \((?=[^)]*\)\.constructor\^))?([\w$]+)/u.exec(key?.receiverType ?? '')?.[1];
  if (head === undefined || head === 'typeof' || key?.receiverType?.includes('<') === true) return false;
  const from = file.links.imports.findIndex(({local}) => local === head);
  if (from >= 0) return file.edges[file.uses.length + from] === 0;
  return !file.table.names.includes(head);
}

const BEGINNING = {start: {line: 0, character: 0}, end: {line: 0, character: 0}};

function holds({start, end}: Range, {line, character}: Position): boolean {
  const isAfter = line > start.line || (line === start.line && character >= start.character);
  return isAfter && (line < end.line || (line === end.line && character <= end.character));
}
