import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {fettle, modelServer, place, type Finished} from './support.ts';

const HAS_BWRAP = (process.env['PATH'] ?? '').split(':').some((folder) => existsSync(join(folder, 'bwrap')));

/** Each rollout is one request, which costs $0.10: 50,000 tokens of a model with a known price. */
const REPLY = {text: 'Done.', usage: {input_tokens: 50_000, output_tokens: 0}};

function suite(count: number, limits = ''): Record<string, string> {
  const toml = `prompt = "Say done."\nverify = "true"\n${limits}`;
  const names = Array.from({length: count}, (_, n) => `t${n}`);
  return Object.fromEntries(
    names.flatMap((name) => [[`suite/${name}/task.toml`, toml] as const, [`suite/${name}/start/a.txt`, 'a\n'] as const]),
  );
}

function said({code, stdout, stderr}: Finished): unknown {
  const lines = stderr.split('\n').filter((line) => /budget|resume/.test(line));
  return {code, done: stdout.split('\n')[1], lines};
}

/** Issue 19 › 3: `--budget USD`. */
describe.skipIf(!HAS_BWRAP)('fettle lab run --budget, which needs bubblewrap', () => {
  it('stops before the budget is exceeded, counts the rest as not run, and goes on with a larger one', async () => {
    const {url} = await modelServer(Array.from({length: 5}, () => REPLY));
    const at = await place(suite(5), `[providers.openai]\nbase_url = "${url}/v1"\n`);
    const paid = {...at, env: {...at.env, OPENAI_API_KEY: 'k'}};
    const run = ['lab', 'run', 'suite', '--models', 'openai/gpt-6-sol', '--workers', '2', '--budget', '0.35', '--name', 'poor'];
    expect(said(await fettle(paid, run))).toEqual({
      code: 4,
      done: '3 of 5 rollouts done: 3 passed, 0 failed',
      lines: [
        'Stopped by the budget: $0.30 of $0.35 spent, 2 rollouts not run.',
        'To continue with a larger budget: fettle lab run --resume poor --budget USD',
      ],
    });
    expect(said(await fettle(paid, ['lab', 'run', '--resume', 'poor']))).toMatchObject({code: 4});
    expect(said(await fettle(paid, ['lab', 'run', '--resume', 'poor', '--budget', '1']))).toEqual({
      code: 0,
      done: '5 of 5 rollouts done: 5 passed, 0 failed',
      lines: [],
    });
  });

  it('does not judge what it cut off, and a limit of the task is a failure as before', async () => {
    const call = {toolCalls: [{name: 'glob', arguments: {pattern: '*'}}], usage: {input_tokens: 50_000, output_tokens: 0}};
    const {url} = await modelServer(Array.from({length: 6}, () => call));
    const config = `[providers.openai]\nbase_url = "${url}/v1"\n`;
    const files = {...suite(1), 'suite/t0/task.toml': 'prompt = "Go on."\nverify = "false"\n'};
    const [cut, limited] = [
      await place(files, config),
      await place({...files, 'suite/t0/task.toml': `${files['suite/t0/task.toml']}[limits]\nmax_cost_usd = 0.15\n`}, config),
    ];
    const run = (budget: string): string[] => ['lab', 'run', 'suite', '--models', 'openai/gpt-6-sol', '--budget', budget];
    const one = await fettle({...cut, env: {...cut.env, OPENAI_API_KEY: 'k'}}, run('0.1'));
    expect([one.code, one.stdout.split('\n')[1], one.stderr.includes('It needed more than the $0.0125')]).toEqual([
      4,
      '0 of 1 rollout done: 0 passed, 0 failed',
      true,
    ]);
    const other = await fettle({...limited, env: {...limited.env, OPENAI_API_KEY: 'k'}}, run('9'));
    expect([other.code, other.stderr.includes('failed (cost-limit)')]).toEqual([0, true]);
  });
});
