import {describe, expect, it} from 'vitest';
import {createExecEnvironment} from '../../src/exec/create-environment.ts';
import {scratch} from '../support/scratch.ts';

const CAPTURE = {headBytes: 300_000, tailBytes: 0};
const never = new AbortController().signal;

async function run(shell: string, input: string | undefined, env?: Readonly<Record<string, string>>): Promise<[number | null, string]> {
  const cwd = await scratch();
  const exec = createExecEnvironment({cwd, spoolDir: `${cwd}/spool`, env: {PATH: process.env['PATH'], SECRET: 'x'}});
  const {exitCode, stdout} = await exec.run({shell, input, env, timeoutMs: 20_000, capture: CAPTURE}, never);
  return [exitCode, stdout.head];
}

describe('the input of a command', () => {
  it.each(['cat', 'cat /dev/stdin', 'cat < /dev/stdin', `node -e 'process.stdout.write(require("fs").readFileSync(0))'`])(
    '%s',
    async (shell) => {
      expect(await run(shell, 'one\nzwei ü\n')).toEqual([0, 'one\nzwei ü\n']);
    },
  );

  it('neither waits for the other, however much is read and written (vtcode: stdin is written whole before stdout is read)', async () => {
    const [code, out] = await run('head -c 200000 /dev/zero | tr "\\0" x; wc -c', 'y'.repeat(1_000_000));
    expect([code, out.length, out.slice(200_000).trim()]).toEqual([0, 200_000 + '1000000\n'.length, '1000000']);
  });

  it('a command that reads none of it does not fail for that', async () => {
    expect(await run('exit 3', 'y'.repeat(1_000_000))).toEqual([3, '']);
  });

  it('without input stdin is empty', async () => {
    expect(await run('cat; echo end', undefined)).toEqual([0, 'end\n']);
  });

  it('variables of one command stand above the scrubbed ones', async () => {
    expect(await run('echo "$A-$SECRET"', '', {A: '1'})).toEqual([0, '1-\n']);
  });
});
