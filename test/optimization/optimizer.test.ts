import {readFile} from 'node:fs/promises';
import {describe, expect, it, onTestFinished} from 'vitest';
import {DEFAULTS} from '../../src/config/defaults.ts';
import type {OptimizationSettings} from '../../src/config/settings.ts';
import {ledgerPath} from '../../src/optimization/ledger/ledger-file.ts';
import {openLedger, type RewardLedger} from '../../src/optimization/ledger/ledger.ts';
import {openOptimizer, type Optimizer} from '../../src/optimization/optimizer.ts';
import {seededNumbers, seededStreams} from '../../src/optimization/random-streams.ts';
import {rewardSignalOf} from '../../src/optimization/rewards/judge-run.ts';
import {NO_USAGE} from '../../src/protocol/usage.ts';
import {scratch} from '../support/scratch.ts';

function ledgerIn(stateDir?: string): RewardLedger {
  const ledger = openLedger(stateDir);
  onTestFinished(() => ledger.close());
  return ledger;
}

function optimizer(ledger: RewardLedger, change: Partial<OptimizationSettings> = {}): Optimizer {
  return openOptimizer({settings: {...DEFAULTS.optimization, ...change}, ledger, random: seededStreams(1)});
}

/** Lets it choose and learn; returns the last 20 choices. */
function train(one: Optimizer, succeeds: (action: string) => boolean, count = 80): string[] {
  const chosen = Array.from({length: count}, () => {
    const {action, choice = ''} = one.select(['a', 'b', 'c']);
    expect(one.applyReward({action, success: succeeds(action)}, {choice})).toBe(true);
    return action;
  });
  return chosen.slice(-20);
}

