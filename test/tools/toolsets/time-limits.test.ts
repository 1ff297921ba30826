import {describe, expect, it} from 'vitest';
import type {CommandResult, CommandSpec} from '../../../src/exec/process/command.ts';
import type {ExecEnvironment} from '../../../src/exec/environment.ts';
import {scratch} from '../../support/scratch.ts';
import {openToolset} from '../support/open-toolset.ts';

const nothing = {head: '', tail: '', totalBytes: 0, totalLines: 0, truncated: false, spillPath: undefined};
const done: CommandResult = {exitCode: 0, signal: null, timedOut: false, cancelled: false, durationMs: 1, stdout: nothing, stderr: nothing};

/** The time limits that reach the environment for the limits that a model asked for. */
async function limits(toolset: string, ...asked: object[]): Promise<number[]> {
  const specs: CommandSpec[] = [];
  const root = await scratch();
  const exec: ExecEnvironment = {
    cwd: root,
    run: async (spec) => {
      specs.push(spec);
      return done;
    },
    openTerminal: () => Promise.reject(new Error('No terminal is asked for.')),
  };
  const {call} = await openToolset(toolset, root, {context: {exec}});
  for (const [index, args] of asked.entries()) await call('bash', {command: `echo ${index}`, ...args});
  return specs.map(({timeoutMs}) => timeoutMs);
}

describe('time limits of commands', () => {
  it('microcode tools › bash: "Defaults to 120000, capped at 600000"', async () => {
    expect(await limits('microcode', {}, {timeout_ms: 60_000}, {timeout_ms: 700_000}, {timeout: '5000'})).toEqual([
      120_000, 60_000, 600_000, 5000,
    ]);
  });
  it('fettle: the same, and a number below 1000 is meant in seconds', async () => {
    expect(await limits('fettle', {}, {timeout_ms: 60_000}, {timeout_ms: 700_000}, {timeout: 30})).toEqual([
      120_000, 60_000, 600_000, 30_000,
    ]);
  });
});
