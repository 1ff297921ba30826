import {readdir, readFile} from 'node:fs/promises';
import {basename, dirname, join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {createExecEnvironment} from '../../../src/exec/create-environment.ts';
import type {CommandResult} from '../../../src/exec/process/command.ts';
import {scratch} from '../../support/scratch.ts';

const capture = {headBytes: 100, tailBytes: 100};

async function rig() {
  const spoolDir = join(await scratch(), 'spool');
  const exec = createExecEnvironment({cwd: await scratch({'own.txt': 'x'.repeat(1000)}), spoolDir});
  const run = async (shell: string): Promise<CommandResult> =>
    await exec.run({shell, timeoutMs: 20_000, capture}, new AbortController().signal);
  const first = (await run('seq 1 1000; seq 1 500 >&2')).stdout.spillPath ?? '';
  const kept = async (): Promise<string[]> => (await readdir(spoolDir)).toSorted();
  return {run, first, kept, before: await kept()};
}

describe('outputs that are kept (issue 5.2: "never a spool of a spool")', () => {
  it.each([
    ['all of it', (path: string) => `cat ${path}`],
    ['a part of it', (path: string) => `tail -n +100 '${path}' | head -n 600`],
    ['from its folder', (path: string) => `cd ${dirname(path)} && cat ${basename(path)}`],
    ['on the other stream', (path: string) => `cat ${path} >&2`],
  ])('a command that shows %s again is given the file that is there', async (_, line) => {
    const {run, first, kept, before} = await rig();
    const {stdout, stderr} = await run(line(first));
    expect([stdout.spillPath ?? stderr.spillPath, await kept()]).toEqual([first, before]);
  });

  it('what is not in it word for word is kept, and so is what only names it', async () => {
    const {run, first, kept} = await rig();
    const more = (await run(`cat ${first}; echo more`)).stdout.spillPath ?? '';
    const sorted = (await run(`sort -r ${first}`)).stdout.spillPath ?? '';
    const other = (await run(`echo ${first} >/dev/null; cat own.txt`)).stdout.spillPath ?? '';
    expect(new Set([first, more, sorted, other]).size).toBe(4);
    expect((await readFile(more, 'utf8')).endsWith('1000\nmore\n')).toBe(true);
    expect((await kept()).length).toBe(5);
  });
});
