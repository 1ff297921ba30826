import {execFile} from 'node:child_process';
import {readFile, stat} from 'node:fs/promises';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {encode} from 'gpt-tokenizer/encoding/o200k_base';
import {describe, expect, it} from 'vitest';
import {LAUNCHER, place} from './support.ts';

const run = promisify(execFile);

/** Writes the peak of the memory of the process, in KiB, when it exits. */
const METER = `data:text/javascript,${encodeURIComponent(
  `import {writeFileSync} from 'node:fs'; process.on('exit', () => writeFileSync(process.env.PEAK_FILE, String(process.resourceUsage().maxRSS)));`,
)}`;

async function call(command: string): Promise<{text: string; peakMb: number}> {
  const at = await place();
  const file = join(at.home, 'peak');
  const argv = ['--import', METER, LAUNCHER, 'tools', 'call', 'bash', JSON.stringify({command})];
  const {stdout} = await run(process.execPath, argv, {cwd: at.work, env: {...at.env, PEAK_FILE: file}});
  const spool = /all of it: (\S+)/.exec(stdout)?.[1];
  if (spool !== undefined) expect((await stat(spool)).size).toBe(2_000_000);
  return {text: stdout, peakMb: Number(await readFile(file, 'utf8')) / 1024};
}

describe('design 8 › 2 MB command output: ≤ 2,500 tokens, head and tail, spilled, memory growth ≤ 20 MB', () => {
  it.each([
    ['in lines', 'seq -f "%07.0f of an ordinary log, said over and over" 1 44445 | head -c 2000000'],
    ['in one line', `head -c 2000000 /dev/zero | tr '\\0' x`],
  ])('%s', async (_, command) => {
    const idle = await call('true');
    const big = await call(command);
    expect(big.text).toContain('all of it: ');
    expect(encode(big.text).length).toBeLessThanOrEqual(2500);
    expect(big.peakMb - idle.peakMb).toBeLessThanOrEqual(20);
  });
});
