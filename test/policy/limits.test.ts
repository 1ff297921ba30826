import {describe, expect, it} from 'vitest';
import {decide} from '../../src/policy/decide.ts';
import type {Decision, Rule} from '../../src/policy/decision.ts';

const rules: readonly Rule[] = [
  ...['git *', 'find *', 'echo *', 'ls *', 'ssh *', 'sed *'].map((text): Rule => ({text: `bash:${text}`, effect: 'allow', source: 'user'})),
  ...['bash:sudo *', 'bash:rm -rf /*', 'read:**/.env'].map((text): Rule => ({text, effect: 'deny', source: 'user'})),
];

function judge(command: string, all = rules): Promise<Decision> {
  const subjects = [{kind: 'command', command, cwd: '/repo', workspace: '/repo'}] as const;
  return decide({toolNames: ['bash'], sideEffect: 'execute', subjects}, {mode: 'ask', rules: all, fallback: 'ask'});
}

/** Milliseconds of processor time, the best of three. */
async function cost(command: string): Promise<number> {
  let best = Infinity;
  for (let run = 0; run < 3; run += 1) {
    const before = process.cpuUsage();
    await judge(command);
    const {user, system} = process.cpuUsage(before);
    best = Math.min(best, (user + system) / 1000);
  }
  return best;
}

const HOSTILE = [
  '$(',
  '((',
  'a[',
  '{a,b}',
  "sh -c '",
  'env ',
  'a;',
  ' > x',
  'ssh ',
  'find . -exec ',
  'git -c a=b ',
  '`',
  'cat ../',
  '*',
  'sed s/a/b/;',
  ';for v in a b c d e f; do cat "$v"; done',
  ';for v in a b; do for w in c d; do cat "$v$w"; done; done',
  ' . -print0 | xargs -0 cat | find',
  ';cd a',
  ' {a}',
];

describe('what a decision may cost (design › budgets: median 0.2 ms, hostile input 20 ms)', () => {
  it('hostile lines cost at most a few hundred everyday ones, whatever their length', async () => {
    const everyday = ['git log --oneline | head -5', 'cargo test 2>&1 | tail', "find . -name '*.rs' | xargs wc -l", 'git commit -m "x; y"'];
    for (let warm = 0; warm < 200; warm += 1) for (const line of everyday) await judge(line);
    const before = process.cpuUsage();
    for (let round = 0; round < 50; round += 1) for (const line of everyday) await judge(line);
    const {user, system} = process.cpuUsage(before);
    const one = (user + system) / 1000 / (50 * everyday.length);
    const dear: string[] = [];
    for (const piece of HOSTILE) {
      for (const size of [4000, 16_000, 1_000_000]) {
        const times = (await cost(`find ${piece.repeat(size / piece.length)}`)) / one;
        if (times > 600) dear.push(`${piece} × ${size}: ${Math.round(times)} times`);
      }
    }
    expect(dear).toEqual([]);
  });

  it.each([
    ['brackets', `echo ${'['.repeat(200)}`, 'nested too deeply to be judged'],
    ['redirects', `echo a${' > /dev/null'.repeat(250)}`, 'has more than 200 redirects'],
    ['commands', 'ls;'.repeat(400), 'has more than 300 commands'],
    ['words of a runner', `ssh h${' a'.repeat(150)}`, 'very many words, of which any may start a program'],
    ['words', `echo${' a'.repeat(600)}`, 'has more than 256 words'],
    ['actions of find', `find .${' -exec ls {} +'.repeat(50)}`, 'find with very many actions'],
    ['characters', `echo ${'a'.repeat(9000)}`, 'longer than 8192 characters'],
  ])('too many %s are asked about, also where a rule allows everything', async (_, line, reason) => {
    const everything: readonly Rule[] = [
      {text: 'bash:*', effect: 'allow', source: 'user'},
      {text: 'bash:sudo *', effect: 'deny', source: 'user'},
    ];
    const {verdict, parts} = await judge(line, everything);
    expect([verdict, parts.some((part) => part.verdict === 'ask' && part.reason.endsWith(reason))]).toEqual(['ask', true]);
  });
});

describe('words that the shell makes many of', () => {
  it.each([
    ['find . "x$@"', 'ask'],
    ['find . *"$x"', 'ask'],
    ['find . -d*', 'ask'],
    ['echo {a,{b,sudo}}', 'allow'],
    ['{echo,{b,sudo}}', 'allow'],
    ['{sudo,{b,c}}', 'deny'],
    ['$"sudo" id', 'deny'],
    ["wait -p 'a[$(x)]'", 'ask'],
    ['echo 1<(touch pwned)', 'ask'],
    ['echo 12>(touch pwned) b', 'ask'],
    ['echo {fd}<(touch pwned)', 'ask'],
    ['for i in 1<(touch pwned); do echo; done', 'ask'],
    ['a=(1<(touch pwned))', 'ask'],
    ['echo ${x:-1<(touch pwned)}', 'ask'],
    ['echo "${x:-a (b)}"', 'allow'],
    ['echo a \\', 'ask'],
    ['echo a\\(b\\)', 'allow'],
    ["echo 'a(b)'", 'allow'],
    ['x=1', 'allow'],
    ['x=$(sudo id)', 'deny'],
    ['git --no-pager log', 'allow'],
    ['git -C sub push', 'ask'],
  ])('%s: %s', async (line, verdict) => {
    expect((await judge(line)).verdict).toBe(verdict);
  });
});
