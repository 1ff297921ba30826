import {mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

export const LAUNCHER = join(import.meta.dirname, '../../dist/bin/fettle.cjs');

/** Late over early: what something costs when much is there, and when little is. */
export interface Growth {
  readonly name: string;
  readonly late: readonly number[];
  readonly early: readonly number[];
  readonly budget: number;
  readonly what: string;
}

/** Prints the ratio of the lower quartiles with its budget, and returns 1 where it is broken. What else runs on the machine can only add. */
export function reportGrowth({name, late, early, budget, what}: Growth): number {
  const [then, once] = [lowerQuartile(late), lowerQuartile(early)];
  const ratio = then / once;
  const isKept = ratio <= budget;
  console.log(
    `${isKept ? 'ok    ' : 'FAILED'} ${name.padEnd(24)} ${ratio.toFixed(2).padStart(6)} x  (budget ${budget} x)  ${then.toFixed(1)} / ${once.toFixed(1)} ms  ${what}`,
  );
  return isKept ? 0 : 1;
}

function lowerQuartile(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 4)] ?? Number.NaN;
}

/** Runs `body` in a folder of its own, which is removed in the end. */
export async function inScratch(body: (root: string) => Promise<number>): Promise<number> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'fettle-grow-')));
  try {
    return await body(root);
  } finally {
    rmSync(root, {recursive: true, force: true});
  }
}

/** Makes a home folder with the settings for a model of this machine, and returns the environment of a process that uses it. */
export function homeEnvironment(home: string, baseUrl: string, settings = ''): Readonly<Record<string, string>> {
  mkdirSync(home, {recursive: true});
  const provider = `[[custom_providers]]\nname = "instant"\nformat = "openai-chat"\nbase_url = "${baseUrl}"\n`;
  writeFileSync(join(home, 'config.toml'), `model = "instant/instant"\n${settings}${provider}`);
  return {PATH: process.env['PATH'] ?? '', FETTLE_HOME: home, HOME: home, LANG: 'C.UTF-8'};
}

/** Arguments of a run without anybody to ask, which no limit ends. */
export function execArguments(): readonly string[] {
  const limits = ['--max-turns', '100000', '--max-tokens', '100000000000', '--max-time', '36000'];
  return [LAUNCHER, 'exec', '--mode', 'accept-edits', '--allow', 'bash:touch *', ...limits, 'Do it.'];
}
