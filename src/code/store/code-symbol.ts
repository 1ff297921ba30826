import type {CodeSymbol} from '../symbol.ts';
import type {FactsReader, StoredFile} from './facts-reader.ts';
import {fileOf, inFileOf} from './symbol-number.ts';

/** A symbol of a file as others see it. */
export function codeSymbol(file: StoredFile, index: number): CodeSymbol {
  const {table, details, qualified, keys, path} = file;
  const detail = details[index] ?? {range: NOWHERE, nameRange: NOWHERE, signature: ''};
  const parent = table.parents[index] ?? -1;
  return {
    id: `${path}::${keys[index] ?? ''}`,
    name: table.names[index] ?? '',
    qualifiedName: qualified[index] ?? '',
    kind: table.kinds[index] ?? 'variable',
    path,
    range: detail.range,
    nameRange: detail.nameRange,
    ...(parent < 0 ? {} : {parentId: `${path}::${keys[parent] ?? ''}`}),
    signature: detail.signature,
    ...(detail.doc === undefined ? {} : {doc: detail.doc}),
    exported: table.exported[index] === true,
  };
}

/** Where a symbol is by its id (`path::qualified#kind~2`); undefined where there is none. */
export function placeOfId(reader: FactsReader, id: string): {file: StoredFile; index: number} | undefined {
  for (let at = id.indexOf('::'); at >= 0; at = id.indexOf('::', at + 1)) {
    const file = reader.at(id.slice(0, at));
    const index = file?.keys.indexOf(id.slice(at + 2)) ?? -1;
    if (file !== undefined && index >= 0) return {file, index};
  }
  return undefined;
}

/** Where a symbol is by its number; undefined where it is gone. */
export function placeOfNumber(reader: FactsReader, number: number): {file: StoredFile; index: number} | undefined {
  const file = number === 0 ? undefined : reader.get(fileOf(number));
  const index = file?.indexOf(inFileOf(number)) ?? -1;
  return file === undefined || index < 0 ? undefined : {file, index};
}

const NOWHERE = {start: {line: 0, character: 0}, end: {line: 0, character: 0}};
