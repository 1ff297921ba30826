import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {decide} from '../../src/policy/evaluate/evaluate.ts';
import type {Rule} from '../../src/policy/decision.ts';
import {OPTION_ROWS} from '../../src/policy/programs/running-options/running-options.ts';

/**
 * Options that run programs or load code, destructive sub-commands, and operands that lead out of the workspace, under `bash:PROG *`
 * (`@allow`, holds until the next one). `= LINE` is allowed by that rule; `? LINE ⇒ REASON` is asked, and for that reason.
 */
const FOLDER = join(import.meta.dirname, 'running-options');
const DENIED: readonly Rule[] = ['bash:sudo *', 'bash:rm -rf /*'].map((text) => ({text, effect: 'deny', source: 'case'}));

interface Row {
  readonly line: string;
  readonly rule: string;
  /** `allow`, or the reason why it is asked. */
  readonly expected: string;
}

function read(file: string): Row[] {
  let rule = '';
  const rows: Row[] = [];
  for (const text of readFileSync(join(FOLDER, file), 'utf8').split('\n')) {
    const [, sign, line = '', reason = ''] = /^([?=]) (.*?)(?: ⇒ (.*))?$/.exec(text) ?? [];
    if (text.startsWith('@allow ')) rule = `bash:${text.slice('@allow '.length)}`;
    else if (sign !== undefined) rows.push({line, rule, expected: sign === '=' ? 'allow' : reason});
    else if (text !== '' && !text.startsWith('##')) throw new Error(`${file}: ${text}`);
  }
  return rows;
}

async function answered({line, rule}: Row): Promise<string> {
  const rules: readonly Rule[] = [...DENIED, {text: rule, effect: 'allow', source: 'case'}];
  const subjects = [{kind: 'command', command: line, cwd: '/repo', workspace: '/repo'}] as const;
  const decision = await decide({toolNames: ['bash'], sideEffect: 'execute', subjects}, {mode: 'ask', rules, fallback: 'ask'});
  if (decision.verdict === 'allow') return decision.rule?.text === rule ? 'allow' : `allow without the rule: ${decision.reason}`;
  const asked = decision.parts.find(({verdict}) => verdict === decision.verdict)?.text ?? '';
  return `${decision.verdict === 'ask' ? '' : decision.verdict}${decision.reason.replace(`${asked}: `, '')}`;
}

describe('options that run programs under bash:PROG *', () => {
  it.each(readdirSync(FOLDER))('%s', async (file) => {
    const wrong: string[] = [];
    for (const row of read(file)) {
      const got = await answered(row);
      if (got !== row.expected) wrong.push(`${row.rule} | ${row.line} ⇒ ${got}, not ${row.expected}`);
    }
    expect(wrong).toEqual([]);
  });

  it.each([
    ['bash:*', 'frobnicate ../x'],
    ['bash:*', "frobnicate --hook 'sudo id'"],
    ['bash:frobnicate ../x', 'frobnicate ../x'],
    ['bash:frobnicate ../x *', 'frobnicate ../x a'],
    ['bash:docker volume rm *', 'docker volume rm old'],
    ['bash:git branch -D *', 'git branch -D old'],
    ['bash:bat --pager=less *', 'bat --pager=less src/a.ts'],
  ])('a rule that spells it out, or that allows everything, covers it: %s', async (rule, line) => {
    expect(await answered({rule, line, expected: ''})).toBe('allow');
  });

  it('each row of the tables says where its options are documented', () => {
    expect(OPTION_ROWS.filter(({source, names}) => source.trim() === '' || names.trim() === '')).toEqual([]);
  });
});
