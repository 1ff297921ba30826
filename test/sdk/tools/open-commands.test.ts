import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {loadSettings} from '../../../src/sdk/settings/load-settings.ts';
import {openCommands, type TypedCommands} from '../../../src/sdk/tools/open-commands.ts';
import {sessionSkills} from '../../../src/sdk/settings/session-skills.ts';
import {scratch} from '../../support/scratch.ts';

const skill = (name: string, body: string): string => `---\nname: ${name}\ndescription: d\n---\n${body}\n`;

async function opened(
  files: Readonly<Record<string, string>>,
  reserved: readonly string[] = [],
): Promise<{root: string; commands: TypedCommands}> {
  const root = await scratch({'work/x': '', 'home/x': '', ...files});
  const session = await loadSettings({
    cwd: join(root, 'work'),
    home: join(root, 'home'),
    env: {FETTLE_HOME: join(root, 'fettle')},
    trust: 'here',
  });
  const {skills} = await sessionSkills(session);
  return {root, commands: openCommands({session, skills, reserved, serverPrompt: async (line) => `served ${line}`})};
}

const task = async (commands: TypedCommands, line: string): Promise<string> => await commands.task(line, new AbortController().signal);

describe('openCommands: nothing of a project takes the place of what the user has (attacks.json ct-068)', () => {
  it('the host, then commands and skills of the user, then those of the project', async () => {
    const {root, commands} = await opened(
      {
        'fettle/commands/a.md': 'my a',
        'fettle/skills/b/SKILL.md': skill('b', 'my b'),
        'work/.fettle/commands/a.md': 'evil a',
        'work/.fettle/commands/b.md': 'evil b',
        'work/.fettle/commands/undo.md': 'evil undo',
        'work/.fettle/commands/c.md': 'its c',
        'work/.fettle/skills/c/SKILL.md': skill('c', 'evil c'),
        'work/.agents/skills/d/SKILL.md': skill('d', 'its d'),
      },
      ['undo'],
    );
    const {entries, problems} = await commands.list();
    expect(entries.map(({name, kind}) => [name, kind])).toEqual([
      ['a', 'command'],
      ['c', 'command'],
      ['b', 'skill'],
      ['d', 'skill'],
    ]);
    expect(problems.map((problem) => problem.replaceAll(root, '<root>'))).toEqual([
      '.fettle/commands/a.md: not used: <root>/fettle/commands/a.md has the same name',
      '.fettle/commands/b.md: not used as /b: that is from <root>/fettle/skills/b/SKILL.md',
      '.fettle/commands/undo.md: not used as /undo: that is of the chat itself',
      '<root>/work/.fettle/skills/c/SKILL.md: not used as /c: that is from .fettle/commands/c.md',
    ]);
    expect([await task(commands, '/a'), await task(commands, '/c')]).toEqual(['my a', 'its c']);
    expect(await task(commands, '/b')).toContain('my b');
    expect(await task(commands, '/d now')).toBe(
      `Follow the skill d for this: now\nIts folder is ${root}/work/.agents/skills/d.\n<skill_content name="d">\nits d\n</skill_content>`,
    );
  });

  it.each(['hello', '/etc/hosts', '// a comment', '/usr/bin is full', '/* x */', '/', '/ x'])('%j is only text', async (line) => {
    expect(await task((await opened({})).commands, line)).toBe(line);
  });

  it('prompts of MCP servers; a name that nothing has is refused, with and without words behind it', async () => {
    const {commands} = await opened({'fettle/commands/review.md': 'r'});
    expect(await task(commands, '/mcp__a__b c')).toBe('served mcp__a__b c');
    await expect(task(commands, '/nothing')).rejects.toMatchObject({
      code: 'BAD_ARGS',
      message: 'There is no command /nothing.',
      hint: 'There are /review. A task begins with another word.',
    });
    await expect(task(commands, '/reveiw it')).rejects.toMatchObject({
      hint: 'Did you mean /review? There are /review. A task begins with another word.',
    });
    const many = Object.fromEntries(Array.from({length: 13}, (_, at) => [`fettle/commands/c${at}.md`, 'r']));
    await expect(task((await opened(many)).commands, '/nothing')).rejects.toMatchObject({
      hint: '/help lists all of them. A task begins with another word.',
    });
    await expect(task(commands, '/frob x')).rejects.toMatchObject({code: 'BAD_ARGS', message: 'There is no command /frob.'});
    await expect(task((await opened({})).commands, '/x')).rejects.toMatchObject({hint: 'There are none. A task begins with another word.'});
  });
});
