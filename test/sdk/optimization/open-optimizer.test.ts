import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {loadSettings, openOptimizer, type OpenedOptimizer} from '../../../src/sdk/index.ts';
import {scratch} from '../../support/scratch.ts';

async function open(home: string, seed?: number): Promise<OpenedOptimizer> {
  const session = await loadSettings({cwd: home, env: {FETTLE_HOME: home}, home});
  return await openOptimizer({session, ...(seed === undefined ? {} : {seed})});
}

const home = async (): Promise<string> => await scratch({'config.toml': '[optimization]\nstrategy = "thompson"\n'});

describe('openOptimizer', () => {
  it('chooses by the settings, and shares what it learned with the next', async () => {
    const root = await home();
    const first = await open(root);
    for (let n = 0; n < 40; n += 1) {
      const {action} = first.select(['a', 'b'], {decision: 'model', features: {language: 'rust'}, latencyBudgetMs: 1000});
      first.applyReward({action, success: action === 'b', latency_ms: 10});
    }
    first.close();
    const second = await open(root);
    expect(second.explain({decision: 'model'})).toMatchObject({action: 'b', strategy: 'thompson', frozen: false});
    second.close();
  });

  it('repeats its choices for a seed', async () => {
    const choices = async (seed: number) => {
      const one = await open(await home(), seed);
      const chosen = Array.from({length: 30}, () => one.select(['a', 'b', 'c']).action).join('');
      one.close();
      return chosen;
    };
    expect(await choices(4)).toBe(await choices(4));
    expect(await choices(4)).not.toBe(await choices(5));
  });

  it('is closed once, however often it is asked to', async () => {
    const one = await open(await home());
    one.close();
    expect(() => one.close()).not.toThrow();
  });

  it('judges runs', async () => {
    const one = await open(await home());
    const usage = {input_tokens: 0, cached_input_tokens: 0, cache_creation_tokens: 0, output_tokens: 0, reasoning_tokens: 0};
    const end = {
      type: 'thread.completed',
      thread_id: 't',
      subtype: 'success',
      outcome_code: 'success',
      usage,
      total_cost_usd: 0,
      num_turns: 1,
    } as const;
    expect([one.judgeRun({events: [end]})?.verdict, one.rewardSignalOf('a', {events: [end]})?.success]).toEqual(['unproven', false]);
    one.close();
  });

  it('refuses wrong arguments', async () => {
    await expect(openOptimizer({seed: -1} as never)).rejects.toMatchObject({
      code: 'BAD_ARGS',
      message:
        'openOptimizer: request.session must be what loadSettings() returned, not undefined; request.seed must be a number of at least 0, not -1.',
    });
  });

  it('is refused where the ledger cannot be used', async () => {
    const root = await scratch({'config.toml': '', 'state/optimization': 'a file, not a folder'});
    await expect(open(root)).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: `The ledger of outcomes ${join(root, 'state/optimization/ledger.sqlite')} cannot be used.`,
    });
  });
});
