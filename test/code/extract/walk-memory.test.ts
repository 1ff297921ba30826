import {readFileSync, readdirSync} from 'node:fs';
import {join} from 'node:path';
import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {chooseWalk, PROBE} from '../../../src/code/extract/choose-walk.ts';
import type {Columns} from '../../../src/code/extract/columns.ts';
import {openEngine, readGrammar, type Engine} from '../../../src/code/extract/engine.ts';
import {walkCursor, type Walk} from '../../../src/code/extract/walk-cursor.ts';
import {walkMemory} from '../../../src/code/extract/walk-memory.ts';
import {languageNamed, LANGUAGES, languageOf} from '../../../src/code/languages/all.ts';
import {casesOf} from '../../support/thorough.ts';

const SAMPLES = join(import.meta.dirname, '../samples');
const grammarOf = (file: string): string => languageNamed(languageOf(file) ?? '').grammar;
const TEXTS = readdirSync(SAMPLES).map((file) => ({grammar: grammarOf(file), text: readFileSync(join(SAMPLES, file), 'utf8')}));

interface Both {
  readonly read: Columns;
  readonly told: Columns;
}

/** What both walks see of a text. */
async function bothOf(grammar: string): Promise<(text: string) => Both> {
  const {module, calls} = await openEngine();
  const language = await module.Language.load(await readGrammar(grammar));
  const parser = new module.Parser();
  parser.setLanguage(language);
  const named = Uint8Array.from(language.types, (_, id) => (language.nodeTypeIsNamed(id) ? 1 : 0));
  return (text) => {
    const tree = parser.parse((at) => text.slice(at, at + 5000));
    if (tree === null) throw new Error('No tree.');
    const walk: Walk<Engine['calls']> = {tree, calls, named};
    const both = {read: walkMemory(walk), told: walkCursor(walk)};
    tree.delete();
    return both;
  };
}

const walks = new Map<string, Promise<(text: string) => Both>>();

async function compare(grammar: string, text: string): Promise<Both> {
  const known = walks.get(grammar) ?? bothOf(grammar);
  walks.set(grammar, known);
  return (await known)(text);
}

/** Whole columns; only where they differ are they looked at one by one, which takes long. */
function expectAlike({read, told}: Both): void {
  if (!bytesOf(read).equals(bytesOf(told))) expect(read).toEqual(told);
  expect(read.count).toBe(told.count);
}

function bytesOf({type, field, start, end, parent, after}: Columns): Buffer {
  return Buffer.concat(
    [type, field, start, end, parent, after].map(({buffer, byteOffset, byteLength}) => Buffer.from(buffer, byteOffset, byteLength)),
  );
}

describe('the nodes of a text, read out of the memory of the engine (design 8: first build ≤ 3 × ctags)', () => {
  it('are those that the cursor of the engine tells: of every sample, and of what each grammar is probed with', async () => {
    for (const {grammar, text} of TEXTS) {
      const both = await compare(grammar, text);
      expect(both.told.count).toBeGreaterThan(20);
      expectAlike(both);
      expectAlike(await compare(grammar, PROBE));
    }
    expect(new Set(TEXTS.map(({grammar}) => grammar))).toEqual(new Set(LANGUAGES.map(({grammar}) => grammar)));
  });

  it('are so of cut and mixed texts, of long and of deep ones', async () => {
    const place = fc.double({min: 0, max: 1, noNaN: true});
    const sample = fc.constantFrom(...TEXTS);
    await fc.assert(
      fc.asyncProperty(sample, sample, fc.tuple(place, place, place), fc.string({unit: 'binary'}), async (one, other, [a, b, c], junk) => {
        const middle = other.text.slice(Math.floor(b * other.text.length), Math.floor(b * other.text.length) + 300);
        const text = one.text.slice(0, Math.floor(a * one.text.length)) + junk + middle + one.text.slice(Math.floor(c * one.text.length));
        expectAlike(await compare(one.grammar, text));
      }),
      {numRuns: casesOf(100)},
    );
    for (const text of ['('.repeat(3000), `x = ${'[{a: '.repeat(500)}1`, 'const a = {b: c.d("é")};\n'.repeat(4000), '']) {
      expectAlike(await compare('typescript', text));
    }
  });
});

describe('chooseWalk', () => {
  const rows: Columns = {
    count: 1,
    type: Uint16Array.of(1),
    field: Uint8Array.of(0),
    start: Int32Array.of(0),
    end: Int32Array.of(9),
    parent: Int32Array.of(-1),
    after: Int32Array.of(1),
  };
  const chosen = (read: Columns | undefined): unknown => chooseWalk((walk) => (walk === walkMemory ? read : rows));

  it('reads memory only where that gives what the engine says', () => {
    expect(chosen({...rows})).toBe(walkMemory);
    expect(chosen({...rows, end: Int32Array.of(8)})).toBe(walkCursor);
    expect(chosen({...rows, field: Uint8Array.of(2)})).toBe(walkCursor);
    expect(chosen({...rows, count: 0})).toBe(walkCursor);
    expect(chosen(undefined)).toBe(walkCursor);
  });
});
