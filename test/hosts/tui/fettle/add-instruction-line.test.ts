import {mkdir, readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {fakeScreen, lastSent, never, opened, place} from './session-support.ts';

describe('a line behind #', () => {
  it('goes where the person says, in their own words, and the model is told with the next prompt', async () => {
    const at = await place([{text: 'Yes.'}]);
    await mkdir(join(at.work, '.git'));
    const answers = [[['use tabs, always']], [['This project']]];
    const port = fakeScreen({ask: async () => answers.shift()});
    const session = await opened({settings: await at.settings(), port});
    const file = join(at.work, 'AGENTS.md');
    expect(await session.keep?.('tabs', never)).toBe(`Added to ${file}: use tabs, always`);
    expect(port.asked.map(([question]) => [question?.question, question?.options.map(({label}) => label)])).toEqual([
      ['Add "tabs" to which instructions?', ['This project', 'Only me']],
      ['Add "use tabs, always" to which instructions?', ['This project', 'Only me']],
    ]);
    await session.submit('go', never);
    expect([await readFile(file, 'utf8'), lastSent(at.server)]).toEqual([
      '- use tabs, always\n',
      ['user: <user_instruction file="AGENTS.md">\nuse tabs, always\n</user_instruction>', 'user: go'],
    ]);
  });

  it('nothing is written where they leave the question', async () => {
    const at = await place([]);
    const session = await opened({settings: await at.settings(), port: fakeScreen()});
    expect(await session.keep?.('tabs', never)).toBeUndefined();
    await expect(readFile(join(at.work, 'AGENTS.md'))).rejects.toMatchObject({code: 'ENOENT'});
  });
});

describe('a program that draws on a terminal, behind !', () => {
  it.each(['vi', 'vim a.txt', ' less a.txt', 'top'])('%j is told that there is none', async (line) => {
    const at = await place([]);
    const session = await opened({settings: await at.settings(), port: fakeScreen()});
    expect(await session.shell(line, never)).toEqual({
      output: `${line.trim().split(' ')[0]} needs a terminal, which ! does not have. Ctrl-Z goes to the shell, fg comes back.`,
      exitCode: 126,
    });
  });

  it('what only begins like one runs', async () => {
    const at = await place([]);
    const session = await opened({settings: await at.settings(), port: fakeScreen()});
    expect(await session.shell('cat a.txt | less', never)).toEqual({output: 'one', exitCode: 0});
  });
});
