import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {decide} from '../../src/policy/evaluate/evaluate.ts';
import type {Decision, Rule} from '../../src/policy/decision.ts';

const rules: readonly Rule[] = [
  ...['bash:cargo *', 'bash:echo *', 'bash:ls *', 'bash:cat *'].map((text): Rule => ({text, effect: 'allow', source: 'user'})),
  ...['bash:sudo *', 'bash:rm -rf /*'].map((text): Rule => ({text, effect: 'deny', source: 'user'})),
];

function judge(command: string, all = rules): Promise<Decision> {
  const subjects = [{kind: 'command', command, cwd: '/repo', workspace: '/repo'}] as const;
  return decide({toolNames: ['bash'], sideEffect: 'execute', subjects}, {mode: 'ask', rules: all, fallback: 'ask'});
}

const harmless = fc.constantFrom(
  'ls',
  'cargo test',
  'echo "a; b"',
  "cat 'x y'",
  'cargo build 2>&1',
  'ls > /dev/null',
  'true',
  'echo $((1+1))',
);
const denied = fc.constantFrom(
  'sudo id',
  'rm -rf /',
  'env sudo id',
  "bash -c 'sudo id'",
  '\\sudo x',
  'timeout 5 rm -fr /',
  'nice nohup sudo x',
);
const unknown = fc.constantFrom(
  'touch x',
  '$x y',
  'echo $(touch x)',
  'cat <(touch x)',
  'echo x > y',
  'PATH=. ls',
  'find . -delete',
  './ls',
  'ls |sh',
);
const joint = fc.constantFrom('; ', ' && ', ' || ', ' | ', ' & ', '\n', ' |& ');
const frame = fc.constantFrom(
  '%',
  '( % )',
  '{ %; }',
  'if true; then %\nfi',
  'for i in 1; do %\ndone',
  '! { %\n}',
  'echo "$( % )"',
  'while false; do %\ndone',
);

/** A line of harmless commands with one other among them, at any place and depth. */
function lineWith(part: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const before = fc.array(
    fc.tuple(harmless, joint).map((pair) => pair.join('')),
    {maxLength: 4},
  );
  const after = fc.array(
    fc.tuple(joint, harmless).map((pair) => pair.join('')),
    {maxLength: 4},
  );
  return fc.tuple(before, part, after, fc.array(frame, {maxLength: 2})).map(([head, middle, tail, frames]) => {
    const line = [...head, middle, ...tail].join('');
    return frames.reduce((inner, outer) => outer.replace('%', () => inner), line);
  });
}

async function everyLine(part: fc.Arbitrary<string>, verdict: Decision['verdict'], all = rules): Promise<void> {
  await fc.assert(
    fc.asyncProperty(lineWith(part), async (line) => {
      expect((await judge(line, all)).verdict, line).toBe(verdict);
    }),
  );
}

describe('soundness', () => {
  it('more text never weakens a deny', () => everyLine(denied, 'deny'));

  it('one part that no rule allows is enough to ask', () => everyLine(unknown, 'ask'));

  it('harmless parts stay allowed, however they are put together', () => everyLine(harmless, 'allow'));

  it('an allow rule never turns a deny rule around', () =>
    everyLine(denied, 'deny', [{text: 'bash:*', effect: 'allow', source: 'user'}, ...rules]));

  it('never throws, whatever the text', async () => {
    const token = fc.constantFrom(
      '$(',
      ')',
      '`',
      '"',
      "'",
      '{',
      '}',
      '<<',
      '\n',
      ';',
      'a',
      '$',
      '[[',
      ']]',
      '((',
      '\0',
      '\\',
      '<(',
      '|',
      '&',
      '>',
      '#',
      '=',
      '~',
      '*',
    );
    const noise = fc.oneof(
      fc.string({unit: 'binary'}),
      fc.array(token, {maxLength: 40}).map((tokens) => tokens.join('')),
    );
    await fc.assert(
      fc.asyncProperty(noise, async (line) => {
        expect(['allow', 'ask', 'deny']).toContain((await judge(line)).verdict);
      }),
      {numRuns: 500},
    );
  });

  it('a NUL and an empty line are refused', async () => {
    expect([(await judge('ls\0')).verdict, (await judge(' \n')).verdict]).toEqual(['deny', 'deny']);
  });

  it('hostile lengths and depths end in a question or a denial', async () => {
    const pieces = [
      '$(',
      '`',
      '(',
      '{a,',
      '"$(',
      "sh -c '",
      'env ',
      'a;',
      'cat <<E\n',
      'touch .e* ',
      'sudo ',
      'xargs ',
      'cd a;',
      '[[ ',
      '${x:-',
    ];
    for (const piece of pieces) {
      for (const size of [1000, 16_000, 200_000]) expect((await judge(piece.repeat(size / piece.length))).verdict, piece).not.toBe('allow');
    }
  });

  it('finds a denied command behind 400 others', async () => {
    expect((await judge(`${'ls; '.repeat(400)}sudo id`)).verdict).toBe('deny');
  });

  it('a loop over known words is judged as each of its rounds', async () => {
    const denying: readonly Rule[] = [...rules, {text: 'read:**/.env', effect: 'deny', source: 'user'}];
    const word = fc.constantFrom(
      'a',
      'src/b.ts',
      '.env',
      '"x y"',
      "'.en'v",
      '/etc/shadow',
      '../c',
      '-n',
      '~/.ssh/id_rsa',
      '*.md',
      '.e*',
      'sudo',
      '{a,.env}',
    );
    const use = fc.constantFrom('cat "$w"', 'cat $w', 'cat "src/$w"', 'cat "${w}"', '$w id', 'cat x "$w"');
    await fc.assert(
      fc.asyncProperty(fc.array(word, {minLength: 1, maxLength: 4}), use, async (words, body) => {
        const {verdict} = await judge(`for w in ${words.join(' ')}; do ${body}; done`, denying);
        const rounds = await Promise.all(words.map((one) => judge(body.replaceAll(/"?([\w/]*)\$(?:w|\{w\})"?/g, `$1${one}`), denying)));
        // Never more than a round alone.
        return verdict !== 'allow' || rounds.every((round) => round.verdict === 'allow');
      }),
      {numRuns: 300},
    );
  });

  it.each([
    [">&'$(touch x)'", 'ask'],
    [">&'~/x'", 'ask'],
    ['>&"o 3\'"', 'ask'],
    ['>&"$f"', 'ask'],
    ['>&-x', 'ask'],
    ['>&out/a-1.txt', 'allow'],
    ['2>&1', 'allow'],
  ])('bash 5.2 expands what stands behind `>&` twice: echo a %s', async (redirect, verdict) => {
    const writes: Rule = {text: 'write:*', effect: 'allow', source: 'user'};
    expect((await judge(`echo a ${redirect}`, [...rules, writes])).verdict).toBe(verdict);
  });

  it.each([
    ['cat {,}~/secret', 'ask'],
    ['cat {a,b}.txt', 'allow'],
  ])('braces that leave a tilde at the front name the home folder: %s', async (line, verdict) => {
    expect((await judge(line)).verdict).toBe(verdict);
  });

  it.each([
    ['cat $(time case x in x) cat a; esac)', 'ask'],
    ['cat $(! time -p { cat a; })', 'ask'],
    ['cat <(cat b; time (cat a))', 'ask'],
    ['echo $(time -p cat a)', 'allow'],
    ['time { cat a; }', 'allow'],
  ])('bash 5.2 knows no `case`, no `{` behind `$(time`: %s', async (line, verdict) => {
    expect((await judge(line)).verdict).toBe(verdict);
  });
});
