import {execFile, spawn} from 'node:child_process';
import {once} from 'node:events';
import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {createInterface} from 'node:readline';
import {promisify} from 'node:util';
import {describe, expect, it} from 'vitest';
import {scratch} from '../support/scratch.ts';

const source = JSON.stringify(new URL('../../src/exec/create-environment.ts', import.meta.url).href);

/** A Node of its own that runs commands; its memory and its death can be watched. */
function program(body: string): string {
  return `
    import {createExecEnvironment} from ${source};
    const [root] = process.argv.slice(-1);
    const environment = createExecEnvironment({cwd: root, spoolDir: root + '/spool'});
    const run = (shell, onOutput) =>
      environment.run({shell, timeoutMs: 60_000, capture: {headBytes: 50_000, tailBytes: 50_000}}, new AbortController().signal, onOutput);
    ${body}`;
}

async function output(body: string): Promise<unknown> {
  const root = await scratch();
  const {stdout} = await promisify(execFile)(process.execPath, ['--expose-gc', '--input-type=module', '-e', program(body), root]);
  return JSON.parse(stdout);
}

describe('the owner of commands', () => {
  it('design 8 › 2 MB command output, and a line of 1 MB: memory grows by 20 MB at most', async () => {
    const grown = await output(`
      await run('echo warm');
      global.gc();
      const before = process.memoryUsage().rss;
      let most = before;
      const watch = () => { most = Math.max(most, process.memoryUsage().rss); };
      const lines = await run('for i in $(seq 20); do head -c 100000 /dev/zero | tr "\\\\0" "x"; echo; done', watch);
      const line = await run('head -c 1000000 /dev/zero | tr "\\\\0" "x"', watch);
      watch();
      console.log(JSON.stringify([lines.stdout.totalBytes, line.stdout.totalBytes, Math.round((most - before) / 1e6)]));
    `);
    expect(grown).toEqual([2_000_020, 1_000_000, expect.toSatisfy((mb: number) => mb <= 20)]);
  });

  it('a full disk costs the file and not the command', async () => {
    const root = await scratch();
    const body = `
      const {exitCode, stdout} = await run('head -c 3000000 /dev/zero; echo end');
      console.log(JSON.stringify([exitCode, stdout.totalBytes, stdout.tail.slice(-4), stdout.spillPath ?? null, stdout.spillLoss]));`;
    // 1 MB is the largest file that this shell and its children may write.
    const limited = ['-c', 'ulimit -f 1024; exec "$@"', 'sh', process.execPath, '--input-type=module', '-e', program(body), root];
    const {stdout} = await promisify(execFile)('bash', limited);
    expect(JSON.parse(stdout)).toEqual([0, 3_000_004, 'end\n', null, expect.stringMatching(/^The whole output could not be saved: EFBIG/)]);
  });

  it.each([
    ['SIGKILL', 'setsid'],
    ['SIGTERM', 'setsid'],
    ['SIGKILL', 'env -i setsid'],
    ['SIGKILL', 'nohup'],
  ] as const)('its commands die with it: %s, %s', async (signal, away) => {
    const root = await scratch();
    const body = `await run('${away} sleep 1000 >/dev/null & echo $! $$; sleep 1000', (_, text) => console.log(text.trim()));`;
    const owner = spawn(process.execPath, ['--input-type=module', '-e', program(body), root], {stdio: ['ignore', 'pipe', 'inherit']});
    const [line] = (await once(createInterface(owner.stdout), 'line')) as [string];
    owner.kill(signal);
    await once(owner, 'exit');
    const gone = async (pid: string): Promise<boolean> =>
      /\) Z /.test(await readFile(join('/proc', pid, 'stat'), 'latin1').catch(() => ') Z '));
    await expect.poll(() => Promise.all(line.split(' ').map(gone)), {timeout: 5000, interval: 5}).toEqual([true, true]);
  });
});
