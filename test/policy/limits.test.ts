import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {decide} from '../../src/policy/evaluate/evaluate.ts';
import {defaultRules} from '../../src/policy/rules/default-rules.ts';
import type {Decision, Rule} from '../../src/policy/decision.ts';

/** A hostile decision costs so many everyday ones: those take 0.1 ms where nothing else runs. */
const MOST_TIMES = 150;

const rules: readonly Rule[] = [
  ...['git *', 'find *', 'echo *', 'ls *', 'ssh *', 'sed *'].map((text): Rule => ({text: `bash:${text}`, effect: 'allow', source: 'user'})),
  ...['bash:sudo *', 'bash:rm -rf /*', 'read:**/.env'].map((text): Rule => ({text, effect: 'deny', source: 'user'})),
];

function judge(command: string, all = rules): Promise<Decision> {
  const subjects = [{kind: 'command', command, cwd: '/repo', workspace: '/repo'}] as const;
  return decide({toolNames: ['bash'], sideEffect: 'execute', subjects}, {mode: 'ask', rules: all, fallback: 'ask'});
}

/** Milliseconds of processor time, the best of five, or the first that is good enough. */
async function cost(decision: () => Promise<Decision>, enough: number): Promise<number> {
  let best = Infinity;
  for (let run = 0; run < 5 && best > enough; run += 1) {
    const before = process.cpuUsage();
    await decision();
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
  'xargs ',
  'nice timeout 5 ',
  'a|',
  '<<A <<B ',
  ' ~/a',
  ' a=../b',
  '{{{a,b},c},d} ',
  ' .e*',
  ';export A=b',
  '$x ',
  'a@b ',
  "; frob 'sudo a=sudo,sudo:sudo' sudo ../x:/y,../z",
  "; frob 'sudo a=sudo,sudo:sudo' ",
];

/** Very many rules, and rules that fit nothing only after a long search. */
const MANY: readonly Rule[] = [
  ...rules,
  ...Array.from({length: 300}, (_, at): Rule => ({text: `bash:tool${at} sub *`, effect: 'deny', source: 'user'})),
  ...Array.from({length: 100}, (_, at): Rule => ({text: `read:secret${at}/**`, effect: 'deny', source: 'user'})),
  ...Array.from({length: 20}, (_, at): Rule => ({text: `read:${'*a'.repeat(20)}*b${at}`, effect: 'deny', source: 'user'})),
  ...Array.from({length: 20}, (_, at): Rule => ({text: `bash:${'*a'.repeat(20)}*b${at}`, effect: 'deny', source: 'user'})),
];

const PATHS = [
  'a'.repeat(1e6),
  'a/'.repeat(5e5),
  '../'.repeat(3e5),
  'ENV~1/'.repeat(1e5),
  'ENV~1/'.repeat(680),
  'e\u0301'.repeat(5e5),
  'a'.repeat(4000),
];

function judgePaths(paths: readonly string[], all: readonly Rule[]): Promise<Decision> {
  const subjects = paths.map((path) => ({kind: 'path', path: `/repo/${path}`, relative: path, inside: true, write: true}) as const);
  return decide({toolNames: ['write'], sideEffect: 'write', subjects}, {mode: 'ask', rules: all, fallback: 'ask'});
}

describe('what a decision may cost (design › budgets: median 0.2 ms, hostile input 20 ms)', () => {
  it('hostile lines cost at most a few hundred everyday ones, whatever their length', async () => {
    const everyday = ['git log --oneline | head -5', 'cargo test 2>&1 | tail', "find . -name '*.rs' | xargs wc -l", 'git commit -m "x; y"'];
    for (let warm = 0; warm < 200; warm += 1) for (const line of everyday) await judge(line);
    const before = process.cpuUsage();
    for (let round = 0; round < 50; round += 1) for (const line of everyday) await judge(line);
    const {user, system} = process.cpuUsage(before);
    const one = (user + system) / 1000 / (50 * everyday.length);
    const dear: string[] = [];
    const compare = async (name: string, decision: () => Promise<Decision>): Promise<void> => {
      const times = (await cost(decision, MOST_TIMES * one)) / one;
      if (times > MOST_TIMES) dear.push(`${name}: ${Math.round(times)} times`);
    };
    for (const piece of HOSTILE) {
      for (const size of [4000, 16_000, 1_000_000]) {
        const line = `find ${piece.repeat(size / piece.length)}`;
        await compare(`${piece} × ${size}`, () => judge(line));
        if (size === 16_000) await compare(`${piece} × ${size}, many rules`, () => judge(line, MANY));
      }
    }
    for (const piece of ["'sudo a=sudo,sudo:sudo' ", 'sudo ', '../x:/y,../z=a ', '--x=sudo '])
      await compare(`frob ${piece} × 4000`, () => judge(`frob ${piece.repeat(4000 / piece.length)}`, MANY));
    for (const path of PATHS) {
      for (const all of [rules, MANY])
        await compare(`${path.slice(0, 12)} × ${path.length}, ${all.length} rules`, () => judgePaths([path], all));
    }
    const long = Array.from({length: 1000}, () => 'a/'.repeat(1000));
    await compare('1000 long paths', () => judgePaths(long, MANY));
    expect(dear).toEqual([]);
  }, 60_000);

  it('what takes too much work is asked about in every mode, and denied where nothing may change; what was denied before stays denied', async () => {
    const verdicts = async (command: string): Promise<string[]> => {
      const subjects = [{kind: 'command', command, cwd: '/repo', workspace: '/repo'}] as const;
      const modes = ['ask', 'accept-edits', 'full-auto', 'plan'] as const;
      const all: readonly Rule[] = [{text: 'bash:*', effect: 'allow', source: 'user'}, ...MANY];
      const decisions = modes.map((mode) =>
        decide({toolNames: ['bash'], sideEffect: 'execute', subjects}, {mode, rules: all, fallback: 'ask'}),
      );
      return (await Promise.all(decisions)).map(({verdict}) => verdict);
    };
    const long = 'ls a b c;'.repeat(250);
    expect(await verdicts(long)).toEqual(['ask', 'ask', 'ask', 'deny']);
    expect((await judge(long, MANY)).parts.at(-1)?.reason).toMatch(/: it is too complex to evaluate$/);
    expect(await verdicts(`sudo x;${long}`)).toEqual(['deny', 'deny', 'deny', 'deny']);
    expect(await verdicts('ls a b c;'.repeat(5))).toEqual(['allow', 'allow', 'allow', 'allow']);
  });

  it(
    'is counted in steps: the same call has the same answer every time, however busy the machine is',
    () =>
      fc.assert(
        fc.asyncProperty(
          fc.array(fc.constantFrom(...HOSTILE), {minLength: 1, maxLength: 4}),
          fc.integer({min: 1, max: 3000}),
          async (pieces, times) => {
            const line = `git log; ${pieces.join(' ').repeat(times)}`;
            const [first, second] = [await judge(line, MANY), await judge(line, MANY)];
            expect(first).toEqual(second);
          },
        ),
        {numRuns: 60},
      ),
    60_000,
  );

  it.each([
    ['a path', () => judgePaths(['a'.repeat(5000)], rules), 'a path of more than 4096 characters names no file'],
    [
      'a name',
      () =>
        decide(
          {toolNames: ['web_fetch'], sideEffect: 'network', subjects: [{kind: 'name', name: 'a'.repeat(5000)}]},
          {mode: 'ask', rules: [], fallback: 'ask'},
        ),
      'nothing has a name of more than 4096 characters',
    ],
  ])('%s that is longer than any is refused', async (_, decision, reason) => {
    const {verdict, reason: told, parts} = await decision();
    expect([verdict, told, parts.every(({text}) => text.length <= 4096)]).toEqual(['deny', reason, true]);
  });

  it('a patch of a thousand files is judged file by file', async () => {
    const {verdict, parts} = await judgePaths(
      Array.from({length: 1000}, (_, at) => `src/part/file${at}.ts`),
      [...defaultRules('fettle'), ...rules],
    );
    expect([verdict, parts.length]).toEqual(['ask', 1000]);
    expect(parts.some(({reason}) => reason.includes('too much work'))).toBe(false);
  });

  it.each([
    ['brackets', `echo ${'['.repeat(200)}`, 'nested too deeply to evaluate'],
    ['redirects', `echo a${' > /dev/null'.repeat(250)}`, 'has more than 200 redirects'],
    ['commands', 'ls;'.repeat(400), 'has more than 300 commands'],
    ['words of a runner', `ssh h${' a'.repeat(150)}`, 'very many words, of which any may start a program'],
    ['words', `echo${' a'.repeat(1100)}`, 'has more than 1000 words'],
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
