import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {decide} from '../../../src/policy/evaluate/evaluate.ts';
import type {Decision, Mode, Rule} from '../../../src/policy/decision.ts';
import {defaultRules} from '../../../src/policy/rules/default-rules.ts';

/** The lines of a table; `##` begins a comment, `j:` a line with the escapes of JSON. */
function table(file: string): string[] {
  const lines = readFileSync(join(import.meta.dirname, file), 'utf8').split('\n');
  return lines.flatMap((line) => (line === '' || line.startsWith('##') ? [] : [commandOf(line)]));
}

function commandOf(line: string): string {
  return line.startsWith('j:') ? String(JSON.parse(`"${line.slice(2).replaceAll(/(?<!\\)"/g, '\\"')}"`)) : line;
}

function judge(command: string, mode: Mode, rules: readonly Rule[] = defaultRules('fettle')): Promise<Decision> {
  const subjects = [{kind: 'command', command, cwd: '/repo', workspace: '/repo'}] as const;
  return decide({toolNames: ['bash'], sideEffect: 'execute', subjects}, {mode, rules, fallback: 'ask'});
}

async function notAllowed(lines: readonly string[], mode: Mode): Promise<string[]> {
  const decisions = await Promise.all(lines.map(async (line) => [line, await judge(line, mode)] as const));
  return decisions.filter(([, {verdict}]) => verdict !== 'allow').map(([line, {reason}]) => `${line} — ${reason}`);
}

const LOOKING = table('looking-lines.txt');
const ALIKE = table('look-alikes.txt');

describe('commands that only look (issue 13.5)', () => {
  it('the table: ≥ 300 lines of ≥ 60 programs, none over 5 %, a third with globs, pipes, substitutions or 2>/dev/null', () => {
    const programs = Map.groupBy(LOOKING, (line) => line.split(/\s/)[0]);
    const most = Math.max(...[...programs.values()].map((lines) => lines.length));
    const composed = LOOKING.filter((line) => /[*?[\]|`]|\$\(|<\(|2>\/dev\/null/.test(line));
    expect({
      lines: LOOKING.length >= 300 && new Set(LOOKING).size === LOOKING.length,
      programs: programs.size >= 60,
      most: most <= LOOKING.length * 0.05,
      composed: composed.length >= LOOKING.length / 3,
      alike: ALIKE.length >= 150 && new Set(ALIKE).size === ALIKE.length,
    }).toEqual({lines: true, programs: true, most: true, composed: true, alike: true});
  });

  it.each([
    ['full-auto', 0.02],
    ['ask', 0.1],
    ['accept-edits', 0.1],
    ['plan', 0.1],
  ] as const)('in the mode %s at most %d of the lines that only look are not allowed', async (mode, share) => {
    const asked = await notAllowed(LOOKING, mode);
    expect(asked.length / LOOKING.length <= share ? [] : asked).toEqual([]);
  });

  it('none of the lines that only look alike is allowed in the mode ask', async () => {
    const decisions = await Promise.all(ALIKE.map(async (line) => [line, await judge(line, 'ask')] as const));
    expect(decisions.filter(([, {verdict}]) => verdict === 'allow').map(([line]) => line)).toEqual([]);
  });

  it('a word that no row names is asked about: options, also abbreviated, and another program of the same name', async () => {
    const known = ['jq -r .a a.json', 'ps aux', 'git branch --all', 'tar -tf a.tar', 'docker ps -a', 'du -sh src', 'md5sum a'];
    const unknown = known.flatMap((line) => {
      const [program = '', ...rest] = line.split(' ');
      return [`${line} --unknown`, `${line} --unknown=x`, `./${line}`, `/tmp/${line}`, `${program} "$x" ${rest.join(' ')}`];
    });
    expect(await notAllowed(known, 'ask')).toEqual([]);
    const asked = await notAllowed([...unknown.filter((line) => !line.startsWith('du ')), 'git branch --al', 'ps --fores'], 'ask');
    expect(asked.length).toBe(unknown.filter((line) => !line.startsWith('du ')).length + 2);
  });

  it('without the default rules nothing of this is allowed', async () => {
    const verdicts = await Promise.all(LOOKING.filter((line) => /^(?:jq|ps|docker) /.test(line)).map((line) => judge(line, 'ask', [])));
    expect(new Set(verdicts.map(({verdict}) => verdict))).toEqual(new Set(['ask']));
  });
});
