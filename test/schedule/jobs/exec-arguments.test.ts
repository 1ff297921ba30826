import {describe, expect, it} from 'vitest';
import {openCommandLine} from '../../../src/hosts/cli/command-line/program.ts';
import {execArguments} from '../../../src/schedule/jobs/exec-arguments.ts';
import {capturedIo} from '../../hosts/cli/captured-io.ts';
import {aJob} from './a-job.ts';

describe('a job as a command line', () => {
  it('names every right, and that nothing else allows it anything', () => {
    expect(execArguments(aJob())).toEqual([
      'exec',
      '--json',
      '--explicit-rights',
      '--cwd=/home/ann/app',
      '--model=openai/gpt-6.2-sol',
      '--toolset=fettle',
      '--mode=accept-edits',
      '--sandbox=workspace-write',
      '--allow=bash:npm test *',
      '--deny=bash:npm publish *',
      '--allow-domain=registry.npmjs.org',
      '--verify=npm test',
      '--max-turns=50',
      '--max-tokens=1000000',
      '--max-cost=0.5',
      '--max-time=1800',
      '--',
      'Run the checks.',
    ]);
  });

  it('small amounts have no exponent, and what is absent has no option', () => {
    const rights = {
      ...aJob().rights,
      model: undefined,
      toolset: undefined,
      maxCostUsd: 1e-7,
      maxTimeS: undefined,
      verify: ['-x', '--', 'a=b'],
    };
    expect(execArguments(aJob({rights})).slice(3)).toEqual([
      '--cwd=/home/ann/app',
      '--mode=accept-edits',
      '--sandbox=workspace-write',
      '--allow=bash:npm test *',
      '--deny=bash:npm publish *',
      '--allow-domain=registry.npmjs.org',
      '--verify=-x',
      '--verify=--',
      '--verify=a=b',
      '--max-turns=50',
      '--max-tokens=1000000',
      '--max-cost=0.0000001',
      '--',
      'Run the checks.',
    ]);
  });

  it('the command takes each of them', () => {
    const {route} = openCommandLine(execArguments(aJob({action: {kind: 'prompt', prompt: '--help me'}})), capturedIo().io);
    const known = new Set(route.command.options.map(({long}) => long));
    const used = route.rest.slice(0, route.rest.indexOf('--')).map((token) => token.replace(/=.*/, ''));
    expect([route.path, used.filter((name) => !known.has(name))]).toEqual([['exec'], []]);
  });
});