describe('openOptimizer', () => {
  it.each(['bandit', 'epsilon_greedy', 'ucb1', 'ucb1_tuned', 'thompson', 'linucb', 'actor_critic'] as const)(
    '%s learns what works',
    (strategy) => {
      const last = train(optimizer(ledgerIn(), {strategy}), (action) => action === 'b', 200);
      expect(last.filter((action) => action === 'b').length).toBeGreaterThanOrEqual(15);
    },
  );

  it('knows in a new process what was learned, and of what others learn meanwhile', async () => {
    const stateDir = await scratch();
    const [first, second] = [
      optimizer(ledgerIn(stateDir), {strategy: 'ucb1_tuned'}),
      optimizer(ledgerIn(stateDir), {strategy: 'ucb1_tuned'}),
    ];
    train(first, (action) => action === 'c');
    expect(second.explain()?.action).toBe('c');
    for (let n = 0; n < 300; n += 1) second.applyReward({action: 'a', success: true}, {decision: 'default'});
    expect(first.explain()?.actions.find(({action}) => action === 'a')?.outcomes).toBeGreaterThan(300);
    expect(first.explain()).toEqual(second.explain());
  });

  it('learns each decision apart', () => {
    const one = optimizer(ledgerIn(), {strategy: 'ucb1_tuned'});
    for (let n = 0; n < 20; n += 1) {
      one.applyReward({action: 'a', success: true}, {decision: 'model'});
      one.applyReward({action: 'b', success: true}, {decision: 'toolset'});
      one.applyReward({action: 'a', success: false}, {decision: 'toolset'});
    }
    expect([one.explain({decision: 'model'})?.action, one.explain({decision: 'toolset'})?.action]).toEqual(['a', 'b']);
  });

  it('has one outcome for a choice: an undo takes a success back', () => {
    const one = optimizer(ledgerIn());
    const {action, choice = ''} = one.select(['a']);
    one.applyReward({action, success: true}, {choice});
    expect(one.explain()?.actions).toEqual([{action: 'a', outcomes: 1, mean: 1, share: 1}]);
    for (let times = 0; times < 3; times += 1) one.applyReward({action, success: false}, {choice});
    expect(one.explain()?.actions).toEqual([{action: 'a', outcomes: 1, mean: 0, share: 1}]);
  });

  it('takes the newest open choice of an action when none is named, with its features', () => {
    const one = optimizer(ledgerIn(), {strategy: 'linucb'});
    for (let n = 0; n < 60; n += 1) {
      const kind = n % 2 === 0 ? 'fix' : 'write';
      const {action} = one.select(['a', 'b'], {features: {kind}});
      one.applyReward({action, success: (kind === 'fix') === (action === 'a')});
    }
    const best = (kind: string) => one.explain({features: {kind}})?.action;
    expect([best('fix'), best('write')]).toEqual(['a', 'b']);
  });

  it('credits earlier choices of the same episode (actor_critic)', () => {
    const one = optimizer(ledgerIn(), {strategy: 'actor_critic'});
    for (let n = 0; n < 40; n += 1) {
      const first = one.select(['good', 'bad'], {decision: 'x', episode: `run ${n}`}).action;
      const {choice = ''} = one.select(['end'], {decision: 'x', episode: `run ${n}`});
      one.applyReward({action: 'end', success: first === 'good'}, {choice});
    }
    const later = Array.from({length: 20}, (_, n) => one.select(['bad', 'good'], {decision: 'x', episode: `later ${n}`}).action);
    expect(later.filter((action) => action === 'good').length).toBeGreaterThan(15);
  });

  it('counts a repeated call once, also without the id of its choice (guide optimization › a choice has one outcome)', () => {
    const one = optimizer(ledgerIn());
    one.select(['a'], {decision: 'x'});
    for (const success of [true, true, false]) expect(one.applyReward({action: 'a', success})).toBe(true);
    expect([one.explain({decision: 'x'})?.actions, one.explain()]).toEqual([[{action: 'a', outcomes: 1, mean: 0, share: 1}], undefined]);
  });

  it('gives outcomes without ids to all choices that run at the same time, the newest first', () => {
    const one = optimizer(ledgerIn());
    const chosen = ['x', 'x', 'y'].map((decision) => one.select(['a'], {decision}).choice ?? '');
    expect(one.applyReward({action: 'a', success: true}, {choice: chosen[1] ?? ''})).toBe(true);
    for (const success of [false, true, true, false]) one.applyReward({action: 'a', success});
    const known = (decision: string) => one.explain({decision})?.actions.map(({outcomes, mean}) => [outcomes, mean]);
    expect([known('x'), known('y'), known('default')]).toEqual([[[2, 0.5]], [[1, 0]], undefined]);
  });

  it('refuses outcomes of choices that are not known, or of another action', () => {
    const one = optimizer(ledgerIn());
    const {choice = ''} = one.select(['a']);
    expect(one.applyReward({action: 'a', success: true}, {choice: 'made up'})).toBe(false);
    expect(one.applyReward({action: 'b', success: true}, {choice})).toBe(false);
    expect(one.explain()).toBeUndefined();
  });

  it('sets an action aside that was chosen five times and never had an outcome', () => {
    const one = optimizer(ledgerIn(), {strategy: 'ucb1'});
    const chosen = Array.from({length: 12}, () => {
      const {action, choice = ''} = one.select(['silent', 'heard']);
      if (action === 'heard') one.applyReward({action, success: false}, {choice});
      return action;
    });
    expect(chosen).toEqual([...Array.from({length: 5}, () => 'silent'), ...Array.from({length: 7}, () => 'heard')]);
    expect(one.select(['silent']).action).toBe('silent');
  });

  it('explains the 64 actions with the most outcomes where more are known', () => {
    const one = optimizer(ledgerIn());
    for (let n = 0; n < 70; n += 1) one.applyReward({action: `a${n}`, success: true}, {decision: 'default'});
    one.applyReward({action: 'a69', success: true}, {decision: 'default'});
    const {actions = []} = one.explain() ?? {};
    expect([actions.length, actions[0]?.action]).toEqual([64, 'a69']);
  });

  it('does not prefer a process that only claims success', () => {
    const one = optimizer(ledgerIn(), {strategy: 'thompson'});
    const world = seededNumbers(9);
    const run = (action: string) => {
      const isProven = action === 'honest' && world() < 0.4;
      const proof = isProven
        ? {verified: true, checks: [{command: 'npm test', named_by: 'person' as const, state: 'passed' as const, exit_code: 0}]}
        : {verified: 'none' as const, result: 'Everything works, all checks passed.'};
      const end = {
        type: 'thread.completed',
        thread_id: 't',
        subtype: 'success',
        outcome_code: 'success',
        usage: NO_USAGE,
        total_cost_usd: 0,
        num_turns: 1,
      } as const;
      return rewardSignalOf(action, {events: [{...end, ...proof}]});
    };
    const chosen = Array.from({length: 200}, () => {
      const {action, choice = ''} = one.select(['liar', 'honest']);
      const signal = run(action);
      if (signal !== undefined) one.applyReward(signal, {choice});
      return action;
    });
    expect(chosen.slice(-100).filter((action) => action === 'liar').length).toBeLessThan(15);
  });

  it('frozen, chooses the best and learns nothing, also in other processes', async () => {
    const stateDir = await scratch();
    const [ledger, other] = [ledgerIn(stateDir), ledgerIn(stateDir)];
    const one = optimizer(ledger, {strategy: 'thompson'});
    train(one, (action) => action === 'b');
    other.setFrozen(true);
    const before = one.explain();
    const chosen = Array.from({length: 50}, () => one.select(['a', 'b', 'c']));
    expect(new Set(chosen.map(({action, choice}) => `${action} ${choice}`))).toEqual(new Set(['b undefined']));
    expect(chosen[0]?.why).toMatch(/; learning is frozen$/);
    expect(one.applyReward({action: 'a', success: true})).toBe(false);
    expect(one.explain()).toEqual(before);
    other.setFrozen(false);
    expect(one.applyReward({action: 'a', success: true}, {decision: 'default'})).toBe(true);
  });

  it('begins anew after a reset by another process', async () => {
    const stateDir = await scratch();
    const one = optimizer(ledgerIn(stateDir));
    train(one, () => true, 10);
    expect(ledgerIn(stateDir).reset()).toBe(10);
    expect(one.explain()).toBeUndefined();
  });

  it('shaping reaches the policy (VT Code architecture › a reward shaping that never reaches the policy)', () => {
    const best = (latencyWeight: number) => {
      const one = optimizer(ledgerIn(), {
        strategy: 'ucb1_tuned',
        reward_shaping: {...DEFAULTS.optimization.reward_shaping, latency_penalty_weight: latencyWeight},
      });
      for (let n = 0; n < 50; n += 1) {
        one.applyReward({action: 'slow', success: true, latency_ms: 600_000}, {decision: 'default'});
        one.applyReward({action: 'fast', success: n % 10 !== 0, latency_ms: 100}, {decision: 'default'});
      }
      return one.explain()?.action;
    };
    expect([best(0), best(0.5)]).toEqual(['slow', 'fast']);
  });

  it('keeps no text of features and episodes (names of actions and numbers only)', async () => {
    const stateDir = await scratch();
    const ledger = openLedger(stateDir);
    const one = optimizer(ledger);
    const {choice = ''} = one.select(['a'], {
      decision: 'model',
      features: {path: 'SECRETPATH', prompt: 'SECRETPROMPT'},
      episode: 'SECRETRUN',
    });
    one.applyReward({action: 'a', success: true}, {choice});
    ledger.close();
    expect((await readFile(ledgerPath(stateDir))).toString('latin1')).not.toContain('SECRET');
  });

  it.each([
    [[], undefined, 'select: no action to choose from.'],
    [['a', 'a'], undefined, 'select: an action is there twice.'],
    [Array.from({length: 65}, (_, n) => `a${n}`), undefined, 'select: 65 actions, at most 64.'],
    [['a\u001b[31m'], undefined, 'select: a name is empty, longer than 100 characters, or not plain.'],
    [['a'], 'x'.repeat(101), 'select: a name is empty, longer than 100 characters, or not plain.'],
    [[''], undefined, 'select: a name is empty, longer than 100 characters, or not plain.'],
  ])('refuses names that are not plain: %#', (actions, decision, message) => {
    const one = optimizer(ledgerIn());
    expect(() => one.select(actions, decision === undefined ? {} : {decision})).toThrow(
      expect.objectContaining({code: 'BAD_ARGS', message}),
    );
  });

  it.each([
    {success: 1},
    {success: true, latency_ms: -1},
    {success: true, cost_usd: Number.NaN},
    {success: true, tokens: Infinity},
    {success: true, timeout: 'false'},
    {action: '', success: true},
    {action: undefined, success: true},
  ])('refuses the signal %j', (signal) => {
    const one = optimizer(ledgerIn());
    expect(() => one.applyReward({action: 'a', ...signal} as never)).toThrow(expect.objectContaining({code: 'BAD_ARGS'}));
  });

  it.each([
    [null, 'the context is not an object'],
    [{latencyBudgetMs: Number.NaN}, '`latencyBudgetMs` is not a number of at least 0'],
    [{latencyBudgetMs: '5'}, '`latencyBudgetMs` is not a number of at least 0'],
    [{exploreShare: Number.NaN}, '`exploreShare` is not a number from 0 to 1'],
    [{exploreShare: 1.5}, '`exploreShare` is not a number from 0 to 1'],
    [{episode: 5}, '`episode` is not a text'],
    [{features: null}, '`features` is not an object of texts, numbers and booleans'],
    [{features: {size: {}}}, '`features` is not an object of texts, numbers and booleans'],
  ])('refuses the context %j', (context, problem) => {
    const one = optimizer(ledgerIn());
    expect(() => one.select(['a'], context as never)).toThrow(
      expect.objectContaining({code: 'BAD_ARGS', message: `select: ${problem}.`, hint: 'Its fields are those of DecisionContext.'}),
    );
  });

  it.each([null, 5, {}, {choice: 5}, {decision: undefined}, {decision: 'a\0'}, {decision: 'x'.repeat(101)}])(
    'refuses an outcome of %j, and stores nothing',
    (of) => {
      const ledger = ledgerIn();
      expect(() => optimizer(ledger).applyReward({action: 'a', success: true}, of as never)).toThrow(
        expect.objectContaining({
          code: 'BAD_ARGS',
          message: 'applyReward: it is of neither a choice nor a decision with a plain name.',
        }),
      );
      expect(ledger.totals()).toEqual([]);
    },
  );
});
