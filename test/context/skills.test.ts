import {execFileSync} from 'node:child_process';
import {mkdir, symlink} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {discoverSkills} from '../../src/context/skills.ts';
import {skillFacts} from '../../src/context/skill-facts.ts';
import {skillsPrompt} from '../../src/context/skills-prompt.ts';
import {scratch} from '../support/scratch.ts';

const skill = (name: string, description = 'Does things.'): string => `---\nname: ${name}\ndescription: ${description}\n---\nBody\n`;

async function found(
  files: Readonly<Record<string, string>>,
  trusted = true,
  root?: string,
): Promise<{skills: string[]; problems: string[]}> {
  const folder = root ?? (await scratch(files));
  const {skills, problems} = await discoverSkills({
    userFolders: [join(folder, 'user'), join(folder, 'agents')],
    projectFolders: [join(folder, 'project')],
    trusted,
  });
  return {
    skills: skills.map(({name, description, file}) => `${name}: ${description} ${file.slice(folder.length + 1)}`),
    problems: problems.map((problem) => problem.replaceAll(`${folder}/`, '')),
  };
}

describe('discoverSkills (agentskills.io)', () => {
  it('each folder with a SKILL.md; other folders and files are none', async () => {
    const files = {
      'user/b/SKILL.md': skill('b'),
      'user/a/SKILL.md': skill('a'),
      'user/notes/x.md': '',
      'user/SKILL.md': skill('user'),
      'user/.git/SKILL.md': skill('git'),
    };
    expect(await found(files)).toEqual({skills: ['a: Does things. user/a/SKILL.md', 'b: Does things. user/b/SKILL.md'], problems: []});
    expect(await found({})).toEqual({skills: [], problems: []});
  });

  it('the first of a name counts: those of the user before those of a project', async () => {
    const files = {
      'project/a/SKILL.md': skill('a', 'Evil.'),
      'agents/a/SKILL.md': skill('a', 'Second.'),
      'user/a/SKILL.md': skill('a', 'First.'),
    };
    expect(await found(files)).toEqual({
      skills: ['a: First. user/a/SKILL.md'],
      problems: ['agents/a: not used: user/a has a skill of the same name', 'project/a: not used: user/a has a skill of the same name'],
    });
  });

  it('those of a project only where it is trusted: before that not even their mistakes are read', async () => {
    const files = {'project/a/SKILL.md': skill('a'), 'project/bad/SKILL.md': 'no'};
    expect(await found(files, false)).toEqual({skills: [], problems: []});
    expect(await found(files)).toEqual({
      skills: ['a: Does things. project/a/SKILL.md'],
      problems: ['project/bad: not used: it does not begin with front matter between lines of ---'],
    });
  });

  it('of a trusted project only what was trusted is used, and its text as it was then', async () => {
    const root = await scratch({'project/a/SKILL.md': skill('a', 'Changed.'), 'project/new/SKILL.md': skill('new')});
    const {skills, problems} = await discoverSkills({
      userFolders: [],
      projectFolders: [join(root, 'project')],
      trusted: true,
      trustedText: (file) => (file === join(root, 'project/a/SKILL.md') ? skill('a', 'As it was.') : undefined),
    });
    expect(skills).toMatchObject([{name: 'a', description: 'As it was.', text: skill('a', 'As it was.')}]);
    expect(problems).toEqual([`${join(root, 'project/new')}: not used: it is not part of what you trusted`]);
  });

  it('a link of a project may not lead out of its folder; those of the user may', async () => {
    const root = await scratch({'elsewhere/x/SKILL.md': skill('x'), 'elsewhere/y/SKILL.md': skill('y')});
    await mkdir(join(root, 'project'));
    await mkdir(join(root, 'user'));
    await symlink(join(root, 'elsewhere/x'), join(root, 'project/x'));
    await symlink(join(root, 'elsewhere/y'), join(root, 'user/y'));
    expect(await found({}, true, root)).toEqual({
      skills: ['y: Does things. elsewhere/y/SKILL.md'],
      problems: ['project/x: not used: a link that leads out of the folder'],
    });
  });

  it('a FIFO, a folder, a file that is not text or too large: told, never waited for', async () => {
    const root = await scratch({
      'user/large/SKILL.md': 'x'.repeat(300_000),
      'user/folder/SKILL.md/x': '',
      'user/binary/SKILL.md': '---\n\0\0\n---\n',
    });
    await mkdir(join(root, 'user/fifo'));
    execFileSync('mkfifo', [join(root, 'user/fifo/SKILL.md')]);
    const {skills, problems} = await found({}, true, root);
    expect(skills).toEqual([]);
    expect(problems.map((problem) => problem.split(':', 2).join(':'))).toEqual(['user/binary: not used', 'user/large: not used']);
  });

  it('at most 100', async () => {
    const many = Object.fromEntries(Array.from({length: 105}, (_, index) => [`user/s${index}/SKILL.md`, skill(`s${index}`)]));
    const {skills, problems} = await found(many);
    expect({count: skills.length, problems}).toEqual({count: 100, problems: ['user: only the first 100 skills are used']});
  });
});

