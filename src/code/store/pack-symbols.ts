import type {SymbolFact} from '../file-facts.ts';
import {SYMBOL_KINDS, type Range, type SymbolKind} from '../symbol.ts';
import {ByteReader} from './byte-reader.ts';
import {ByteWriter} from './byte-writer.ts';

/** The symbols of a file as far as others need them to resolve a name. Each array has one entry for each symbol, in the order of the text. */
export interface SymbolTable {
  readonly names: readonly string[];
  readonly kinds: readonly SymbolKind[];
  /** Index into the same arrays; -1 at the top. */
  readonly parents: Int32Array;
  readonly exported: readonly boolean[];
  readonly typeNames: readonly (string | undefined)[];
  /** Names of types that symbols belong to though they stand outside of them. */
  readonly owners: readonly (string | undefined)[];
}

/** What is shown of a symbol, by its index. */
export interface SymbolDetail {
  readonly range: Range;
  readonly nameRange: Range;
  readonly signature: string;
  readonly doc?: string;
}

export function packTable(symbols: readonly SymbolFact[]): Uint8Array {
  const writer = new ByteWriter();
  for (const symbol of symbols) {
    writer.string(symbol.name);
    writer.number(SYMBOL_KINDS.indexOf(symbol.kind) * 2 + (symbol.exported ? 1 : 0));
    writer.number(symbol.parent + 1);
    writer.optional(symbol.typeName);
    writer.optional(symbol.owner);
  }
  return writer.finish();
}

export function unpackTable(bytes: Uint8Array): SymbolTable {
  const reader = new ByteReader(bytes);
  const [names, kinds, parents]: [string[], SymbolKind[], number[]] = [[], [], []];
  const [exported, typeNames, owners]: [boolean[], (string | undefined)[], (string | undefined)[]] = [[], [], []];
  while (!reader.isDone) {
    names.push(reader.string());
    const packed = reader.number();
    kinds.push(SYMBOL_KINDS[packed >> 1] ?? 'variable');
    exported.push(packed % 2 === 1);
    parents.push(reader.number() - 1);
    typeNames.push(reader.optional());
    owners.push(reader.optional());
  }
  return {names, kinds, parents: Int32Array.from(parents), exported, typeNames, owners};
}

export function packDetails(symbols: readonly SymbolFact[]): Uint8Array {
  const writer = new ByteWriter();
  let line = 0;
  for (const {range, nameRange, signature, doc} of symbols) {
    packRange(writer, range, line);
    packRange(writer, nameRange, range.start.line);
    writer.string(signature);
    writer.optional(doc);
    line = range.start.line;
  }
  return writer.finish();
}

export function unpackDetails(bytes: Uint8Array): SymbolDetail[] {
  const reader = new ByteReader(bytes);
  const details: SymbolDetail[] = [];
  let line = 0;
  while (!reader.isDone) {
    const range = unpackRange(reader, line);
    const nameRange = unpackRange(reader, range.start.line);
    const signature = reader.string();
    const doc = reader.optional();
    details.push({range, nameRange, signature, ...(doc === undefined ? {} : {doc})});
    line = range.start.line;
  }
  return details;
}

/** Lines are kept as distances, from `line` and from the start. */
export function packRange(writer: ByteWriter, {start, end}: Range, line: number): void {
  writer.signed(start.line - line);
  writer.number(start.character);
  writer.number(end.line - start.line);
  writer.number(end.character);
}

export function unpackRange(reader: ByteReader, line: number): Range {
  const start = {line: line + reader.signed(), character: reader.number()};
  return {start, end: {line: start.line + reader.number(), character: reader.number()}};
}
