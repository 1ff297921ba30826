import {spawnSync} from 'node:child_process';
import {readFileSync, readdirSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {factsOf} from '../../../src/code/extract/facts.ts';
import {languageOf} from '../../../src/code/languages/all.ts';
import {isMeant, isSame, tagsOf, type Tag} from './agreement.ts';

const ROOT = join(import.meta.dirname, '../../..');
const SAMPLES = join(import.meta.dirname, '../samples');
const found = spawnSync('ctags', ['--version'], {encoding: 'utf8'}).output?.join('').includes('Universal Ctags') ?? false;
const signal = new AbortController().signal;

/** Of these tags those, nested ones too, that no symbol of ours has by name, kind and line. */
async function missing(
  file: string,
  tags: readonly Tag[],
  wanted: (tag: Tag) => boolean,
): Promise<{readonly count: number; readonly lost: readonly string[]}> {
  const language = languageOf(file) ?? '';
  const {symbols} = await factsOf(language, readFileSync(file, 'utf8'), signal);
  const compared = tags.filter((tag) => isMeant(language, tag) && wanted(tag));
  const lost = compared.filter((tag) => !symbols.some((symbol) => isSame(tag, symbol)));
  return {count: compared.length, lost: lost.map(({kind, name, line}) => `${kind} ${name} ${line}`)};
}

describe.skipIf(!found)(
  'outlines agree with universal-ctags (issue 6, "kinds and lines for ≥ 99 % of top-level symbols"; skipped without it)',
  () => {
    const NAMES = readdirSync(SAMPLES).filter(
      (name) => !['sample.swift', 'sample.scala', 'sample.toml', 'sample.tsx', 'sample.yaml'].includes(name),
    );

    it.each(NAMES)('%s: every symbol of theirs, nested ones too', async (name) => {
      const file = join(SAMPLES, name);
      const top = declaredAtTop(readFileSync(file, 'utf8'));
      const tags = tagsOf([file], languageOf(file) ?? '').get(file) ?? [];
      const {count, lost} = await missing(file, tags, (tag) => !OWN[name]?.includes(tag.name) && (!name.endsWith('.ts') || top(tag)));
      expect(lost).toEqual([]);
      expect(count).toBeGreaterThan(1);
    });

    it('our own sources: at least 99 % of what stands at the top', async () => {
      const files = readdirSync(join(ROOT, 'src'), {recursive: true, encoding: 'utf8'}).filter((file) => file.endsWith('.ts'));
      const chosen = files
        .sort()
        .filter((_, index) => index % 20 === 0)
        .map((file) => join(ROOT, 'src', file));
      const tags = tagsOf(chosen, 'typescript');
      let all = 0;
      const lost: string[] = [];
      for (const file of chosen) {
        const result = await missing(file, tags.get(file) ?? [], declaredAtTop(readFileSync(file, 'utf8')));
        all += result.count;
        lost.push(...result.lost.map((line) => `${file}: ${line}`));
      }
      expect(all).toBeGreaterThan(50);
      expect(lost.length / all <= 0.01 ? [] : lost).toEqual([]);
    });
  },
);

/**
 * Their parser of TypeScript also lists, as if at the top: names in imports, local names, flags of regular expressions (`y`) and parts of
 * numbers (`_000`). Compared is what a line declares that is not indented.
 */
function declaredAtTop(text: string): (tag: Tag) => boolean {
  const lines = text.split('\n');
  const words =
    /^(?:(?:export|declare|default|abstract|async) )*(?:const|let|var|function\*?|class|interface|type|enum|namespace) +([\w$]+)/u;
  return ({name, line}) => words.exec(lines[line - 1] ?? '')?.[1] === name;
}

/** Names in the samples that are theirs alone, by file. */
const OWN: Readonly<Record<string, readonly string[]>> = {
  // `using Money =` is an import, a delegate a type, `IRated` a constraint, `Person` a constructor without words; operators have no name.
  'sample.cs': ['Money', 'Compare', 'IRated', 'Person', 'operator ==', '~Stop'],
  'sample.ex': ['rate'], // Each clause of a function is listed; to us they are one. The callback of that name is compared by the snapshot.
  'sample.go': ['Pair'], // A generic structure is only a type to version 5.9.
  'sample.js': ['path', 'Stop'], // An import; a name in `module.exports`, listed once more.
  'sample.ts': ['config'], // A constant to us; version 5.9 loses its kind over `as const`.
  'sample.php': ['Cost', 'Money', 'Rate', 'charge'], // Imports.
  'sample.py': ['osp'], // An import.
  'sample.rb': ['height='], // The writer of an attribute is the attribute.
  'sample.kt': ['found', 'item', 'mine', 'one', 'size', 'x', 'y'], // Local names.
};
