import {once} from 'node:events';
import {existsSync} from 'node:fs';
import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import {expect, it, onTestFinished} from 'vitest';
import {runTree} from '../../bench/peers/run-tree.ts';
import {scratch} from '../support/scratch.ts';

const NEVER = 60_000;

async function start(script: string, timeoutMs = NEVER) {
  return runTree({argv: [process.execPath, '-e', script], cwd: await scratch(), env: {}, timeoutMs});
}

const inChild = (script: string): string =>
  `require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(script)}], {stdio: 'inherit'});`;

it('counts the CPU time of a process and of what it waits for', async () => {
  const used = 'const used = () => { const {user, system} = process.cpuUsage(); return user + system; };';
  const busy = `${used} while (used() < 200_000);`;
  const {cpuMs} = await (await start(`${busy} ${inChild(busy)}`)).ended;
  expect(cpuMs).toBeGreaterThanOrEqual(390);
});

it.runIf(existsSync('/proc/self/status'))('sees the memory of a process and of its child', async () => {
  const server = createServer((request, response) => {
    tree.watchMemory();
    response.end();
    request.resume();
  });
  onTestFinished(() => void server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const {port} = server.address() as AddressInfo;
  const fill = 'globalThis.kept = Buffer.alloc(100 << 20, 1);';
  const ask = `fetch('http://127.0.0.1:${port}').then((answer) => answer.text());`;
  const tree = await start(`${fill} ${inChild(`${fill} ${ask}`)}`);
  expect((await tree.ended).peakKib).toBeGreaterThan(200 << 10);
});

it('is an error where the command fails, with what it said', async () => {
  const tree = await start('console.error("no such model"); process.exitCode = 3');
  await expect(tree.ended).rejects.toThrow('ended with 3: no such model');
});

it('ends a command that hangs', async () => {
  const tree = await start('setInterval(() => {}, 1000)', 1);
  await expect(tree.ended).rejects.toThrow('ended with SIGKILL');
});
