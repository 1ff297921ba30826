import {execFileSync} from 'node:child_process';
import {chmod, readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {openPage} from '../../../src/hosts/cli/open-page.ts';
import {scratch} from '../../support/scratch.ts';

describe.runIf(process.platform === 'linux')('openPage', () => {
  const address = new URL('https://login.example/authorize?state=$(id)&scope=a+b;c');

  it('gives the address to the opener of the desktop as one argument, through no shell', async () => {
    const root = await scratch({'xdg-open': `#!/bin/sh\nprintf '%s|' "$#" "$@" > "$SEEN"\n`});
    await chmod(join(root, 'xdg-open'), 0o755);
    const seen = join(root, 'seen');
    execFileSync('mkfifo', [seen]); // reading waits for the writer
    expect(await openPage(address, {PATH: root, DISPLAY: ':0', SEEN: seen})).toBe(true);
    expect(await readFile(seen, 'utf8')).toBe(`1|${address.href}|`);
  });

  it('says so where there is no desktop, or no opener', async () => {
    expect(await openPage(address, {PATH: '/nowhere'})).toBe(false);
    expect(await openPage(address, {PATH: '/nowhere', WAYLAND_DISPLAY: 'wayland-0'})).toBe(false);
  });
});
