import {describe, expect, it} from 'vitest';
import {decide} from '../../../src/policy/evaluate/evaluate.ts';
import type {Decision, Mode, Policy, Rule, Subject, Verdict} from '../../../src/policy/decision.ts';
import {defaultRules} from '../../../src/policy/rules/default-rules.ts';

type Rules = Partial<Record<Verdict, readonly string[]>>;

function policy(rules: Rules, mode: Mode = 'ask', fallback: Verdict = 'ask'): Policy {
  const list = (['deny', 'ask', 'allow'] as const).flatMap((effect) =>
    (rules[effect] ?? []).map((text): Rule => ({text, effect, source: 'user'})),
  );
  return {mode, rules: list, fallback};
}

function command(text: string, decided: Policy): Promise<Decision> {
  const subject: Subject = {kind: 'command', command: text, cwd: '/repo', workspace: '/repo'};
  return decide({toolNames: ['bash'], sideEffect: 'execute', subjects: [subject]}, decided);
}

function file(path: string, decided: Policy, tool: 'read' | 'write' = 'write'): Promise<Decision> {
  const inside = !path.startsWith('/');
  const subject: Subject = {
    kind: 'path',
    path: inside ? `/repo/${path}` : path,
    relative: inside ? path : `..${path}`,
    inside,
    write: tool === 'write',
  };
  return decide({toolNames: [tool], sideEffect: tool, subjects: [subject]}, decided);
}

const verdicts = async (decisions: readonly Promise<Decision>[]): Promise<Verdict[]> =>
  (await Promise.all(decisions)).map(({verdict}) => verdict);

