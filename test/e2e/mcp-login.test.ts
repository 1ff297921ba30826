import {readdir} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {visitLikeABrowser} from '../conformance/visit-like-a-browser.ts';
import {guardedServer} from '../mcp/oauth/support.ts';
import {fettle, finished, place, start} from './support.ts';

describe('fettle mcp login', () => {
  it('shows the address, waits for the browser, and keeps the login until logout; a run without one says what to do', async () => {
    const {url} = await guardedServer();
    const at = await place({}, `[[mcp_servers]]\nname = "web"\ntransport = "http"\nurl = "${url}"\nauth = "oauth"\n`);
    expect(await fettle(at, ['mcp', 'test', 'web'])).toEqual({
      code: 7,
      stdout: '',
      stderr: expect.stringMatching(/MCP server web: starting: it requires a login\.[^]*Run `fettle mcp login web`\./),
    });

    const child = start(at, ['mcp', 'login', 'web']);
    let shown = '';
    let visited: Promise<void> | undefined;
    child.stderr?.on('data', (bytes: Buffer) => {
      shown += bytes.toString();
      const address = /^http\S+(?=\n)/m.exec(shown)?.[0];
      if (address !== undefined) visited ??= visitLikeABrowser(new URL(address));
    });
    const {code, stdout, stderr} = await finished(child);
    await visited;
    expect([code, stdout, stderr.split('\n').at(-2)]).toEqual([0, '', `web: logged in at ${new URL(url).origin}, scopes read.`]);

    const logins = join(at.home, 'state/mcp-logins');
    expect(await readdir(logins)).toHaveLength(1);
    expect((await fettle(at, ['mcp', 'logout', 'web'])).stderr).toBe('web: the login is forgotten.\n');
    expect(await readdir(logins)).toEqual([]);
    expect((await fettle(at, ['mcp', 'logout', 'web'])).stderr).toBe('web: there was no login.\n');
  });

  it('is for servers that want one', async () => {
    const at = await place({}, '[[mcp_servers]]\nname = "web"\ntransport = "http"\nurl = "https://web.example"\n');
    expect(await fettle(at, ['mcp', 'login', 'web'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Set `auth = "oauth"` where it wants one.'),
    });
  });
});
