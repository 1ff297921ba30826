import {chmod} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {fettle, modelServer, place} from './support.ts';

const NOTE = 'There is no sandbox in this full-auto session: commands can write anywhere you can, read your keys, and use the network.';

describe('full-auto without a sandbox', () => {
  it.each([
    ['by a flag', ['--mode', 'full-auto', '--no-sandbox'], {}, '', 1],
    ['by the profile', ['--mode', 'full-auto', '--sandbox', 'off'], {}, '', 1],
    ['by the variable', ['--mode', 'full-auto'], {FETTLE_SANDBOX: 'off'}, '', 1],
    ['by the file', ['--mode', 'full-auto'], {}, '[sandbox]\nprofile = "off"\n', 1],
    ['not in another mode', ['--mode', 'ask', '--no-sandbox'], {}, '', 0],
  ] as const)('is said once on stderr: %s', async (_, args, env, setting, times) => {
    const server = await modelServer([{text: 'Done.'}]);
    const at = await place({}, `${server.config}\n${setting}`);
    const done = await fettle({...at, env: {...at.env, ...env}}, ['exec', ...args, 'hi there']);
    expect([done.stderr.split(NOTE).length - 1, done.code]).toEqual([times, 0]);
  });
});

describe('fettle mcp serve --http', () => {
  it('refuses a token file that others can read, and says what to run', async () => {
    const at = await place({token: 'a token of more than sixteen\n'}, '');
    const file = join(at.work, 'token');
    await chmod(file, 0o644);
    const done = await fettle(at, ['mcp', 'serve', '--http', '0', '--token-file', file]);
    expect([done.code, done.stderr.includes(`Run \`chmod 600 ${file}\``)]).toEqual([3, true]);
  });
});
