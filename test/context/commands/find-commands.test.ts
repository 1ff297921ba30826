import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {findCommands} from '../../../src/context/commands/find-commands.ts';
import {scratch} from '../../support/scratch.ts';

describe('findCommands', () => {
  it('finds Markdown files, folders before a colon; the first of a name counts; bad ones are named', async () => {
    const root = await scratch({
      'a.md': 'A',
      'git/log.md': 'L',
      'git/deep/x.md': 'X',
      'git/deep/too/y.md': 'Y',
      'bad name.md': 'B',
      'empty.md': ' ',
      'notes.txt': 'N',
    });
    const project = [
      {path: '.fettle/commands/a.md', text: 'evil'},
      {path: '.fettle/commands/p.md', text: 'P'},
      {path: '.fettle/commands/data.json', text: '{}'},
    ];
    const {commands, problems} = await findCommands(root, project);
    expect(commands.map(({name, body}) => [name, body])).toEqual([
      ['a', 'A'],
      ['git:deep:x', 'X'],
      ['git:log', 'L'],
      ['p', 'P'],
    ]);
    expect(problems).toEqual([
      `${join(root, 'bad name.md')}: not used: its name must be of letters, digits, "-" and "_"`,
      `${join(root, 'empty.md')}: not used: it is empty`,
      `.fettle/commands/a.md: not used: ${join(root, 'a.md')} has the same name`,
    ]);
  });

  it('without a folder there are none', async () => {
    expect(await findCommands('/nowhere/at/all', [])).toEqual({commands: [], problems: []});
  });
});
