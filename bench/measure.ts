import {spawn} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

export interface Launch {
  /** Arguments of node. */
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

export interface Run {
  readonly startedAt: number;
  readonly wallMs: number;
  readonly peakKib: number;
  readonly cpuMs: number;
}

/** Runs node to its end; with `metered` the process tells what it used. Throws when it fails: a broken run is not a measurement. */
export async function launch({argv, cwd, env}: Launch, metered: boolean): Promise<Run> {
  const folder = mkdtempSync(join(tmpdir(), 'fettle-meter-'));
  const file = join(folder, 'meter.json');
  const meter = metered ? ['--import', join(import.meta.dirname, 'meter.mjs')] : [];
  const startedAt = performance.now();
  const child = spawn(process.execPath, [...meter, ...argv], {cwd, env: {...env, BENCH_METER: file}, stdio: ['ignore', 'ignore', 'pipe']});
  let complaints = '';
  child.stderr.on('data', (chunk: Buffer) => (complaints += chunk.toString()));
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  const wallMs = performance.now() - startedAt;
  if (code !== 0) throw new Error(`${argv.join(' ')} ended with ${code}:\n${complaints}`);
  const used = metered ? (JSON.parse(readFileSync(file, 'utf8')) as Omit<Run, 'startedAt' | 'wallMs'>) : {peakKib: 0, cpuMs: 0};
  rmSync(folder, {recursive: true});
  return {startedAt, wallMs, ...used};
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}
