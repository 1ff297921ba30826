import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {decide} from '../../src/policy/evaluate/evaluate.ts';
import type {Rule} from '../../src/policy/decision.ts';
import {reasonClass} from './reason-class.ts';

/**
 * The neighbours of known attacks, and of everyday lines. `@allow`, `@deny` (` ;; ` between rules), `@exp` (verdicts) and `@why` (every reason
 * of a row that is asked or denied) hold until the next one; every other line is a command, behind `j:` with the escapes of JSON.
 */
const FOLDER = join(import.meta.dirname, 'neighbours');

interface Neighbour {
  readonly command: string;
  readonly rules: readonly Rule[];
  readonly expected: readonly string[];
  readonly why: string;
}

function read(file: string): Neighbour[] {
  let rules: readonly Rule[] = rulesOf('deny', 'bash:sudo * ;; bash:rm -rf /*');
  let expected = ['ask'];
  let why = '';
  const found: Neighbour[] = [];
  for (const line of readFileSync(join(FOLDER, file), 'utf8').split('\n')) {
    const [, word = '', rest = ''] = /^@(allow|deny|exp|why) (.*)$/.exec(line) ?? [];
    if (word === 'exp') expected = rest.split('|');
    else if (word === 'why') why = rest;
    else if (word === 'allow') rules = [...rules.filter(({effect}) => effect === 'deny'), ...rulesOf('allow', rest, 'bash:')];
    else if (word === 'deny') rules = [...rulesOf('deny', rest), ...rules.filter(({effect}) => effect === 'allow')];
    else if (line !== '' && !line.startsWith('##')) found.push({command: commandOf(line), rules, expected, why});
  }
  return found;
}

function rulesOf(effect: Rule['effect'], texts: string, before = ''): Rule[] {
  return texts.split(' ;; ').map((text) => ({text: before + text, effect, source: 'case'}));
}

function commandOf(line: string): string {
  return line.startsWith('j:') ? String(JSON.parse(`"${line.slice(2).replaceAll(/(?<!\\)"/g, '\\"')}"`)) : line;
}

describe('neighbours of known attacks', () => {
  it.each(readdirSync(FOLDER))('%s', async (file) => {
    const cases = read(file);
    const wrong: string[] = [];
    for (const {command, rules, expected, why} of cases) {
      const subjects = [{kind: 'command', command, cwd: '/repo', workspace: '/repo'}] as const;
      const decision = await decide({toolNames: ['bash'], sideEffect: 'execute', subjects}, {mode: 'ask', rules, fallback: 'ask'});
      const {verdict, reason} = decision;
      if (!expected.includes(verdict)) wrong.push(`${verdict}, not ${expected.join(' or ')}: ${JSON.stringify(command)} (${reason})`);
      else if (verdict !== 'allow' && reasonClass(decision) !== why)
        wrong.push(`${JSON.stringify(command)}: ${reasonClass(decision)}, not ${why}`);
    }
    expect([cases.length > 100, wrong]).toEqual([true, []]);
  });
});
