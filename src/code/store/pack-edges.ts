import {ByteReader} from './byte-reader.ts';
import {ByteWriter} from './byte-writer.ts';

/**
 * What each use, then each import, then each export of a file means: the number of a symbol of the whole index, 0 where it is not known.
 * Most mean one of few symbols: these are kept once.
 */
export function packEdges(targets: ArrayLike<number>): Uint8Array {
  const writer = new ByteWriter();
  const distinct = new Map<number, number>([[0, 0]]);
  for (let at = 0; at < targets.length; at++) {
    const target = targets[at] ?? 0;
    if (!distinct.has(target)) distinct.set(target, distinct.size);
  }
  writer.number(distinct.size);
  for (const target of distinct.keys()) writer.number(target);
  writer.number(targets.length);
  for (let at = 0; at < targets.length; at++) writer.number(distinct.get(targets[at] ?? 0) ?? 0);
  return writer.finish();
}

export function unpackEdges(bytes: Uint8Array): Float64Array {
  const reader = new ByteReader(bytes);
  const distinct = Float64Array.from({length: reader.number()}, () => reader.number());
  return Float64Array.from({length: reader.number()}, () => distinct[reader.number()] ?? 0);
}
