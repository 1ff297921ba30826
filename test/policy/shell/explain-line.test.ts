import {describe, expect, it} from 'vitest';
import {decide} from '../../../src/policy/evaluate/evaluate.ts';
import {describeRule} from '../../../src/policy/rules/describe-rule.ts';
import {explainLine} from '../../../src/policy/shell/explain-line.ts';

describe('explainLine', () => {
  it('shows each command at every depth with what leads to it, files, variables, folders and what is not understood', async () => {
    const command = `cd src && A=./x timeout 5 npm test > out; sh -c 'sudo id' "$(ls)"; for i in 1; do (rm $i); done`;
    const rules = [
      {text: 'bash:npm test *', effect: 'allow', source: 'user'},
      {text: 'bash:sudo *', effect: 'deny', source: 'managed'},
    ] as const;
    const subjects = [{kind: 'command', command, cwd: '/repo', workspace: '/repo'}] as const;
    const decision = await decide({toolNames: ['bash'], sideEffect: 'execute', subjects}, {mode: 'ask', rules, fallback: 'ask'});
    const rows = explainLine(command, decision).map(({kind, text, via, verdict, rule, movesTo}) =>
      [kind, text, via.join(' › '), verdict ?? '-', rule ?? '-', movesTo ?? '-'].join(' | '),
    );
    expect(`\n${rows.join('\n')}\n`).toMatchInlineSnapshot(`
      "
      assignment | A=./x |  | - | - | -
      command | cd src |  | allow | - | src
      wrapper | A=./x timeout 5 npm test > out |  | - | - | -
      command | npm test | timeout | allow | bash:npm test * (user) | -
      wrapper | sh -c 'sudo id' "$(ls)" |  | - | - | -
      command | sudo id | sh | deny | bash:sudo * (managed) | -
      command | id | sh › sudo | ask | - | -
      command | ls | $(…) | ask | - | -
      command | rm 1 | loop › (…) | ask | - | -
      redirect | > out |  | ask | - | -
      unclear | A=./x |  | - | - | -
      "
    `);
  });
});

describe('describeRule: what an offered rule would allow, too', () => {
  it.each([
    ['bash:git log *', 'any `git log` command, except with options that run or write something else'],
    ['bash:npm test', 'exactly this'],
    ['bash:*', 'every use of bash'],
    ['web_fetch', 'every use of web_fetch'],
    ['write:src/*', 'everything that matches `src/*`'],
    ['re:(', ''],
  ])('%s', (rule, text) => {
    expect(describeRule(rule)).toBe(text);
  });
});