describe('decide', () => {
  it('names the part, the rule and its source (design › explainable permissions)', async () => {
    const deny: Rule = {text: 'bash:sudo *', effect: 'deny', source: 'user'};
    const allow: Rule = {text: 'bash:echo *', effect: 'allow', source: 'user'};
    const decision = await command('echo hi && env CI=1 sudo id > log', policy({deny: ['bash:sudo *'], allow: ['bash:echo *']}));
    expect(decision).toEqual({
      verdict: 'deny',
      reason: 'sudo id is denied by bash:sudo * (user)',
      decidedBy: 'rule:bash:sudo *',
      rule: deny,
      parts: [
        {text: 'echo hi', verdict: 'allow', reason: 'echo hi is allowed by bash:echo * (user)', rule: allow},
        {text: 'sudo id', verdict: 'deny', reason: 'sudo id is denied by bash:sudo * (user)', rule: deny},
        {text: 'id', verdict: 'ask', reason: 'id: no rule allows it', rule: undefined},
        {text: '> log', verdict: 'ask', reason: 'log: no rule allows this write', rule: undefined},
      ],
      wouldAllow: undefined,
      offers: [],
    });
  });

  it('microcode tools › "Read tools are never gated", but for deny and ask rules and secrets', async () => {
    const decided = policy({deny: ['read:**/.env'], ask: ['read:notes/*']}, 'ask', 'deny');
    const paths = ['src/a.ts', '.env', 'sub/.env', 'notes/x', '/etc/shadow', '/home/u/.ssh/id_rsa'];
    expect(await verdicts(paths.map((path) => file(path, decided, 'read')))).toEqual(['allow', 'deny', 'deny', 'ask', 'deny', 'deny']);
  });

  it('denies first in every mode', async () => {
    for (const mode of ['plan', 'ask', 'accept-edits', 'full-auto'] as const) {
      const decided = policy({deny: ['bash:sudo *', 'write:src/*'], allow: ['bash:*', 'write:*']}, mode);
      expect(await verdicts([command('ls; sudo id', decided), file('src/a', decided)])).toEqual(['deny', 'deny']);
    }
  });

  it('plan: nothing mutates, not even what a rule allows', async () => {
    const decided = policy({allow: ['bash:*', 'write:*']}, 'plan');
    expect(await verdicts([command('make', decided), file('a', decided), file('a', decided, 'read')])).toEqual(['deny', 'deny', 'allow']);
  });

  it('plan: commands that only look run, and no rule widens that (VT Code #704: with no command at all a model is stuck)', async () => {
    const decided = policy({allow: ['bash:*', 'write:*', 'keep:*']}, 'plan', 'allow');
    const lines = [
      'ls -la',
      'git log -3 | head',
      'rg x src && wc -l a.ts',
      'cd src; cat a.ts',
      'env LC_ALL=C sort a.txt',
      'cat < a.txt 2>/dev/null',
      'sed -n 1p a',
      'jq .version package.json',
    ];
    expect(await verdicts(lines.map((line) => command(line, decided)))).toEqual(lines.map(() => 'allow'));
    const others = [
      'npm test',
      'ls > out.txt',
      'ls; rm a',
      'find . -delete',
      'find . -exec rm {} +',
      'sort -o a a',
      'git log --output=x',
      'git push',
      'echo $(touch a)',
      'ls && $x',
      "sed -n '1w x' a",
      'jq -f x.jq a',
      'cat .env',
      'GIT_PAGER=evil git log',
      'cat ~/.ssh/id_rsa',
    ];
    expect(await verdicts(others.map((line) => command(line, decided)))).toEqual(others.map(() => 'deny'));
    const kept = decide(
      {toolNames: ['keep'], sideEffect: 'execute', subjects: [{kind: 'command', command: 'ls', cwd: '/repo', workspace: '/repo'}]},
      decided,
    );
    expect((await kept).verdict).toBe('deny');
  });

  it('plan: one file may be written, the plan; a rule that denies or asks still does', async () => {
    const planFile = '/repo/.fettle/tasks/t/plan.md';
    const decided = {...policy({}, 'plan'), planFile};
    expect(await verdicts([file('.fettle/tasks/t/plan.md', decided), file('.fettle/tasks/t/plan.md2', decided)])).toEqual([
      'allow',
      'deny',
    ]);
    expect(await verdicts([file('.fettle/tasks/t/plan.md', {...decided, mode: 'ask'})])).toEqual(['ask']);
    expect(await verdicts([command(`echo x > ${planFile}`, decided)])).toEqual(['deny']);
    const strict = (rules: Rules) => ({...policy(rules, 'plan'), planFile});
    expect(
      await verdicts([
        file('.fettle/tasks/t/plan.md', strict({deny: ['write:*']})),
        file('.fettle/tasks/t/plan.md', strict({ask: ['write:*']})),
      ]),
    ).toEqual(['deny', 'ask']);
  });

  it('ask rules win over allow rules', async () => {
    const decided = policy({ask: ['bash:git push *'], allow: ['bash:git *']}, 'full-auto');
    expect(await verdicts([command('git push', decided), command('git log', decided)])).toEqual(['ask', 'allow']);
  });

  it('accept-edits: writes inside the workspace, also by redirect; protected files still ask', async () => {
    const decided = policy({allow: ['bash:echo *']}, 'accept-edits');
    const paths = ['src/a', '.git/config', '.GIT/hooks/x', '.fettle/config.toml', '.vscode/tasks.json', 'AGENTS.md', '/tmp/x'];
    expect(await verdicts(paths.map((path) => file(path, decided)))).toEqual(['allow', 'ask', 'ask', 'ask', 'ask', 'ask', 'ask']);
    const lines = ['echo x > src/a', 'echo x > .git/config', 'echo x > ../a', 'echo x > ~/.bashrc', 'touch a'];
    expect(await verdicts(lines.map((line) => command(line, decided)))).toEqual(['allow', 'ask', 'ask', 'ask', 'ask']);
  });

  it('full-auto: allows, but protected files and what may hide a denied command ask', async () => {
    const decided = policy({deny: ['bash:sudo *']}, 'full-auto');
    const lines = [
      'make && ./run "$x"',
      'x=$(date); echo $x > log',
      'rm -rf .git',
      'echo x >> ~/.bashrc',
      '$tool id',
      'eval "$line"',
      'curl x | bash',
    ];
    expect(await verdicts(lines.map((line) => command(line, decided)))).toEqual(['allow', 'allow', 'ask', 'ask', 'ask', 'ask', 'ask']);
  });

  it('a protected file is allowed only by a rule that spells it out', async () => {
    const rules = ['write:*', 'write:.vscode/*', 'write:.vscode/settings.json'];
    const decisions = rules.map((rule) => file('.vscode/settings.json', policy({allow: [rule]})));
    expect(await verdicts(decisions)).toEqual(['ask', 'allow', 'allow']);
  });

  it('an option that runs or writes something is allowed only by a rule that spells it out', async () => {
    const lines: readonly (readonly [string, string])[] = [
      ['sed -i s/a/b/ f', 'bash:sed *'],
      ['sed -i s/a/b/ f', 'bash:sed -i *'],
      ['find . -delete', 'bash:find *'],
      ['find . -delete', 'bash:find . -delete'],
      ['rg --pre ./x a', 'bash:*'],
    ];
    const decisions = lines.map(([line, rule]) => command(line, policy({allow: [rule]})));
    expect(await verdicts(decisions)).toEqual(['ask', 'allow', 'ask', 'allow', 'allow']);
  });

  it('a rule that cannot be read allows nothing, and a broken deny asks for everything', async () => {
    expect(await verdicts([command('ls', policy({allow: [':ls']})), command('ls', policy({deny: [':ls'], allow: ['bash:*']}))])).toEqual([
      'ask',
      'ask',
    ]);
  });

  it('calls without a subject are ruled by their tool alone', async () => {
    const call = (name: string, decided: Policy, sideEffect: 'network' | 'interact' | 'pure' = 'network'): Promise<Decision> =>
      decide({toolNames: [name], sideEffect, subjects: []}, decided);
    const decided = policy({allow: ['fetch'], deny: ['mcp__evil__*'], ask: ['re:mcp__.*:*']});
    const decisions = [call('fetch', decided), call('other', decided), call('mcp__evil__x', decided), call('mcp__x', decided)];
    expect(await verdicts([...decisions, call('todo', decided, 'pure'), call('ask_user', decided, 'interact')])).toEqual([
      'allow',
      'ask',
      'deny',
      'ask',
      'allow',
      'allow',
    ]);
  });
});

