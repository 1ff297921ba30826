import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import type {FileFacts} from '../../../src/code/file-facts.ts';
import {RELATION_KINDS} from '../../../src/code/relation.ts';
import {packEdges, unpackEdges} from '../../../src/code/store/pack-edges.ts';
import {packLinks, unpackLinks} from '../../../src/code/store/pack-links.ts';
import {packDetails, packTable, unpackDetails, unpackTable} from '../../../src/code/store/pack-symbols.ts';
import {packUses, unpackUses} from '../../../src/code/store/pack-uses.ts';
import {SYMBOL_KINDS} from '../../../src/code/symbol.ts';

const word = fc.string({unit: 'grapheme', maxLength: 12}).filter((text) => !text.includes('\0'));
const optional = fc.option(word, {nil: undefined});
const line = fc.nat({max: 100_000});
const column = fc.nat({max: 5000});
const range = fc
  .tuple(line, column, fc.nat({max: 300}), column)
  .map(([start, from, more, to]) => ({start: {line: start, character: from}, end: {line: start + more, character: to}}));
const index = fc.integer({min: -1, max: 3000});
const without = <T extends object>(value: T): T => Object.fromEntries(Object.entries(value).filter(([, part]) => part !== undefined)) as T;

const symbol = fc
  .record({
    name: word,
    kind: fc.constantFrom(...SYMBOL_KINDS),
    parent: index,
    range,
    nameRange: range,
    signature: word,
    doc: optional,
    exported: fc.boolean(),
    typeName: optional,
    owner: optional,
  })
  .map(without);
const use = fc
  .record({
    kind: fc.constantFrom(...RELATION_KINDS),
    name: word,
    range,
    within: index,
    target: index,
    receiver: optional,
    receiverType: optional,
  })
  .map(without);
const imported = fc
  .record({local: optional, original: word, module: word, range, localRange: fc.option(range, {nil: undefined})})
  .map(without);
const exported = fc.record({name: word, original: word, module: optional, range}).map(without);

describe('facts of a file, packed', () => {
  it('symbols come back as they were', () => {
    fc.assert(
      fc.property(fc.array(symbol), (symbols) => {
        const table = unpackTable(packTable(symbols));
        const details = unpackDetails(packDetails(symbols));
        const back = table.names.map((name, at) =>
          without({
            name,
            kind: table.kinds[at],
            parent: table.parents[at],
            exported: table.exported[at],
            typeName: table.typeNames[at],
            owner: table.owners[at],
            ...details[at],
          }),
        );
        expect(back).toEqual(symbols);
      }),
    );
  });

  it('uses, imports and exports come back as they were; of the uses that build on a type, the links know the base', () => {
    fc.assert(
      fc.property(fc.array(use), fc.array(imported), fc.array(exported), (uses, imports, exports) => {
        expect(unpackUses(packUses(uses as FileFacts['uses']))).toEqual(uses);
        const facts = {language: 'typescript', symbols: [], uses, imports, exports, broken: false} as FileFacts;
        const heritage = facts.uses
          .filter(({kind, within}) => within >= 0 && (kind === 'extends' || kind === 'implements'))
          .map(({within, receiver, name}) => ({symbol: within, base: receiver === undefined ? name : `${receiver}.${name}`}));
        expect(unpackLinks(packLinks(facts))).toEqual({imports, exports, heritage});
      }),
    );
  });

  it('numbers of symbols come back as they were, up to 2^53', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({max: Number.MAX_SAFE_INTEGER})), (targets) => {
        expect([...unpackEdges(packEdges(targets))]).toEqual(targets);
      }),
    );
  });
});
