import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {decide} from '../../src/policy/evaluate/evaluate.ts';
import type {Rule} from '../../src/policy/decision.ts';
import {readLine} from '../../src/policy/shell/shell-line.ts';
import type {ShellWord} from '../../src/policy/shell/shell-word.ts';
import {scratch} from '../support/scratch.ts';
import {watchBash, type Observed} from './bash-oracle.ts';
import {seededRandom, type Random} from './random.ts';
import {mutated} from './mutated-line.ts';
import {randomLine} from './random-line.ts';

/** What bash 5.2 really started and wrote, against what the policy saw in the same line. `FETTLE_FUZZ_SEED` repeats a run. */
const SEED = Number(process.env['FETTLE_FUZZ_SEED'] ?? process.env['FETTLE_SEED']);
const COUNT = Number(process.env['FETTLE_FUZZ_LINES'] ?? 20_000);
const BATCH = 1000;

const {cases} = JSON.parse(readFileSync(new URL('../cases/attacks.json', import.meta.url), 'utf8')) as {
  cases: readonly {readonly kind: string; readonly input: {readonly command?: string}}[];
};
const CORPUS = cases.flatMap(({kind, input}) =>
  kind === 'shell-permission' && (input.command ?? '').length < 300 ? [input.command ?? ''] : [],
);

const RULES: readonly Rule[] = [
  ...['p1', 'p2', 'p3', 'p4', 'w1', 'w2', 'echo', 'true', 'test', 'env', 'bash', 'find', 'xargs'].map((name): Rule => ({
    text: `bash:${name} *`,
    effect: 'allow',
    source: 'fuzz',
  })),
  ...['d1', 'dw'].map((name): Rule => ({text: `bash:${name} *`, effect: 'deny', source: 'fuzz'})),
];

describe('the shell parser against bash 5.2', () => {
  it(`predicts every program and every file of ${COUNT} random lines, or asks (seed ${SEED})`, {timeout: 600_000}, async () => {
    console.log(`FETTLE_FUZZ_SEED=${SEED} FETTLE_FUZZ_LINES=${COUNT}`);
    const batches = Array.from({length: Math.ceil(COUNT / BATCH)}, (_, index) => index);
    const misses: string[] = [];
    let [understood, started] = [0, 0];
    const worker = async (): Promise<void> => {
      for (let index = batches.shift(); index !== undefined; index = batches.shift()) {
        const lines = linesOf(SEED + index, Math.min(BATCH, COUNT - index * BATCH));
        const seen = await watchBash(lines, join(await scratch(), 'fuzz'));
        for (const [at, line] of lines.entries()) {
          const observed = seen[at] ?? {started: [], files: []};
          const read = readLine(line);
          misses.push(...(await missesOf(line, {read, observed})));
          started += observed.started.length;
          if (read.unresolved.length === 0) understood += 1;
        }
      }
    };
    await Promise.all([worker(), worker()]);
    expect({seed: SEED, misses: misses.slice(0, 20)}).toEqual({seed: SEED, misses: []});
    // Else nothing was tested: many lines are understood, and bash starts programs in most of them.
    expect([understood / COUNT > 0.25, started / COUNT > 1]).toEqual([true, true]);
  });
});

function linesOf(seed: number, count: number): string[] {
  const random = seededRandom(seed);
  const lines: string[] = [];
  while (lines.length < count) {
    const line = lineOf(random);
    if (line !== undefined) lines.push(line);
  }
  return lines;
}

function lineOf(random: Random): string | undefined {
  const kind = random.below(10);
  const line =
    kind < 6 ? randomLine(random) : mutated(kind < 8 ? randomLine(random) : random.pick(['true', ...CORPUS]).replaceAll('/', '_'), random);
  return /\0/.test(line) || !line.isWellFormed() || (kind >= 6 && !staysHere(line)) ? undefined : line;
}

/** No path out of the folder, and nothing that could call itself for ever. */
function staysHere(line: string): boolean {
  if (/\/(?!dev\/null)|x2f|057|u2f|u002f|~[a-z]|PATH:/i.test(line)) return false;
  return !(/\(\s*\)|function/.test(line) && /[|&]/.test(line));
}

async function missesOf(
  line: string,
  {read, observed}: {readonly read: ReturnType<typeof readLine>; readonly observed: Observed},
): Promise<string[]> {
  const {commands, redirects, unresolved} = read;
  const {started, files} = observed;
  const {verdict} = await decide(
    {toolNames: ['bash'], sideEffect: 'execute', subjects: [{kind: 'command', command: line, cwd: '/r', workspace: '/r'}]},
    {mode: 'ask', rules: RULES, fallback: 'ask'},
  );
  const misses: string[] = [];
  const understood = unresolved.length === 0 || verdict === 'allow';
  // find writes by its own options; those are asked about. Its name may be quoted (`f\ind`).
  const runsFind = line.includes('find') || commands.some(({words}) => words.some(({value}) => value === 'find'));
  const written = runsFind ? [] : files;
  if (understood) {
    const strange = started.filter((argv) => !commands.some(({words}) => fitsWords(words, argv) || isScriptOf(words, argv)));
    if (strange.length > 0) misses.push(`started ${JSON.stringify(strange)}`);
    const unseen = written.filter(
      (name) => !redirects.some(({write, target}) => write && (target.glob || (target.value ?? name) === name)),
    );
    if (unseen.length > 0) misses.push(`wrote ${JSON.stringify(unseen)}`);
  }
  if (verdict === 'allow' && written.length > 0) misses.push(`allowed, and wrote ${JSON.stringify(written)}`);
  if (verdict === 'allow' && started.some(([name]) => name === 'd1' || name === 'dw')) misses.push('allowed, and started what is denied');
  return misses.map((miss) => `${JSON.stringify(line)} (${verdict}): ${miss}`);
}

/** `sh w1`: a shell looks for the file in the folders of PATH, too, and runs it itself. */
function isScriptOf([program, ...operands]: readonly ShellWord[], [name]: readonly string[]): boolean {
  return /^(?:ba)?sh$/.test(program?.value ?? '') && operands.some(({value}) => value === name);
}

/** A word that is not known may be any words; one whose beginning is known is one word. */
function fitsWords(words: readonly ShellWord[], argv: readonly string[]): boolean {
  const fitsFrom = (at: number, pos: number): boolean => {
    const word = words[at];
    if (word === undefined) return pos === argv.length;
    const actual = argv[pos];
    if (word.value !== undefined && !word.glob) return actual !== undefined && isSame(word, actual) && fitsFrom(at + 1, pos + 1);
    if (word.prefix !== '' && word.value === undefined) return actual?.startsWith(word.prefix) === true && fitsFrom(at + 1, pos + 1);
    return argv.slice(pos).some((_, more) => fitsFrom(at + 1, pos + more)) || fitsFrom(at + 1, argv.length);
  };
  return fitsFrom(0, 0);
}

/** A tilde is judged as the home folder, and bash puts in its path. */
function isSame({text, value}: ShellWord, actual: string): boolean {
  return value === actual || (/^~|[=:]~/.test(text) && actual.includes('/work'));
}
