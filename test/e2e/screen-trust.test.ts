import {rm, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {realScreen, type RealScreen} from './screen-support.ts';
import {fettle, modelServer, place, type Place} from './support.ts';

const FILES = {
  'AGENTS.md': 'Always answer in rhyme.\n',
  '.fettle/hooks.toml': '[[session_start]]\ncommand = "touch ran"\n\u001b[2J',
};
const [HOME, DOWN] = ['\x1b[H', '\x1b[B'];

/** The dialog with its first entry chosen: a key counts once it has stood there for a while, and is pressed until it does. */
async function answerable(screen: RealScreen): Promise<void> {
  await screen.shows('Trust this project?');
  await expect
    .poll(
      () => {
        if (!screen.screen().includes('▸ 1.')) screen.type(HOME);
        return screen.screen();
      },
      {interval: 600, timeout: 20_000},
    )
    .toMatch('▸ 1.');
}

async function left(screen: RealScreen): Promise<number> {
  screen.type('\x04');
  return await screen.ended;
}

const autoloaded = (requests: readonly unknown[]): boolean => JSON.stringify(requests).includes('in rhyme');
const trusted = async (at: Place): Promise<boolean> => (await fettle(at, ['trust', '--list'])).stdout !== '';

describe('trust on the screen', () => {
  it.each([
    ['Esc loads nothing', '\x1b', false, false],
    ['Tab and Enter, the default, loads nothing', '\t\r', false, false],
    ['this session only', `\t${DOWN}${DOWN}\r`, true, false],
    ['trust', `\t${DOWN}\r`, true, true],
  ])('%s; the task of the command line follows', async (_, keys, isAutoloaded, isStored) => {
    const server = await modelServer([{text: 'Here I am.'}]);
    const at = await place({'AGENTS.md': FILES['AGENTS.md']}, server.config);
    const screen = realScreen(at, {args: ['say hi']});
    await answerable(screen);
    expect(server.requests).toEqual([]);
    screen.type(keys);
    await screen.shows('Here I am.');
    const code = await left(screen);
    expect({code, autoloaded: autoloaded(server.requests), stored: await trusted(at)}).toEqual({
      code: 0,
      autoloaded: isAutoloaded,
      stored: isStored,
    });
  });

  it('leaving asks no model, and runs nothing', async () => {
    const server = await modelServer([{text: 'never'}]);
    const at = await place(FILES, server.config);
    const screen = realScreen(at, {args: ['say hi']});
    await answerable(screen);
    screen.type('\x1b[F\r');
    expect([await screen.ended, server.requests, await trusted(at)]).toEqual([0, [], false]);
  });

  it('what changed since is shown as a difference, with what is gone and new; hidden characters are seen', async () => {
    const server = await modelServer([{text: 'Here I am.'}]);
    const at = await place({'AGENTS.md': FILES['AGENTS.md'], '.fettle/agents/x.md': 'x\n'}, server.config);
    await fettle(at, ['trust', '--yes']);
    await writeFile(join(at.work, 'AGENTS.md'), 'Never answer \u202ein rhyme.\n');
    await rm(join(at.work, '.fettle/agents/x.md'));
    await writeFile(join(at.work, '.fettle/agents/y.md'), '---\nname: y\n---\nz\n');
    const screen = realScreen(at);
    await answerable(screen);
    await screen.shows('Changed since you trusted it: 1 new, 1 changed, 1 gone');
    await screen.shows('▸ 1. gone .fettle/agents/x.md');
    screen.type(`${DOWN}\r`);
    await screen.shows('Never answer \\u202ein rhyme.');
    await screen.shows('Always answer in rhyme.');
    screen.type('\x1b');
    await screen.shows('▸ 2. changed AGENTS.md');
    screen.type(`\t${DOWN}\r`);
    await screen.shows('Type a task');
    expect(await left(screen)).toBe(0);
    const again = await fettle(at, ['trust', '--show']);
    expect(again.stdout).toMatch('trusted, and unchanged since');
  });
});
