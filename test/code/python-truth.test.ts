import {execFileSync} from 'node:child_process';
import {cpSync, readdirSync} from 'node:fs';
import {join} from 'node:path';
import {expect, it} from 'vitest';
import type {CodeGraph} from '../../src/code/code-graph.ts';
import {openCodeGraph} from '../../src/code/index/open-code-graph.ts';
import {scratch} from '../support/scratch.ts';
import {closing} from './index-files.ts';
import {pyrightTruth, type Sample} from './python-truth.ts';

const {signal} = new AbortController();
/** Another seed asks about other identifiers: `FETTLE_TRUTH_SEED=7`. */
const SEED = Number(process.env['FETTLE_TRUTH_SEED'] ?? 1);
const COUNT = Number(process.env['FETTLE_TRUTH_COUNT'] ?? 400);
/** Of Python's own library. */
const PACKAGES = ['argparse.py', 'concurrent', 'email', 'json', 'logging', 'unittest'];
const library = libraryOfPython();

it.skipIf(library === undefined)(
  `Python against pyright: definitions of identifiers of its library, seed ${SEED} (issue: resolved by imports and scopes; checked against language servers)`,
  {timeout: 300_000},
  async () => {
    const root = await scratch();
    for (const name of PACKAGES)
      cpSync(join(library ?? '', name), join(root, name), {recursive: true, filter: (path) => !/__pycache__|\/test$/.test(path)});
    const files = readdirSync(root, {recursive: true, encoding: 'utf8'})
      .filter((name) => name.endsWith('.py'))
      .sort();
    const graph = closing(await openCodeGraph({root, cacheDir: await scratch()}));
    await graph.fresh(signal);
    const samples = await pyrightTruth({root, files, count: COUNT, random: randomFrom(SEED)});
    const missed: string[] = [];
    let [agreed, said, right] = [0, 0, 0];
    for (const sample of samples) {
      const ours = await definitionsOf(graph, sample);
      const isRight = ours.some((place) => sample.definitions.includes(place));
      const isAgreed = ours.length === 0 ? sample.definitions.length === 0 : isRight;
      agreed += Number(isAgreed);
      said += Number(ours.length > 0);
      right += Number(isRight);
      if (!isAgreed)
        missed.push(`${sample.text} ${sample.path}:${sample.line + 1} ours=${ours.join(' ')} theirs=${sample.definitions.join(' ')}`);
    }
    const [agreement, precision] = [(100 * agreed) / samples.length, (100 * right) / said];
    console.log(`seed ${SEED}, ${samples.length} identifiers: agreed ${agreement.toFixed(1)} %, precision ${precision.toFixed(1)} %`);
    if (process.env['FETTLE_TRUTH_SHOW'] !== undefined) console.log(missed.join('\n'));
    expect(samples).toHaveLength(COUNT);
    expect(agreement).toBeGreaterThanOrEqual(94);
    expect(precision).toBeGreaterThanOrEqual(97);
  },
);

async function definitionsOf(graph: CodeGraph, {path, line, character}: Sample): Promise<string[]> {
  const found = await graph.definitionAt(path, {line, character}, signal);
  return found.map(({path: to, range}) => `${to}:${range.start.line}:${range.start.character}`);
}

function libraryOfPython(): string | undefined {
  try {
    return execFileSync('python3', ['-c', 'import json, os; print(os.path.dirname(os.path.dirname(json.__file__)))'], {
      encoding: 'utf8',
    }).trim();
  } catch {
    return undefined;
  }
}

/** Park and Miller's generator: the same numbers everywhere. */
function randomFrom(seed: number): () => number {
  let state = (seed * 48_271 + 11) % 2_147_483_647;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}
