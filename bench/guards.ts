import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {createRedactor} from '../src/base/redact.ts';
import {decide} from '../src/policy/evaluate/evaluate.ts';
import {defaultRules} from '../src/policy/rules/default-rules.ts';

/** At most so many times the yardstick of its kind. */
interface GuardRow {
  readonly name: string;
  readonly budget: number;
  readonly ours: () => unknown;
  readonly theirs: () => unknown;
}

const MEGABYTE = 1_000_000;
const RUNS = 7;

/** What stands before every call and every output: redaction against one plain pass, hostile decisions against everyday ones. Returns how many are broken. */
export async function measureGuards(): Promise<number> {
  let failed = 0;
  for (const row of [...redactions(), ...decisions()]) failed += (await measure(row)) ? 0 : 1;
  return failed;
}

function redactions(): GuardRow[] {
  const redactor = createRedactor({secrets: ['the-key-of-this-session'], shapes: true});
  const lockfile = readFileSync(join(import.meta.dirname, '../package-lock.json'), 'latin1');
  const texts: readonly (readonly [string, string, number])[] = [
    ['lockfile', lockfile, 12],
    ['words of keys', 'token=', 120],
    ['keys', 'DB_PASSWORD=hunter2\n', 150],
    ['beginnings of keys', ' xoxb-', 90],
  ];
  return texts.map(([name, piece, budget]) => {
    const text = piece.repeat(Math.ceil(MEGABYTE / piece.length)).slice(0, MEGABYTE);
    return {name: `redact ${name}`, budget, ours: () => redactor.text(text), theirs: () => passOver(text)};
  });
}

/** The yardstick: each character looked at once. */
function passOver(text: string): number {
  let sum = 0;
  for (let at = 0; at < text.length; at += 1) sum = ((sum << 5) ^ text.charCodeAt(at)) & 0x7fff;
  return sum;
}

function decisions(): GuardRow[] {
  const policy = {mode: 'ask', rules: defaultRules('fettle'), fallback: 'ask'} as const;
  const judge = (command: string): unknown =>
    decide({toolNames: ['bash'], sideEffect: 'execute', subjects: [{kind: 'command', command, cwd: '/repo', workspace: '/repo'}]}, policy);
  const hostile = ['env ', 'xargs ', 'a|', 'find . -print0 | xargs -0 cat | ', "sh -c '", '<(a) ', '<<A <<B '];
  return hostile.map((piece) => ({
    name: `decide ${piece.trim()}…`,
    budget: 200,
    ours: () => judge(piece.repeat(16_000 / piece.length)),
    theirs: () => judge('git log --oneline | head -5'),
  }));
}

/** The best of several runs in turn: what the machine does besides only adds. */
async function measure({name, budget, ours, theirs}: GuardRow): Promise<boolean> {
  let [best, yardstick] = [Infinity, Infinity];
  for (let run = 0; run < RUNS; run += 1) {
    best = Math.min(best, await cost(ours));
    yardstick = Math.min(yardstick, await cost(theirs, AGAIN));
  }
  const ratio = best / yardstick;
  const ok = ratio <= budget;
  console.log(
    `${ok ? 'ok    ' : 'FAILED'} ${name.padEnd(36)} ${ratio.toFixed(1).padStart(6)} x  (budget ${budget} x)  ${best.toFixed(2)} / ${yardstick.toFixed(2)} ms`,
  );
  return ok;
}

const AGAIN = 20;

/** Milliseconds of processor time: it says the same on a busy machine, nearly. */
async function cost(work: () => unknown, times = 1): Promise<number> {
  const before = process.cpuUsage();
  for (let time = 0; time < times; time += 1) await work();
  const {user, system} = process.cpuUsage(before);
  return Math.max(1, user + system) / 1000 / times;
}
