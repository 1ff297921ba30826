import {describe, expect, it} from 'vitest';
import {decide} from '../../src/policy/evaluate/evaluate.ts';
import type {Rule} from '../../src/policy/decision.ts';
import {hostileLines} from './hostile-lines.ts';

/** So many everyday decisions of the same moment: 10 ms where one takes 0.05. */
const MOST_TIMES = 200;
const ATTEMPTS = 12;

const FEW: readonly Rule[] = [
  ...['git *', 'find *', 'echo *', 'ls *', 'ssh *', 'sed *'].map((text): Rule => ({text: `bash:${text}`, effect: 'allow', source: 'user'})),
  ...['bash:sudo *', 'bash:rm -rf /*', 'read:**/.env'].map((text): Rule => ({text, effect: 'deny', source: 'user'})),
];

function rules(count: number, text: (at: number) => string, effect: Rule['effect']): Rule[] {
  return Array.from({length: count}, (_, at) => ({text: text(at), effect, source: 'user'}));
}

const stars = '*a'.repeat(20);
const MANY: readonly Rule[] = [
  ...FEW,
  ...rules(300, (at) => `bash:tool${at} sub *`, 'deny'),
  ...rules(300, (at) => `bash:tool${at} other *`, 'allow'),
  ...rules(200, (at) => `bash:* x${at} *`, 'ask'),
  ...rules(150, (at) => `read:secret${at}/**`, 'deny'),
  ...rules(50, (at) => `write:**/*gen${at}*/**`, 'ask'),
  ...rules(20, (at) => `read:${stars}*b${at}`, 'deny'),
  ...rules(20, (at) => `bash:${stars}*b${at}`, 'deny'),
];
const STARRY: readonly Rule[] = [
  ...FEW,
  ...['* * * * x', '* -r * /', '* a/* */b/*', 'rm -rf /* ~/* ../*'].map((text): Rule => ({
    text: `bash:${text}`,
    effect: 'deny',
    source: 'user',
  })),
  ...rules(500, (at) => `bash:*${at} --force *`, 'deny'),
  ...rules(500, (at) => `bash:*${at} --yes *`, 'ask'),
  ...rules(300, (at) => `bash:* * * y${at}`, 'allow'),
];

const EVERYDAY = ['git log --oneline | head -5', 'cargo test 2>&1 | tail', "find . -name '*.rs' | xargs wc -l", 'git commit -m "x; y"'];

async function judge(command: string, all: readonly Rule[]): Promise<void> {
  const subjects = [{kind: 'command', command, cwd: '/repo', workspace: '/repo'}] as const;
  await decide({toolNames: ['bash'], sideEffect: 'execute', subjects}, {mode: 'ask', rules: all, fallback: 'ask'});
}

/** Milliseconds of processor time. */
async function cost(work: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const {user, system} = process.cpuUsage(before);
  return (user + system) / 1000;
}

async function everyday(): Promise<void> {
  for (const line of EVERYDAY) for (let time = 0; time < 10; time += 1) await judge(line, FEW);
}

/** Milliseconds of an everyday decision, the least that was seen: what is within the limit by this is so by any. */
let least = Infinity;

/** How many everyday decisions it costs, each at its best; measured again only while it is too many, for what else the machine does only adds. */
async function timesEveryday(line: string, all: readonly Rule[]): Promise<number> {
  let [best, usual] = [Infinity, Infinity];
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    best = Math.min(best, await cost(() => judge(line, all)));
    if (least < Infinity && best <= MOST_TIMES * least) return best / least;
    usual = Math.min(usual, (await cost(everyday)) / (10 * EVERYDAY.length));
    least = Math.min(least, usual);
    if (best <= MOST_TIMES * usual) break;
  }
  return best / usual;
}

describe('no line makes a decision long (design › budgets: hostile input 20 ms)', () => {
  it.each<[string, number, readonly Rule[]]>([
    ['rules that begin with a star', 8000, STARRY],
    ['very many rules, as long as lines are read', 16_000, MANY],
    ['longer than they are read', 1_000_000, FEW],
  ])(
    '%s',
    async (_, size, all) => {
      for (let warm = 0; warm < 20; warm += 1) await everyday();
      const dear: string[] = [];
      for (const [name, line] of hostileLines(size)) {
        const times = await timesEveryday(line, all);
        if (times > MOST_TIMES) dear.push(`${JSON.stringify(name)}: ${Math.round(times)} times`);
      }
      expect(dear).toEqual([]);
    },
    180_000,
  );

  it('there are kinds of everything that a line can have too much of, each as long as was asked', () => {
    const lines = hostileLines(4000);
    const off = lines.filter(([, line]) => Math.abs(line.length - 4000) > 100).map(([name]) => name);
    expect([lines.length > 500, new Set(lines.map(([name]) => name)).size, off]).toEqual([true, lines.length, []]);
  });
});
