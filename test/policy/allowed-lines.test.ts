import {describe, expect, it} from 'vitest';
import {decide} from '../../src/policy/evaluate/evaluate.ts';
import type {Rule} from '../../src/policy/decision.ts';
import {defaultRules} from '../../src/policy/rules/default-rules.ts';

async function judged(rule: string, command: string): Promise<string> {
  const rules: readonly Rule[] = [{text: rule, effect: 'allow', source: 'user'}, ...defaultRules('fettle')];
  const subjects = [{kind: 'command', command, cwd: '/repo', workspace: '/repo'}] as const;
  const {verdict, reason} = await decide({toolNames: ['bash'], sideEffect: 'execute', subjects}, {mode: 'ask', rules, fallback: 'ask'});
  return verdict === 'allow' ? verdict : `${verdict}: ${reason}`;
}

const CALCULATES = 'calculates with names, whose values are run as code';
const FILES = Array.from({length: 300}, (_, at) => `src/f${at}.ts`).join(' ');

/** A rule of a person, a line, and what is decided on it under the rule and the default rules. */
const ROWS: readonly (readonly [rule: string, line: string, expected: string])[] = [
  // docs/guide/permissions.md
  ['bash:npm test', 'npm test', 'allow'],
  ['bash:npm test *', 'npm test -- --watch=false', 'allow'],
  ['bash:make *', 'cd src && timeout 5 make | grep -c warning', 'allow'],
  // Variables of the project.
  ['bash:npm test *', 'FOO=bar npm test', 'allow'],
  ['bash:npm test *', 'PORT=3000 API_URL=http://localhost:3000 npm test', 'allow'],
  ['bash:npm test *', 'env FOO=bar npm test', 'allow'],
  ['bash:npm test *', 'export FOO=bar; npm test', 'allow'],
  ['bash:npm test *', 'FOO=./x npm test', 'ask: FOO=./x: sets FOO, which can change what runs'],
  ['bash:npm test *', 'FOO=-x npm test', 'ask: FOO=-x: sets FOO, which can change what runs'],
  ['bash:npm test *', 'FOO="rm x" npm test', 'ask: FOO="rm x": sets FOO, which can change what runs'],
  ['bash:npm test *', 'FOO=$(cat x) npm test', 'ask: FOO=$(cat x): sets FOO, which can change what runs'],
  ['bash:npm test *', 'API_URL=http://x.test npm test', 'ask: API_URL=http://x.test: sets API_URL, which can change what runs'],
  ...[
    'NODE_OPTIONS',
    'PATH',
    'LD_PRELOAD',
    'GIT_DIR',
    'PAGER',
    'EDITOR',
    'CC',
    'PYTHONSTARTUP',
    'RUSTC_WRAPPER',
    'MY_COMMAND',
    'X_FILE',
  ].map((name) => ['bash:npm test *', `${name}=x npm test`, `ask: ${name}=x: sets ${name}, which can change what runs`] as const),
  // Numbers.
  ['bash:x', 'n=$(wc -l < f); echo $((n + 1))', 'allow'],
  ['bash:x', 'n=$(ls | wc -l); [[ $n -gt 3 ]] && echo many', 'allow'],
  ['bash:x', 'i=0; for f in *.ts; do i=$((i + 1)); done; echo "$i"', 'allow'],
  ['bash:x', 'n=$(cat f); echo $((n + 1))', `ask: $((n + 1)): ${CALCULATES}`],
  ['bash:x', 'n=$(wc -l f); echo $((n))', `ask: $((n)): ${CALCULATES}`],
  ['bash:x', 'n=$(cat f; ls | wc -l); echo $((n))', `ask: $((n)): ${CALCULATES}`],
  ['bash:x', 'n=$(echo a[0] \\| wc -l); echo $((n))', `ask: $((n)): ${CALCULATES}`],
  ['bash:x', 'echo $((n)); n=5', `ask: $((n)): ${CALCULATES}`],
  ['bash:x', 'false && n=5; echo $((n))', `ask: $((n)): ${CALCULATES}`],
  ['bash:x', 'n=5 & echo $((n))', `ask: $((n)): ${CALCULATES}`],
  ['bash:x', 'n=5; read -r n < f; echo $((n))', `ask: $((n)): ${CALCULATES}`],
  ['bash:x', 'n=5; for n in a; do echo $((n)); done', `ask: $((n)): ${CALCULATES}`],
  ['bash:x', 'n=5; n+=a; echo $((n))', `ask: $((n)): ${CALCULATES}`],
  ['bash:x', 'n=5; echo $((n[1]))', `ask: $((n[1])): ${CALCULATES}`],
  // Lines that are read.
  ['bash:x', 'while read -r line; do echo "$line"; done < f', 'allow'],
  ['bash:x', 'while IFS=, read -r a b _; do echo "$a"; done < f', 'allow'],
  ['bash:x', 'while read -r line; do echo "$line"; done < <(ls)', 'allow'],
  ['bash:x', 'read -r -p "name? " -t 5 name', 'allow'],
  ['bash:x', "read -r 'a[$(id)]' < f", "ask: read -r 'a[$(id)]' < f: no rule allows it"],
  ['bash:x', 'read -r PATH < f', 'ask: read -r PATH < f: no rule allows it'],
  ['bash:x', 'IFS=/ ls', 'ask: IFS=/: sets IFS, which can change what runs'],
  ['bash:x', 'while read -r f; do cat "$f"; done < x', 'ask: cat "$f": "$f" may become anything'],
  // Process substitutions.
  ['bash:x', 'diff <(sort a) <(sort b)', 'allow'],
  ['bash:x', 'diff <(sort a) <(sort b)>c', 'ask: c: no rule allows this write'],
  // For bash these are parts of one word, which names another file.
  ['bash:x', 'pwd $(pwd)<(sort b)', 'ask: <(sort b): runs a command named by a file name'],
  ['bash:x', 'diff <(sort a)<(sort b) c', 'ask: <(sort a): runs a command named by a file name'],
  ['bash:x', 'grep -f <(cut -d, -f1 a) b', 'allow'],
  ['bash:x', 'diff <(touch x) b', 'ask: touch x: no rule allows it'],
  ['bash:x', 'diff <(cat .env) b', 'ask: .env is asked by read:*/.env (default)'],
  ['bash:python3 *', 'python3 <(echo x)', 'ask: <(echo x): runs a command named by a file name'],
  ['bash:bash *', 'bash <(echo x)', 'ask: bash <(echo x): the content of <(echo x) is not evaluated'],
  ['bash:awk *', 'awk -f <(echo x) a', 'ask: awk -f <(echo x) a: the option -f'],
  ['bash:tee *', 'tee >(cat)', 'ask: tee >(cat): >(cat) may become anything'],
  // Long lists.
  ['bash:x', `ls ${FILES}`, 'allow'],
  ['bash:x', `wc -l ${FILES}`, 'allow'],
  ['bash:x', `cat ${FILES} .env`, 'ask: .env is asked by read:*/.env (default)'],
  // Wrappers that a rule spells out.
  ['bash:/usr/bin/env python3 tool.py', '/usr/bin/env python3 tool.py', 'allow'],
  ['bash:env FOO=1 npm test *', 'env FOO=1 npm test -- x', 'allow'],
  ['bash:timeout 5 nice make', 'timeout 5 nice make', 'allow'],
  ['bash:/usr/bin/env python3 tool.py', '/usr/bin/env python3 tool.py x', 'ask: python3 tool.py x: no rule allows it'],
  ['bash:/usr/bin/env python3 tool.py', 'python3 tool.py', 'ask: python3 tool.py: no rule allows it'],
  ['bash:/usr/bin/env *', '/usr/bin/env touch x', 'ask: touch x: no rule allows it'],
  ['bash:timeout * touch *', 'timeout 5 touch x', 'ask: touch x: no rule allows it'],
  ['bash:env sudo id', 'env sudo id', 'deny: sudo id is denied by bash:sudo * (default)'],
];

describe('what a rule allows is not asked about, and its neighbours are (issue 13.5)', () => {
  it.each(ROWS.map(([rule, line, expected]) => ({rule, line, expected, name: line.slice(0, 60)})))(
    '$rule: $name',
    async ({rule, line, expected}) => {
      expect(await judged(rule, line)).toBe(expected);
    },
  );
});
