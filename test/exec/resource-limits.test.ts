import {join} from 'node:path';
import {describe, expect, it, onTestFinished} from 'vitest';
import type {CommandSpec} from '../../src/exec/process/command.ts';
import {createExecEnvironment} from '../../src/exec/create-environment.ts';
import type {ExecEnvironment} from '../../src/exec/environment.ts';
import {startJob} from '../../src/exec/job.ts';
import {overrunText, type Overrun} from '../../src/exec/process/resource-overrun.ts';
import type {ResourceLimits} from '../../src/exec/process/resource-watch.ts';
import {scratch} from '../support/scratch.ts';
import {missingSandbox, sandboxed} from './sandbox/support.ts';

const MEGABYTE = 1_000_000;
const TIGHT: ResourceLimits = {memoryBytes: 120 * MEGABYTE, diskBytes: 100 * MEGABYTE};
const FOREVER = 1000;

/** Programs that take too much, each bounded by itself: at most 400 MB that are written. */
const HOGS = {
  memory: `perl -e '$kept[$_] = "x" x 20_000_000, select(undef, undef, undef, 0.02) for 0..19; sleep ${FOREVER}'`,
  'memory of a child in the background': `perl -e '$a = "x" x 200_000_000; sleep ${FOREVER}' & wait`,
  'memory of several processes that each stay below': `for n in 1 2 3; do perl -e '$a = "x" x 50_000_000; sleep ${FOREVER}' & done; wait`,
  // So much that what others delete at the same moment does not hide it.
  'disk, reserved without writing': `fallocate -l 900000000 big; sleep ${FOREVER}`,
  'disk, one file': `head -c 300000000 /dev/zero > big; sleep ${FOREVER}`,
  'disk, many files': `for n in 1 2 3 4 5 6; do head -c 50000000 /dev/zero > $n; done; sleep ${FOREVER}`,
} as const;

/** Prints its score once it has been set. */
const SCORE =
  'for n in {1..400}; do read -r score < /proc/self/oom_score_adj; [ "$score" = 500 ] && break; sleep 0.05; done; echo "$score"';

const capture = {headBytes: 1000, tailBytes: 1000};
const never = new AbortController().signal;

async function environment(limits: ResourceLimits): Promise<ExecEnvironment> {
  const cwd = await scratch();
  return createExecEnvironment({cwd, spoolDir: join(cwd, 'spool'), env: {PATH: process.env['PATH'], HOME: cwd}, limits});
}

function spec(line: string): CommandSpec {
  return {shell: line, timeoutMs: 60_000, capture};
}

/** Only the sizes that do not depend on the moment of the look. */
function facts(overrun: Overrun | undefined): object | undefined {
  return overrun && {resource: overrun.resource, limit: overrun.limit, isAbove: overrun.used > overrun.limit};
}

const memory = {resource: 'memory', limit: TIGHT.memoryBytes, isAbove: true};
const disk = {resource: 'disk', limit: TIGHT.diskBytes, isAbove: true};

describe.skipIf(process.platform !== 'linux')(
  'a command is ended when it takes too much (design 1, promise 5: "bounded by default")',
  () => {
    it.each(Object.entries(HOGS))('%s', async (name, line) => {
      const {overrun, exitCode, timedOut, cancelled} = await (await environment(TIGHT)).run(spec(line), never);
      const expected = {overrun: name.startsWith('memory') ? memory : disk, exitCode: null, timedOut: false, cancelled: false};
      expect({overrun: facts(overrun), exitCode, timedOut, cancelled}).toEqual(expected);
    });

    it('in the background', async () => {
      const job = await startJob(await environment(TIGHT), {spec: spec(HOGS.memory), mayStay: false});
      expect(facts((await job.done).overrun)).toEqual(memory);
    });

    it.each([
      ['memory', memory],
      ['disk, one file', disk],
    ] as const)('in a terminal, where the screen says why: %s', async (name, expected) => {
      const terminal = await (await environment(TIGHT)).openTerminal({command: HOGS[name], columns: 150, rows: 10, timeoutMs: 60_000});
      onTestFinished(() => terminal.end());
      await terminal.done;
      const overrun = terminal.ended()?.overrun;
      expect([facts(overrun), (await terminal.screen()).lines]).toEqual([
        expected,
        ['', `[ended: it ${overrun === undefined ? '' : overrunText(overrun)}]`],
      ]);
    });

    it('pages that forked processes share count once, and files that only look large not at all', async () => {
      const forks = `perl -e '$a = "x" x 60_000_000; fork; fork; select(undef, undef, undef, 0.9)'`;
      const result = await (
        await environment({memoryBytes: 160 * MEGABYTE, diskBytes: 5000 * MEGABYTE})
      ).run(spec(`truncate -s 50G sparse; ${forks}`), never);
      expect([result.overrun, result.exitCode]).toEqual([undefined, 0]);
    });

    it('without limits of its own it may take what an ordinary build takes', async () => {
      const result = await (await environment({})).run(spec(`perl -e '$a = "x" x 300_000_000; select(undef, undef, undef, 0.4)'`), never);
      expect([result.overrun, result.exitCode]).toEqual([undefined, 0]);
    });

    it('the kernel takes it before others when memory runs out all the same', async () => {
      const {stdout} = await (await environment({})).run(spec(SCORE), never);
      expect(stdout.head).toBe('500\n');
    });
  },
);

describe('overrunText', () => {
  it('names the sizes and the setting', () => {
    expect([
      overrunText({resource: 'memory', used: 6_912_000_000, limit: 6_500_000_000}),
      overrunText({resource: 'disk', used: 120_500_000, limit: 100_000_000}),
    ]).toEqual([
      'used 6.9 GB of memory, and 6.5 GB is the limit (limits.command_memory_mb)',
      'took 121 MB of free disk space, and 100 MB is the limit (limits.command_disk_mb)',
    ]);
  });
});

const missing = await missingSandbox();

describe.skipIf(missing !== undefined)('a command in the sandbox is ended when it takes too much', () => {
  it.each([
    ['memory', memory],
    ['disk, one file', disk],
  ] as const)('%s', async (name, expected) => {
    const {root, state, sandbox} = await sandboxed();
    const exec = createExecEnvironment({cwd: root, spoolDir: join(state, 'spool'), sandbox, limits: TIGHT});
    expect(facts((await exec.run(spec(HOGS[name]), never)).overrun)).toEqual(expected);
  });
});
