import {readdirSync, readFileSync} from 'node:fs';
import {join, posix} from 'node:path';
import {describe, expect, it} from 'vitest';
import {decide} from '../../src/policy/evaluate/evaluate.ts';
import type {PermissionRequest, Policy, Rule, Subject, Verdict} from '../../src/policy/decision.ts';
import {reasonClass} from './reason-class.ts';

/**
 * A second author's table of calls and verdicts, written before the engine had said anything about them. `@allow`, `@ask`, `@deny`
 * (` ;; ` between rules), `@default`, `@cwd`, `@exp` (verdicts) and `@why` (every reason of a row that is asked or denied)
 * hold until the next one; every other line is a command (in `paths.txt`
 * a tool and a path), behind `j:` with the escapes of JSON. The workspace is `/repo`.
 */
const FOLDER = join(import.meta.dirname, 'second-table');

interface Row {
  readonly call: string;
  readonly cwd: string;
  readonly policy: Policy;
  readonly expected: readonly string[];
  readonly why: string;
}

interface State {
  readonly rules: Readonly<Record<Verdict, readonly Rule[]>>;
  readonly fallback: Verdict;
  readonly cwd: string;
  readonly expected: readonly string[];
  readonly why: string;
}

function read(file: string): Row[] {
  const isPaths = file === 'paths.txt';
  let state: State = {rules: {allow: [], ask: [], deny: []}, fallback: 'ask', cwd: '/repo', expected: [], why: ''};
  const rows: Row[] = [];
  for (const line of readFileSync(join(FOLDER, file), 'utf8').split('\n')) {
    const [, word, rest = ''] = /^@(allow|ask|deny|default|cwd|exp|why) (.*)$/.exec(line) ?? [];
    if (word !== undefined) state = changed(state, word, rest, isPaths);
    else if (line !== '' && !line.startsWith('##')) {
      const rules = [...state.rules.deny, ...state.rules.ask, ...state.rules.allow];
      rows.push({
        call: textOf(line),
        cwd: state.cwd,
        expected: state.expected,
        why: state.why,
        policy: {mode: 'ask', rules, fallback: state.fallback},
      });
    }
  }
  return rows;
}

function changed(state: State, word: string, rest: string, isPaths: boolean): State {
  switch (word) {
    case 'exp':
      return {...state, expected: rest.split('|')};
    case 'why':
      return {...state, why: rest};
    case 'default':
      return {...state, fallback: rest as Verdict};
    case 'cwd':
      return {...state, cwd: rest};
    default: {
      const effect = word as Verdict;
      const before = effect === 'allow' && !isPaths ? 'bash:' : '';
      const rules = rest === '-' ? [] : rest.split(' ;; ').map((text): Rule => ({text: before + text, effect, source: 'table'}));
      return {...state, rules: {...state.rules, [effect]: rules}};
    }
  }
}

function textOf(line: string): string {
  return line.startsWith('j:') ? String(JSON.parse(`"${line.slice(2).replaceAll(/(?<!\\)"/g, '\\"')}"`)) : line;
}

function requestOf({call, cwd}: Row, file: string): PermissionRequest {
  if (file !== 'paths.txt')
    return {toolNames: ['bash'], sideEffect: 'execute', subjects: [{kind: 'command', command: call, cwd, workspace: '/repo'}]};
  const [tool = '', ...rest] = call.split(' ');
  const requested = rest.join(' ');
  const path = requested.startsWith('~') ? requested.replace(/^~/, '/home/u') : posix.resolve(cwd, requested);
  const relative = posix.relative('/repo', path);
  const write = tool === 'write';
  const inside = relative !== '..' && !relative.startsWith('../');
  const subject: Subject = {kind: 'path', path, relative, inside, write, requested};
  return {toolNames: tool === 'write' ? ['write'] : [tool, 'read'], sideEffect: write ? 'write' : 'read', subjects: [subject]};
}

describe('the second table', () => {
  it.each(readdirSync(FOLDER))('%s', async (file) => {
    const rows = read(file);
    const wrong: string[] = [];
    for (const row of rows) {
      const decision = await decide(requestOf(row, file), row.policy);
      const {verdict, reason} = decision;
      if (!row.expected.includes(verdict))
        wrong.push(`${verdict}, not ${row.expected.join(' or ')}: ${JSON.stringify(row.call)} (${reason})`);
      else if (verdict !== 'allow' && reasonClass(decision) !== row.why)
        wrong.push(`${JSON.stringify(row.call)}: ${reasonClass(decision)}, not ${row.why}`);
    }
    expect([rows.length > 90, wrong]).toEqual([true, []]);
  });
});
