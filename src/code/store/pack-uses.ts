import type {UseFact} from '../file-facts.ts';
import {RELATION_KINDS} from '../relation.ts';
import {ByteReader} from './byte-reader.ts';
import {ByteWriter} from './byte-writer.ts';
import {packRange, unpackRange} from './pack-symbols.ts';

export function packUses(uses: readonly UseFact[]): Uint8Array {
  const writer = new ByteWriter();
  let line = 0;
  for (const use of uses) {
    writer.number(RELATION_KINDS.indexOf(use.kind));
    writer.string(use.name);
    packRange(writer, use.range, line);
    writer.number(use.within + 1);
    writer.number(use.target + 1);
    writer.optional(use.receiver);
    writer.optional(use.receiverType);
    line = use.range.start.line;
  }
  return writer.finish();
}

export function unpackUses(bytes: Uint8Array): UseFact[] {
  const reader = new ByteReader(bytes);
  const uses: UseFact[] = [];
  let line = 0;
  while (!reader.isDone) {
    const kind = RELATION_KINDS[reader.number()] ?? 'reference';
    const name = reader.string();
    const range = unpackRange(reader, line);
    const within = reader.number() - 1;
    const target = reader.number() - 1;
    const receiver = reader.optional();
    uses.push({kind, name, range, within, target, receiver, receiverType: reader.optional()});
    line = range.start.line;
  }
  return uses;
}
