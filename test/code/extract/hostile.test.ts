import {readFileSync, readdirSync} from 'node:fs';
import {join} from 'node:path';
import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {factsOf} from '../../../src/code/extract/facts.ts';
import {LONGEST_TEXT} from '../../../src/code/extract/parse-text.ts';
import type {FileFacts} from '../../../src/code/file-facts.ts';
import {LANGUAGES, languageOf} from '../../../src/code/languages/all.ts';
import type {Position, Range} from '../../../src/code/symbol.ts';
import {casesOf} from '../../support/thorough.ts';

const SAMPLES = join(import.meta.dirname, '../samples');
const signal = new AbortController().signal;
const TEXTS = readdirSync(SAMPLES).map((file) => ({
  language: languageOf(file) ?? '',
  text: readFileSync(join(SAMPLES, file), 'utf8'),
}));

describe('facts of any text (issue 6, "keeps the last good parse while a file is broken": nothing that a file holds is an error)', () => {
  it('come from cut, mixed and doubled samples, with ranges inside the text, in order, within their parents', async () => {
    const place = fc.double({min: 0, max: 1, noNaN: true});
    const sample = fc.constantFrom(...TEXTS);
    await fc.assert(
      fc.asyncProperty(sample, sample, fc.tuple(place, place, place), fc.string(), async (one, other, [a, b, c], junk) => {
        const cut = one.text.slice(0, Math.floor(a * one.text.length));
        const middle = other.text.slice(Math.floor(b * other.text.length), Math.floor(b * other.text.length) + 200);
        const text = cut + junk + middle + one.text.slice(Math.floor(c * one.text.length));
        expect(faults(await factsOf(one.language, text, signal), text)).toEqual([]);
      }),
      {numRuns: casesOf(60)},
    );
  });

  it('come from any string in any language', async () => {
    const language = fc.constantFrom(...LANGUAGES.map(({name}) => name));
    const text = fc.oneof(
      fc.string({unit: 'binary', maxLength: 300}),
      fc.string({maxLength: 300}),
      fc.constantFrom('', '\0\0\0', '\uD800', '\uFEFF{}'),
    );
    await fc.assert(
      fc.asyncProperty(language, text, async (name, given) => {
        expect(faults(await factsOf(name, given, signal), given)).toEqual([]);
      }),
      {numRuns: casesOf(100)},
    );
  });

  const HOSTILE: Readonly<Record<string, string>> = {
    'one line of 1 MB': `const a = [${'1,'.repeat(500_000)}];`,
    'brackets nested 100,000 deep': '['.repeat(100_000),
    'calls nested 20,000 deep': `${'f('.repeat(20_000)}${')'.repeat(20_000)}`,
    'members chained 50,000 times': `const a = b${'.c'.repeat(50_000)};`,
    'a minified bundle': `!function(){${'var a=function(b){return b.c(1)};'.repeat(10_000)}}();`,
    'NUL and lone surrogates': `const a = '\0\uD800'; function b() {}\uDFFF`,
    'one name declared 20,000 times': 'var a = 1;\n'.repeat(20_000),
  };

  it.each(Object.keys(HOSTILE))(
    'come from %s',
    async (name) => {
      const text = HOSTILE[name] ?? '';
      expect(faults(await factsOf('javascript', text, signal), text)).toEqual([]);
    },
    30_000,
  );

  it('are none for a text beyond the limit, and the text counts as broken', async () => {
    const facts = await factsOf('javascript', ' '.repeat(LONGEST_TEXT + 1), signal);
    expect(facts).toEqual({language: 'javascript', symbols: [], imports: [], exports: [], uses: [], broken: true});
  });

  it('tell what could be read of a broken text', async () => {
    const facts = await factsOf('typescript', 'export function good() {}\nconst = = ;\nclass Late {}\n', signal);
    expect([facts.broken, facts.symbols.map(({kind, name}) => `${kind} ${name}`)]).toEqual([true, ['function good', 'class Late']]);
  });

  it('stop when asked', async () => {
    await expect(factsOf('python', 'a = 1', AbortSignal.abort())).rejects.toThrow('aborted');
  });
});

/** What is wrong with the form of facts. */
function faults({symbols, imports, exports, uses}: FileFacts, text: string): string[] {
  const lines = text.split('\n').map((line) => line.length);
  const inside = ({line, character}: Position): boolean =>
    line >= 0 && line < lines.length && character >= 0 && character <= (lines[line] ?? 0);
  const wrong = (range: Range): boolean => !inside(range.start) || !inside(range.end) || before(range.end, range.start);
  const found: string[] = [];
  for (const [index, symbol] of symbols.entries()) {
    const parent = symbols[symbol.parent];
    if (wrong(symbol.range) || wrong(symbol.nameRange)) found.push(`range of symbol ${symbol.name}`);
    if (before(symbol.nameRange.start, symbol.range.start) || before(symbol.range.end, symbol.nameRange.end))
      found.push(`name of ${symbol.name}`);
    if (symbol.parent >= index) found.push(`parent of ${symbol.name} comes later`);
    if (parent !== undefined && (before(symbol.range.start, parent.range.start) || before(parent.range.end, symbol.range.end)))
      found.push(`${symbol.name} is outside of ${parent.name}`);
  }
  for (const fact of [...imports, ...exports, ...uses]) if (wrong(fact.range)) found.push(`range of ${JSON.stringify(fact)}`);
  for (const use of uses) if (use.target >= symbols.length || use.within >= symbols.length) found.push(`number in ${JSON.stringify(use)}`);
  return found;
}

function before(a: Position, b: Position): boolean {
  return a.line < b.line || (a.line === b.line && a.character < b.character);
}
