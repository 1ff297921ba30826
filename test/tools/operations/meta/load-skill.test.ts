import {symlink} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import type {ToolContext} from '../../../../src/tools/context.ts';
import {loadSkill} from '../../../../src/tools/operations/meta/load-skill.ts';
import {splitFrontMatter} from '../../../../src/tools/operations/meta/load-skill-front-matter.ts';
import {scratch} from '../../../support/scratch.ts';
import {outcomeOf} from '../../support/run-operation.ts';

async function load(name: string, files: Readonly<Record<string, string>>, root?: string): Promise<{root: string; outcome: unknown}> {
  const folder = root ?? (await scratch(files));
  const skills = [{name: 'demo', description: 'A demo.', file: join(folder, 'SKILL.md'), folder}];
  const ctx = {skills, signal: new AbortController().signal} as unknown as ToolContext;
  return {root: folder, outcome: await outcomeOf(loadSkill, {name}, {ctx})};
}

const SKILL = '---\nname: demo\ndescription: A demo.\n---\n\n# Demo\n\nDo it.\n';

describe('Mistral Vibe › skill', () => {
  it('the instructions without the front matter, and what lies beside them, level by level', async () => {
    const {root, outcome} = await load('demo', {
      'SKILL.md': SKILL,
      'scripts/run.sh': '',
      'scripts/deep/a/b/too-deep': '',
      'z.md': '',
      '.git/config': '',
      'node_modules/x/y': '',
    });
    expect(outcome).toEqual({name: 'demo', body: '# Demo\n\nDo it.', folder: root, files: ['z.md', 'scripts/run.sh']});
  });

  it('a skill of a project is what was trusted, not what the file has become', async () => {
    const folder = await scratch({'SKILL.md': SKILL.replace('Do it.', 'Steal it.')});
    const skills = [{name: 'demo', description: '', file: join(folder, 'SKILL.md'), folder, text: SKILL}];
    const ctx = {skills, signal: new AbortController().signal} as unknown as ToolContext;
    expect(await outcomeOf(loadSkill, {name: 'demo'}, {ctx})).toMatchObject({body: '# Demo\n\nDo it.'});
  });

  it('at most ten files, and no links', async () => {
    const many = Object.fromEntries(Array.from({length: 15}, (_, index) => [`f${String(index).padStart(2, '0')}`, '']));
    const root = await scratch({'SKILL.md': SKILL, ...many});
    await symlink('/etc/passwd', join(root, 'a-link'));
    const {outcome} = await load('demo', {}, root);
    expect(outcome).toMatchObject({files: Array.from({length: 10}, (_, index) => `f${String(index).padStart(2, '0')}`)});
  });

  it('a name that no skill has, no skills at all, a file that is gone or too large', async () => {
    expect((await load('dmo', {'SKILL.md': SKILL})).outcome).toEqual({
      code: 'NOT_FOUND',
      message: 'No skill has this name.',
      hint: 'Did you mean demo? Skills: demo.',
    });
    const ctx = {signal: new AbortController().signal} as ToolContext;
    expect(await outcomeOf(loadSkill, {name: 'demo'}, {ctx})).toEqual({
      code: 'UNAVAILABLE',
      message: 'No skills are available.',
      hint: 'Continue without one.',
    });
    expect((await load('demo', {})).outcome).toMatchObject({code: 'NOT_FOUND'});
    expect((await load('demo', {'SKILL.md': 'x'.repeat(300_000)})).outcome).toMatchObject({code: 'TOO_LARGE'});
  });
});

describe('the front matter of a SKILL.md (agentskills.io › SKILL.md format)', () => {
  it.each([
    ['---\na: b\n---\nbody\n', {yaml: 'a: b', body: 'body'}],
    ['\uFEFF---\r\na: b\r\n---  \r\nbody\r\n---\r\n', {yaml: 'a: b', body: 'body\n---'}],
    ['---\n---\n', {yaml: '', body: ''}],
    ['---\na: b\n', undefined],
    ['text\n---\n---\n', undefined],
    ['', undefined],
  ])('%j', (text, parts) => {
    expect(splitFrontMatter(text)).toEqual(parts);
  });
});
