import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {startInstantModel, type InstantModel} from '../instant-model.ts';
import {launch} from '../measure.ts';
import {writeLog} from '../resume.ts';
import {homeEnvironment, inScratch, LAUNCHER, reportGrowth} from './growth.ts';

const SESSIONS = 2000;
const PAIRS = 11;
const STARTS = {
  'grow-sessions start': {args: [], budget: 1.2, what: 'from the start of the process to its first request'},
  'grow-sessions --last': {args: ['--last'], budget: 1.3, what: 'the same, going on with the session used last'},
} as const;

/** Starts with 2,000 sessions in the folder over starts with one, in turn. */
export async function measureSessionGrowth(): Promise<number> {
  return await inScratch(async (root) => {
    const model = await startInstantModel();
    try {
      const cwd = join(root, 'work');
      mkdirSync(join(cwd, '.git'), {recursive: true});
      const [few, many] = ['few', 'many'].map((home) => homeEnvironment(join(root, home), model.baseUrl));
      writeSessions(join(root, 'few'), cwd, 1);
      writeSessions(join(root, 'many'), cwd, SESSIONS);
      let failed = 0;
      for (const [name, start] of Object.entries(STARTS))
        failed += await measureStart(name, start, {cwd, many: many ?? {}, few: few ?? {}, model});
      return failed;
    } finally {
      await model.close();
    }
  });
}

type Environment = Readonly<Record<string, string>>;

interface Places {
  readonly cwd: string;
  readonly many: Environment;
  readonly few: Environment;
  readonly model: InstantModel;
}

async function measureStart(name: string, start: (typeof STARTS)[keyof typeof STARTS], {cwd, many, few, model}: Places): Promise<number> {
  const {args, budget, what} = start;
  const [late, early]: [number[], number[]] = [[], []];
  for (let pair = -1; pair < PAIRS; pair += 1) {
    const [a, b] = [await startOnce({cwd, env: many, args}, model), await startOnce({cwd, env: few, args}, model)];
    if (pair < 0) continue; // the first pair warms the caches
    late.push(a);
    early.push(b);
  }
  return reportGrowth({name, late, early, budget, what: `with ${SESSIONS} sessions over one: ${what}`});
}

interface Start {
  readonly cwd: string;
  readonly env: Environment;
  readonly args: readonly string[];
}

async function startOnce({cwd, env, args}: Start, model: InstantModel): Promise<number> {
  model.reset([]);
  const run = await launch({argv: [LAUNCHER, 'exec', ...args, 'Go on.'], cwd, env}, false);
  return (model.requests[0]?.arrivedAt ?? Number.NaN) - run.startedAt;
}

/** Sessions of 50 KB, over some days. */
function writeSessions(home: string, cwd: string, count: number): void {
  const pattern = join(home, 'pattern.jsonl');
  writeLog(pattern, {cwd, compactEvery: 50, reads: 10});
  const text = readFileSync(pattern, 'utf8');
  for (let n = 0; n < count; n += 1) {
    const folder = join(home, 'state/sessions', `2026-01-${String(1 + (n % 28)).padStart(2, '0')}`);
    mkdirSync(folder, {recursive: true});
    const id = `thr_${String(n).padStart(6, '0')}`;
    writeFileSync(join(folder, `${id}.jsonl`), text.replaceAll('thr_long', id), {mode: 0o600});
  }
}
