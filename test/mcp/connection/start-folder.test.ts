import {mkdir, realpath, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {runsFromFolder, startFolder} from '../../../src/mcp/connection/start-folder.ts';
import {scratch} from '../../support/scratch.ts';
import {hostile, served} from '../support.ts';

describe('where a stdio server starts', () => {
  it.each([
    ['npx', ['-y', 'tracker-mcp'], 'empty'],
    ['/usr/bin/npx', ['tracker-mcp'], 'empty'],
    ['C:\\nodejs\\npx.cmd', ['tracker-mcp'], 'empty'],
    ['npm', ['--yes', 'exec', 'tracker-mcp'], 'empty'],
    ['pnpm', ['dlx', 'tracker-mcp'], 'empty'],
    ['yarn', ['dlx', 'tracker-mcp'], 'empty'],
    ['bunx', ['tracker-mcp'], 'empty'],
    ['bun', ['x', 'tracker-mcp'], 'empty'],
    ['uvx', ['tracker-mcp'], 'empty'],
    ['uv', ['tool', 'run', 'tracker-mcp'], 'empty'],
    ['pipx', ['run', 'tracker-mcp'], 'empty'],
    ['python3.12', ['-um', 'tracker'], 'empty'],
    ['python3', ['server.py', '-v'], 'work'],
    ['uv', ['run', 'server.py'], 'work'],
    ['node', ['server.js'], 'work'],
    ['tracker-mcp', [], 'work'],
  ])('%s %j: the %s folder', async (command, args, expected) => {
    const [cwd, stateDir] = [await scratch(), await scratch()];
    const folder = {empty: join(stateDir, 'mcp-start'), work: cwd}[expected];
    const server = {name: 'a', transport: 'stdio', command, args} as const;
    expect([startFolder(server, {cwd, stateDir}), startFolder({...server, cwd: 'sub'}, {cwd, stateDir})]).toEqual([
      folder,
      join(cwd, 'sub'),
    ]);
  });
});

describe('a server whose program lies in the folder that is worked in', () => {
  it.each([
    ['node', ['server.js'], undefined, true],
    ['./server.js', [], undefined, true],
    ['node', ['--import=./server.js', '/elsewhere.js'], undefined, true],
    ['npm', ['run', 'mcp'], '.', true],
    ['npx', ['-y', 'tracker-mcp', '.'], undefined, false],
    ['tracker', [], undefined, true],
    ['other-tracker', [], undefined, false],
    ['node', ['/elsewhere.js'], '/', false],
  ])('%s %j in %s: %s', async (command, args, folder, expected) => {
    const cwd = await scratch({'server.js': '', '.venv/bin/tracker': ''});
    expect(runsFromFolder({name: 'a', transport: 'stdio', command, args, cwd: folder}, {cwd, env: {PATH: join(cwd, '.venv/bin')}})).toBe(
      expected,
    );
  });

  it('is not started again by itself: the model may have changed it, and it would run outside the sandbox', async () => {
    const cwd = await realpath(await scratch());
    await mkdir(join(cwd, 'servers'));
    const marker = join(cwd, 'servers/died');
    await writeFile(join(cwd, 'servers/config'), '');
    const server = hostile('dies', {detail: marker, cwd: join(cwd, 'servers')});
    const {call} = await served([server], {folder: cwd});
    const first = await call('mcp__bad__go');
    const second = await call('mcp__bad__go');
    expect([first.outcome, second.structured]).toEqual([
      'error',
      {
        code: 'UNAVAILABLE',
        message: 'MCP server bad: it is gone: it ended with exit code 7 Its last lines on stderr: "something broke"',
        hint: 'It is not restarted: its program is in the workspace. Check what was changed, then start a new session.',
      },
    ]);
  });
});
