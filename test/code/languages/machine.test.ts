import {spawnSync} from 'node:child_process';
import {globSync, readFileSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {factsOf} from '../../../src/code/extract/facts.ts';
import {compare, linesOfText, tagsOf} from './agreement.ts';

const ROOT = join(import.meta.dirname, '../../..');
const SEED = 1;
const FILES = 40;
const LONGEST = 40_000;
const found = spawnSync('ctags', ['--version'], {encoding: 'utf8'}).output?.join('').includes('Universal Ctags') ?? false;
const signal = new AbortController().signal;

/** Folders with code of other people, where a machine has them: the libraries of languages, and what we depend on. */
const PLACES: readonly (readonly [language: string, ...patterns: readonly string[]])[] = [
  ['python', '/usr/lib/python3*/*.py', '/usr/lib/python3*/{asyncio,email,json,logging,unittest}/*.py', '/usr/local/lib/python3*/*.py'],
  ['c', '/usr/include/*.h', '/usr/include/{linux,bits,sys}/*.h', '/usr/include/*-linux-gnu/{bits,sys}/*.h'],
  ['cpp', '/usr/include/c++/*/{bits,ext,debug}/*.h', '/usr/include/c++/*/{bits,ext,debug}/*.hpp'],
  ['javascript', `${ROOT}/node_modules/*/{,lib/,src/}*.js`, `${ROOT}/node_modules/*/{,lib/,src/}*.mjs`],
  ['typescript', `${ROOT}/node_modules/*/{src,source}/*.ts`, `${ROOT}/node_modules/*/*.d.ts`],
  ['json', `${ROOT}/node_modules/*/package.json`],
  ['markdown', `${ROOT}/node_modules/*/README.md`],
  ['rust', '/usr/src/rustc*/library/*/src/*.rs', '/usr/local/rustup/toolchains/*/lib/rustlib/src/rust/library/*/src/*.rs'],
  ['go', '/usr/lib/go*/src/*/*.go', '/usr/local/go/src/*/*.go'],
  ['ruby', '/usr/lib/ruby/3*/*.rb', '/usr/lib/ruby/3*/*/*.rb'],
  ['php', '/usr/share/php/*/*/*.php'],
  ['lua', '/usr/share/lua/5*/*.lua', '/usr/share/lua/5*/*/*.lua'],
  [
    'bash',
    '/usr/share/bash-completion/*.sh',
    '/usr/lib/git-core/*.sh',
    '/usr/share/{autoconf,git-core,doc}/**/*.sh',
    '/etc/profile.d/*.sh',
  ],
];

/**
 * Shares that may be missing where that is more than 1 %: the headers of the system and of the compiler are full of macros, such as `#define`
 * within an enumeration. Code of other projects is within 1 %.
 */
const HARDEST: Readonly<Record<string, number>> = {c: 0.02, cpp: 0.04};

/** Some files of a list, the same ones for the same list. */
function sampleOf(files: readonly string[]): string[] {
  let state = SEED;
  const next = (): number => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0);
  const keyed = files.map((file) => ({file, key: next()}));
  return keyed
    .sort((a, b) => a.key - b.key)
    .slice(0, FILES)
    .map(({file}) => file);
}

function filesOf(patterns: readonly string[]): string[] {
  const all = patterns.flatMap((pattern) => globSync(pattern)).sort();
  return sampleOf([...new Set(all)].filter((file) => statSync(file).isFile() && statSync(file).size < LONGEST));
}

describe.skipIf(!found)(
  `outlines of code that we have not written agree with universal-ctags (issue 6, "≥ 99 % of top-level symbols"; skipped without it; ${FILES} files each, seed ${SEED})`,
  () => {
    for (const [language, ...patterns] of PLACES) {
      const files = filesOf(patterns);
      const missing = files.length < 5 ? ': skipped: this machine has no folder of such code' : '';
      it.skipIf(missing !== '')(`${language}${missing}`, async () => {
        const {count, lost} = await compared(language, files);
        expect(lost.length / count <= (HARDEST[language] ?? 0.01) ? [] : lost).toEqual([]);
        expect(count).toBeGreaterThan(files.length);
      });
    }
  },
);

async function compared(language: string, files: readonly string[]): Promise<{readonly count: number; readonly lost: readonly string[]}> {
  const tags = tagsOf(files, language);
  const lost: string[] = [];
  let count = 0;
  for (const file of files) {
    const text = readFileSync(file, 'utf8');
    // Headers of C++ have the name of those of C: what they are is told by their text.
    const {symbols} = await factsOf(language === 'cpp' && file.endsWith('.h') ? 'c' : language, text, signal);
    const result = compare({language, text, tags: tags.get(file) ?? [], symbols, texts: await linesOfText(language, text)});
    count += result.count;
    lost.push(...result.lost.map((line) => `${file}: ${line}`));
  }
  return {count, lost};
}