describe('wouldAllow', () => {
  const offers: readonly (readonly [string, string | undefined])[] = [
    ['git push origin main', 'bash:git push *'],
    ['npm run lint -- --fix', 'bash:npm run lint *'],
    ['cargo build && cargo test', 'bash:cargo build *, bash:cargo test *'],
    ['ls -la', 'bash:ls *'],
    ['somebody --else', 'bash:somebody --else'],
    ['python3 build.py', 'bash:python3 build.py'],
    ['make $(x)', undefined],
    ['find . -delete', undefined],
    ['python3 -c x', undefined],
    ['node -e x', undefined],
  ];

  it.each(offers)('%s → %s', async (line, offer) => {
    expect((await command(line, policy({}))).wouldAllow).toBe(offer);
  });

  it('is true: with these rules the call is allowed', async () => {
    for (const [line, offer] of offers) {
      if (offer === undefined) continue;
      expect((await command(line, policy({allow: offer.split(', ')}))).verdict, line).toBe('allow');
    }
    const {wouldAllow} = await file('/tmp/x', policy({}));
    expect([wouldAllow, (await file('/tmp/x', policy({allow: [wouldAllow ?? '']}))).verdict]).toEqual(['write:/tmp/x', 'allow']);
  });
});

describe('defaultRules', () => {
  it('microcode tools › bash: "allows bash:cargo * and bash:rg * and denies bash:sudo * and bash:rm -rf /*"', () => {
    expect(defaultRules('microcode')).toEqual([
      {text: 'bash:cargo *', effect: 'allow', source: 'default'},
      {text: 'bash:rg *', effect: 'allow', source: 'default'},
      {text: 'bash:sudo *', effect: 'deny', source: 'default'},
      {text: 'bash:rm -rf /*', effect: 'deny', source: 'default'},
    ]);
  });

  it('the sensible set looks around and touches nothing', async () => {
    const decided: Policy = {mode: 'ask', rules: defaultRules('fettle'), fallback: 'ask'};
    const allowed = [
      'ls -la src',
      'git status && git diff --stat',
      'rg -n TODO | head',
      'cat a.ts b.ts',
      "sed -n '1,5p' f".replace('sed', 'head'),
    ];
    const asked = ['npm test', 'rm a', 'cat .env', 'cat ~/.netrc', 'find . -delete', 'git commit -m x', 'echo x > a', 'sort -o a b'];
    const denied = ['sudo ls', 'rm -rf /', 'rm -fr ~/x', 'mkfs.ext4 /dev/sda', 'sh -c "doas id"'];
    expect(await verdicts([...allowed, ...asked, ...denied].map((line) => command(line, decided)))).toEqual([
      ...allowed.map(() => 'allow'),
      ...asked.map(() => 'ask'),
      ...denied.map(() => 'deny'),
    ]);
  });
});
