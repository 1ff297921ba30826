import {appendFile, open, readFile} from 'node:fs/promises';
import * as z from 'zod/mini';
import {systemErrorCode} from '../../base/errors.ts';
import {parseJson} from '../../base/json.ts';

const Row = z.object({task: z.string(), patch: z.string(), tests: z.string(), passed: z.boolean()});

/** One pair, by digests: what was scored is known by its content. */
export type Pair = Omit<z.infer<typeof Row>, 'passed'>;

/** The scores of a run. One that was written is not computed again, also in a later process. */
export interface ScoreTable {
  /** Returns the score of a pair, which is computed if it is not known. */
  score(pair: Pair, compute: () => Promise<boolean>): Promise<boolean>;
}

/** Opens a file with a line for each score. A line that a killed process has cut off counts for nothing. */
export async function openScoreTable(file: string): Promise<ScoreTable> {
  const text = await readFile(file, 'utf8').catch((thrown: unknown) => {
    if (systemErrorCode(thrown) === 'ENOENT') return '';
    throw thrown;
  });
  const rows = text.split('\n').map((line) => Row.safeParse(parseJson(line)));
  const known = new Map(rows.flatMap(({data}) => (data === undefined ? [] : [[nameOf(data), data.passed] as const])));
  await (await open(file, 'a', 0o600)).close();
  if (text !== '' && !text.endsWith('\n')) await appendFile(file, '\n');
  return {
    async score(pair, compute) {
      const before = known.get(nameOf(pair));
      if (before !== undefined) return before;
      const passed = await compute();
      await appendFile(file, `${JSON.stringify({...pair, passed})}\n`);
      known.set(nameOf(pair), passed);
      return passed;
    },
  };
}

function nameOf({task, patch, tests}: Pair): string {
  return JSON.stringify([task, patch, tests]);
}
