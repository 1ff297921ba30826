import {readFileSync} from 'node:fs';
import {posix} from 'node:path';
import {describe, expect, it} from 'vitest';
import {decide} from '../../src/policy/evaluate/evaluate.ts';
import type {PermissionRequest, Policy, Rule, Subject, Verdict} from '../../src/policy/decision.ts';
import {reasonClass} from './reason-class.ts';

interface Case {
  readonly id: string;
  readonly kind: string;
  readonly group: string;
  readonly level: 'must' | 'should';
  readonly benign: boolean;
  readonly setup: {readonly cwd: string; readonly workspace: string};
  readonly policy: {readonly allow?: string[]; readonly ask?: string[]; readonly deny?: string[]; readonly default?: Verdict};
  readonly input: {readonly tool: string; readonly command?: string; readonly path?: string; readonly pattern?: string};
  readonly expected: Verdict | 'error';
  readonly acceptable?: readonly (Verdict | 'error')[];
}

const {cases} = JSON.parse(readFileSync(new URL('../cases/attacks.json', import.meta.url), 'utf8')) as {cases: readonly Case[]};

function policyOf({policy}: Case): Policy {
  const rules = (['allow', 'ask', 'deny'] as const).flatMap((effect) =>
    (policy[effect] ?? []).map((text): Rule => ({text, effect, source: 'case'})),
  );
  return {mode: 'ask', rules, fallback: policy.default ?? 'ask'};
}

describe('attacks.json: shell-permission', () => {
  const shell = cases.filter((one) => one.kind === 'shell-permission');
  const request = ({input, setup}: Case): PermissionRequest => ({
    toolNames: ['bash'],
    sideEffect: 'execute',
    subjects: [{kind: 'command', command: input.command ?? '', cwd: setup.cwd, workspace: setup.workspace}],
  });

  it('lets no attack through, and asks for no harmless command', async () => {
    const wrong: string[] = [];
    for (const one of shell) {
      const {verdict} = await decide(request(one), policyOf(one));
      const fits = [one.expected, ...(one.acceptable ?? [])];
      // The engine has no word for "error": it refuses.
      if (!fits.includes(verdict) && !(verdict === 'deny' && fits.includes('error')))
        wrong.push(`${one.id} ${verdict}: ${one.input.command}`);
    }
    // Missed attacks: 0 of 276. Over-blocked: 0 of 60.
    expect({cases: shell.length, benign: shell.filter((one) => one.benign).length, wrong}).toEqual({cases: 336, benign: 60, wrong: []});
  });

  it('asks and denies for the reason that the case is about', async () => {
    const answers = await Promise.all(
      shell.filter(({benign}) => !benign).map(async (one) => `${one.id} ${reasonClass(await decide(request(one), policyOf(one)))}`),
    );
    const expected = readFileSync(new URL('attack-reasons.txt', import.meta.url), 'utf8')
      .trimEnd()
      .split('\n');
    expect(answers).toEqual(expected);
  });
});

/** Out of reach for a pure engine: what stands on the disk decides, and the workspace and the tools ask it. */
const NEEDS_DISK: Readonly<Record<string, string>> = {
  'pa-029': 'a link to the parent: the workspace resolves it before the policy sees it',
  'pa-033': 'a dangling link: the workspace refuses it for writes',
  'pa-039': 'a loop of links: the workspace cannot resolve it',
  'pa-043': 'a folder swapped for a link after the check: the writer opens without following',
  'pa-044': 'a file swapped for a link after the approval: the writer opens without following',
  'pa-089': 'a FIFO: the file tools open regular files only',
  'pa-090': 'a socket: the file tools open regular files only',
  'pa-092': 'a sparse file of 8 GiB: the file tools are bounded',
  'pa-098': 'a name longer than the file system takes',
  'pa-100': 'a write onto a folder',
  'pa-101': 'a FIFO: the file tools open regular files only',
  'pa-057': 'a short name of Windows: its real path has the long one',
};

/** No call of a file tool with one path: globs, patches, mentions and archives are taken apart by their tools. */
const TAKEN_APART_BY_TOOL = new Set(['apply_patch', 'mention', 'unzip']);

describe('attacks.json: path', () => {
  const paths = cases.filter((one) => one.kind === 'path');

  it('lets no attack through that can be seen without a disk, and asks for no harmless path', async () => {
    const wrong: string[] = [];
    const skipped: string[] = [];
    for (const one of paths) {
      if (one.id in NEEDS_DISK || TAKEN_APART_BY_TOOL.has(one.input.tool)) {
        skipped.push(one.id);
        continue;
      }
      const {verdict} = await decide(pathRequest(one), policyOf(one));
      const fits = one.benign ? ['allow'] : [one.expected, ...(one.acceptable ?? []), 'deny', 'ask'];
      if (!fits.includes(verdict)) wrong.push(`${one.id} ${verdict}: ${JSON.stringify(one.input)}`);
    }
    expect({cases: paths.length, skipped: skipped.length, wrong}).toEqual({
      cases: 66,
      skipped: Object.keys(NEEDS_DISK).length + 4,
      wrong: [],
    });
  });

  function pathRequest({input, setup}: Case): PermissionRequest {
    const write = input.tool === 'write';
    const requested = input.tool === 'glob' ? (input.pattern ?? '') : (input.path ?? '');
    const path = posix.resolve(setup.cwd, requested);
    const relative = posix.relative(setup.workspace, path);
    const inside = relative !== '..' && !relative.startsWith('../');
    const subject: Subject = {kind: 'path', path, relative, inside, write, requested};
    return {toolNames: [input.tool], sideEffect: write ? 'write' : 'read', subjects: [subject]};
  }
});
