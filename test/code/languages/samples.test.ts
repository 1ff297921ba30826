import {readFileSync, readdirSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {factsOf} from '../../../src/code/extract/facts.ts';
import type {FileFacts} from '../../../src/code/file-facts.ts';
import {LANGUAGES, languageNamed, languageOf} from '../../../src/code/languages/all.ts';
import type {Range} from '../../../src/code/symbol.ts';

const SAMPLES = join(import.meta.dirname, '../samples');
const signal = new AbortController().signal;
const FILES = readdirSync(SAMPLES);

describe('the facts of a sample of each language (issue 6, "Symbols with kind, qualified name, signature, doc comment, range, parent")', () => {
  it.each(FILES)('%s', async (file) => {
    const facts = await factsOf(languageOf(file) ?? '', readFileSync(join(SAMPLES, file), 'utf8'), signal);
    await expect(written(facts)).toMatchFileSnapshot(`facts/${file}.txt`);
  });

  it('has a sample for every language', () => {
    expect([...new Set(FILES.map((file) => languageOf(file) ?? ''))].sort((a, b) => a.localeCompare(b))).toEqual(
      LANGUAGES.map(({name}) => name).sort((a, b) => a.localeCompare(b)),
    );
  });
});

describe('languages by the name of a file', () => {
  it('goes by whole names, then by extensions, whatever their case', () => {
    const names = ['a/b.ts', 'b.d.cts', 'x.JSX', 'Rakefile', 'a.b/c', '.bashrc', 'm.hpp', 'Cargo.lock', 'none.xyz', ''];
    expect(names.map((name) => languageOf(name))).toEqual([
      'typescript',
      'typescript',
      'javascript',
      'ruby',
      undefined,
      'bash',
      'cpp',
      'toml',
      undefined,
      undefined,
    ]);
  });

  it('says which languages there are when asked for another', () => {
    expect(() => languageNamed('cobol')).toThrow(
      expect.objectContaining({code: 'BAD_ARGS', hint: expect.stringContaining('typescript, tsx')}),
    );
  });
});

/** One line for each fact, nothing left out. */
function written({broken, symbols, imports, exports, uses}: FileFacts): string {
  const lines = [
    `broken: ${broken}`,
    ...symbols.map(({kind, name, parent, range, nameRange, ...rest}, index) =>
      line(`symbol ${index}`, `${kind} ${name} in ${parent} ${place(range)} name ${place(nameRange)}`, rest),
    ),
    ...imports.map(({range, localRange, ...rest}) =>
      line('import', localRange === undefined ? place(range) : `${place(range)} as ${place(localRange)}`, rest),
    ),
    ...exports.map(({range, ...rest}) => line('export', place(range), rest)),
    ...uses.map(({kind, name, range, ...rest}) => line('use', `${kind} ${name} ${place(range)}`, rest)),
  ];
  return `${lines.join('\n')}\n`;
}

function line(what: string, where: string, rest: object): string {
  const words = Object.entries(rest).flatMap(([key, value]) => (value === undefined ? [] : `${key}=${JSON.stringify(value)}`));
  return [what, where, ...words].join(' ');
}

/** Lines from 1, as editors show them. */
function place({start, end}: Range): string {
  const from = `${start.line + 1}:${start.character}`;
  return end.line === start.line ? `${from}-${end.character}` : `${from}-${end.line + 1}:${end.character}`;
}