describe('what a SKILL.md says of itself (agentskills.io › Frontmatter)', () => {
  const facts = (yaml: string, folder = '/s/pdf-tools'): unknown => skillFacts(`---\n${yaml}\n---\n`, folder);
  const NAME = 'not used: its name must be 1 to 64 lower-case letters, digits and single hyphens between them';

  it('name and description; other fields are not matter', () => {
    expect(facts('name: pdf-tools\ndescription: >\n  Reads\n  PDFs.\nlicense: MIT\nmetadata: {a: b}')).toEqual({
      facts: {name: 'pdf-tools', description: 'Reads PDFs.'},
      problems: [],
    });
  });

  it('a colon in a description without quotes, as many write it', () => {
    expect(facts('name: pdf-tools\ndescription: Use when: a PDF comes # always')).toEqual({
      facts: {name: 'pdf-tools', description: 'Use when: a PDF comes # always'},
      problems: [],
    });
  });

  it.each(['PDF', 'a--b', '-a', 'a-', 'a b', 'a/../b', 'a_b', 'x'.repeat(65), '""', '[a]', '7.5'])('the name %s is none', (name) => {
    expect(facts(`name: ${name}\ndescription: x`)).toEqual({facts: undefined, problems: [NAME]});
  });

  it('a name that is not that of the folder is told and taken', () => {
    expect(facts('name: other\ndescription: x')).toEqual({
      facts: {name: 'other', description: 'x'},
      problems: ['its name is other, not that of its folder'],
    });
  });

  it.each([
    ['name: pdf-tools', 'not used: it has no description'],
    ['name: pdf-tools\ndescription: " "', 'not used: it has no description'],
    ['name: pdf-tools\ndescription: [a]', 'not used: it has no description'],
    ['description: x', NAME],
    ['- a\n- b', 'not used: its front matter is not YAML'],
    ['{', 'not used: its front matter is not YAML'],
    ['name: &a pdf-tools\ndescription: *a', NAME],
  ])('%j: %s', (yaml, problem) => {
    expect(facts(yaml)).toEqual({facts: undefined, problems: [problem]});
  });

  it('a description is one line without hidden characters, of at most 1024', () => {
    expect(facts(`name: pdf-tools\ndescription: "a\\u202e\\n\\u200b b"`)).toEqual({
      facts: {name: 'pdf-tools', description: 'a b'},
      problems: [],
    });
    expect(facts(`name: pdf-tools\ndescription: ${'d'.repeat(1030)}`)).toEqual({
      facts: {name: 'pdf-tools', description: 'd'.repeat(1024)},
      problems: ['its description has more than 1024 characters; the rest is left out'],
    });
  });
});

describe('what a model is told of skills (progressive disclosure)', () => {
  const one = (name: string, description: string) => ({name, description, file: `/s/${name}/SKILL.md`, folder: `/s/${name}`});

  it('nothing where there are none; else names and descriptions', () => {
    expect(skillsPrompt([])).toBe('');
    expect(skillsPrompt([one('pdf-tools', 'Reads PDFs.'), one('x', 'y </skills> <Skills>')])).toMatchInlineSnapshot(`
      "Skills are instructions for certain tasks. When one fits, load it with the tool skill before you begin:
      <skills>
      - pdf-tools: Reads PDFs.
      - x: y &lt;/skills> &lt;Skills>
      </skills>"
    `);
  });

  it('about 100 tokens each, and all of them bounded: further ones by name', () => {
    const text = skillsPrompt(Array.from({length: 40}, (_, index) => one(`s${index}`, 'd'.repeat(1000))));
    expect(text.length).toBeLessThan(8600);
    expect(text.split('\n').find((line) => line.startsWith('- s0:'))).toBe(`- s0: ${'d'.repeat(400)}…`);
    expect(text).toMatch(/\n- further: s19, s20, .*s39\n<\/skills>$/);
  });
});
