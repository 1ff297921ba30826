import type {ExportFact, FileFacts, ImportFact, UseFact} from '../file-facts.ts';
import {ByteReader} from './byte-reader.ts';
import {ByteWriter} from './byte-writer.ts';
import {packRange, unpackRange} from './pack-symbols.ts';

/** How a file hangs together with others: what is needed of it when a name of another file is looked for in it. */
export interface FileLinks {
  readonly imports: readonly ImportFact[];
  readonly exports: readonly ExportFact[];
  readonly heritage: readonly Heritage[];
}

/** A type that another one is built upon. */
export interface Heritage {
  /** Index of the symbol that extends or implements. */
  readonly symbol: number;
  /** With what stands before it: `ns.Base`. */
  readonly base: string;
}

export function packLinks({imports, exports, uses}: FileFacts): Uint8Array {
  const writer = new ByteWriter();
  writer.number(imports.length);
  for (const {local, original, module, range, localRange} of imports) {
    writer.optional(local);
    writer.string(original);
    writer.string(module);
    packRange(writer, range, 0);
    writer.number(localRange === undefined ? 0 : 1);
    if (localRange !== undefined) packRange(writer, localRange, range.start.line);
  }
  writer.number(exports.length);
  for (const {name, original, module, range, aliasRange} of exports) {
    writer.string(name);
    writer.string(original);
    writer.optional(module);
    packRange(writer, range, 0);
    writer.number(aliasRange === undefined ? 0 : 1);
    if (aliasRange !== undefined) packRange(writer, aliasRange, range.start.line);
  }
  for (const {within, name, receiver} of uses.filter(isHeritage)) {
    writer.number(within);
    writer.string(receiver === undefined ? name : `${receiver}.${name}`);
  }
  return writer.finish();
}

export function isHeritage({kind, within}: UseFact): boolean {
  return (kind === 'extends' || kind === 'implements') && within >= 0;
}

export function unpackLinks(bytes: Uint8Array): FileLinks {
  const reader = new ByteReader(bytes);
  const imports = Array.from({length: reader.number()}, (): ImportFact => {
    const local = reader.optional();
    const rest = {original: reader.string(), module: reader.string(), range: unpackRange(reader, 0)};
    const localRange = reader.number() === 1 ? unpackRange(reader, rest.range.start.line) : undefined;
    return {...(local === undefined ? {} : {local}), ...rest, ...(localRange === undefined ? {} : {localRange})};
  });
  const exports = Array.from({length: reader.number()}, (): ExportFact => {
    const names = {name: reader.string(), original: reader.string()};
    const module = reader.optional();
    const range = unpackRange(reader, 0);
    const aliasRange = reader.number() === 1 ? unpackRange(reader, range.start.line) : undefined;
    return {...names, ...(module === undefined ? {} : {module}), range, ...(aliasRange === undefined ? {} : {aliasRange})};
  });
  const heritage: Heritage[] = [];
  while (!reader.isDone) heritage.push({symbol: reader.number(), base: reader.string()});
  return {imports, exports, heritage};
}
