import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it, onTestFinished} from 'vitest';
import {createExecEnvironment} from '../../src/exec/create-environment.ts';
import {createJobs, type Jobs} from '../../src/exec/jobs.ts';
import {scratch} from '../support/scratch.ts';

const LIMITS = {timeoutMs: 60_000, capture: {headBytes: 1000, tailBytes: 1000}};

async function open(): Promise<{jobs: Jobs; root: string}> {
  const root = await scratch();
  const jobs = createJobs(createExecEnvironment({cwd: root, spoolDir: join(root, 'spool'), env: process.env}));
  onTestFinished(jobs.endAll);
  return {jobs, root};
}

/** Runs, and is no zombie that nobody has waited for. */
async function isAlive(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  return stat !== undefined && !/\) [ZX]/.test(stat);
}

describe.runIf(process.platform === 'linux')('jobs', () => {
  it('are numbered, run side by side, and end with everything they started', async () => {
    const {jobs, root} = await open();
    // Each writes the id of a child of its own through a pipe that is read when both run.
    const [one, two] = await Promise.all(
      ['one', 'two'].map((name) =>
        jobs.start({shell: `sleep 60 & echo $! > ${name}; mkfifo ${name}.pipe; read x < ${name}.pipe; wait`, ...LIMITS}),
      ),
    );
    if (one === undefined || two === undefined) throw new Error('not started');
    expect([one.number, two.number].toSorted((a, b) => a - b)).toEqual([1, 2]);
    await jobs
      .start({shell: `until [ -p one.pipe ] && [ -p two.pipe ]; do :; done; echo > one.pipe; echo > two.pipe`, ...LIMITS})
      .then((job) => job.done);
    const children = await Promise.all(['one', 'two'].map(async (name) => Number(await readFile(join(root, name), 'utf8'))));
    expect(await Promise.all([one.pid, two.pid, ...children].map(isAlive))).toEqual([true, true, true, true]);
    await jobs.endAll();
    expect(await Promise.all([one.pid, two.pid, ...children].map(isAlive))).toEqual([false, false, false, false]);
    expect(await one.done).toMatchObject({cancelled: true});
  });
  it('tell what they have written, and how they ended', async () => {
    const {jobs} = await open();
    const job = await jobs.start({shell: 'echo out; echo err >&2; exit 4', ...LIMITS});
    expect(await job.done).toMatchObject({exitCode: 4, cancelled: false});
    expect(job.written()).toEqual({stdout: 'out\n', stderr: 'err\n'});
    await job.end();
  });
  it('that cannot be started are errors, and take no number', async () => {
    const {jobs} = await open();
    await expect(jobs.start({program: 'no-such-program-here', args: [], ...LIMITS})).rejects.toMatchObject({code: 'UNAVAILABLE'});
    expect((await jobs.start({program: 'true', args: [], ...LIMITS})).number).toBe(1);
  });
  it('are at most 32 at a time', async () => {
    const endless = createJobs({
      run: (spec, signal) => {
        spec.onStart?.(1);
        return new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('stopped'))));
      },
    });
    for (let count = 0; count < 32; count += 1) (await endless.start({program: 'x', args: [], ...LIMITS})).done.catch(() => undefined);
    await expect(endless.start({program: 'x', args: [], ...LIMITS})).rejects.toMatchObject({code: 'LIMIT'});
    await endless.endAll();
    expect(await endless.start({program: 'x', args: [], ...LIMITS})).toMatchObject({number: 33});
    await endless.endAll();
  });
});
