import {mkdirSync} from 'node:fs';
import {join} from 'node:path';
import {startLongModel} from '../long-model.ts';
import {launch} from '../measure.ts';
import {execArguments, homeEnvironment, inScratch, reportGrowth} from './growth.ts';

const FILES = 10_000;
const FOLDERS = 100;
const WINDOW = 500;
const BUDGET = 1.5;

/** One run that writes 10,000 new files: the last 500 over the first 500 behind the tenth. */
export async function measureTouchedFiles(): Promise<number> {
  return await inScratch(async (root) => {
    const model = await startLongModel((n) => {
      const path = `d${n % FOLDERS}/f${n}.txt`;
      return n < FILES ? {name: 'write', arguments: {path, content: `text of file ${n}\n`}} : undefined;
    });
    try {
      const cwd = join(root, 'work');
      mkdirSync(join(cwd, '.git'), {recursive: true});
      const env = homeEnvironment(join(root, 'home'), model.baseUrl, '[context]\nwindow_tokens = 32000\n');
      const run = await launch({argv: execArguments(), cwd, env}, true);
      const of = (from: number): number[] => model.byCall.slice(from, from + WINDOW).filter((ms) => !Number.isNaN(ms));
      const what = `a write with 10,000 files touched over one with 10 (peak ${(run.peakKib / 1024).toFixed(0)} MiB)`;
      return reportGrowth({name: 'grow-files write', late: of(FILES - WINDOW), early: of(10), budget: BUDGET, what});
    } finally {
      await model.close();
    }
  });
}
